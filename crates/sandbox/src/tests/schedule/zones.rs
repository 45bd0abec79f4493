//! Time zones and the days on which clocks are changed.

use super::due;
use crate::schedule::Zone;

#[test]
fn an_expression_is_read_in_its_time_zone() {
    assert_eq!(
        due("cron(30 8 * * ? *)", "America/New_York", "2027-01-15T00:00:00Z", 1),
        ["2027-01-15T13:30:00Z"]
    );
    assert_eq!(
        due("at(2022-11-20T13:00:00)", "America/Los_Angeles", "2022-01-01T00:00:00Z", 1),
        ["2022-11-20T21:00:00Z"]
    );
    assert_eq!(Zone::named("Mars/Olympus_Mons"), None);
}

/// The guide's own example: 2:30 a.m. is skipped on the day on which clocks go forward.
#[test]
fn in_spring_a_time_that_no_clock_shows_is_skipped() {
    assert_eq!(
        due("cron(30 2 * * ? *)", "America/Los_Angeles", "2027-03-13T00:00:00Z", 3),
        ["2027-03-13T10:30:00Z", "2027-03-15T09:30:00Z", "2027-03-16T09:30:00Z"]
    );
    assert!(due("at(2027-03-14T02:30:00)", "America/Los_Angeles", "2027-03-13T00:00:00Z", 1).is_empty());
}

/// The guide's example has the wall of America/Los_Angeles show 1:00 to 1:59 twice.
#[test]
fn in_autumn_a_time_that_clocks_show_twice_counts_once_before_the_shift() {
    assert_eq!(
        due("cron(30 1 * * ? *)", "America/Los_Angeles", "2027-11-06T12:00:00Z", 2),
        ["2027-11-07T08:30:00Z", "2027-11-08T09:30:00Z"]
    );
    // From within the second pass on, the whole hour is over.
    assert_eq!(
        due("cron(0/20 * * * ? *)", "America/Los_Angeles", "2027-11-07T09:10:00Z", 1),
        ["2027-11-07T10:00:00Z"]
    );
}

#[test]
fn a_day_of_a_rate_is_24_hours_whatever_clocks_do() {
    assert_eq!(
        due("rate(1 days)", "Europe/Berlin", "2027-03-27T12:00:00Z", 2),
        ["2027-03-28T12:00:00Z", "2027-03-29T12:00:00Z"]
    );
}
