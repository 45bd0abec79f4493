//! What AWS's guides give as examples, and what AWS was seen to take and to refuse (the validated
//! snapshots of localstack).

use super::{due, time};
use crate::schedule::{BadSchedule, Schedule};

/// 2027-01-15 is a Friday.
const FROM: &str = "2027-01-15T08:00:00Z";

#[test]
fn the_examples_of_the_guide_fall_due_when_it_says() {
    for (expression, first, second) in [
        ("cron(0 10 * * ? *)", "2027-01-15T10:00:00Z", "2027-01-16T10:00:00Z"),
        ("cron(15 12 * * ? *)", "2027-01-15T12:15:00Z", "2027-01-16T12:15:00Z"),
        ("cron(0 18 ? * MON-FRI *)", "2027-01-15T18:00:00Z", "2027-01-18T18:00:00Z"),
        ("cron(0 8 1 * ? *)", "2027-02-01T08:00:00Z", "2027-03-01T08:00:00Z"),
        ("cron(0/15 * * * ? *)", "2027-01-15T08:15:00Z", "2027-01-15T08:30:00Z"),
        ("cron(0/10 * ? * MON-FRI *)", "2027-01-15T08:10:00Z", "2027-01-15T08:20:00Z"),
        ("cron(0/5 8-17 ? * MON-FRI *)", "2027-01-15T08:05:00Z", "2027-01-15T08:10:00Z"),
        // Between 10:00 pm and 2:00 am on the following day.
        ("cron(0/30 22-2 ? * MON-FRI *)", "2027-01-15T22:00:00Z", "2027-01-15T22:30:00Z"),
        ("cron(15 10 ? * 6L 2027-2028)", "2027-01-29T10:15:00Z", "2027-02-26T10:15:00Z"),
        ("cron(0 9 ? * 3#2 *)", "2027-02-09T09:00:00Z", "2027-03-09T09:00:00Z"),
        ("cron(0 2 ? * SAT#3 *)", "2027-01-16T02:00:00Z", "2027-02-20T02:00:00Z"),
        ("cron(0 6 3W * ? *)", "2027-02-03T06:00:00Z", "2027-03-03T06:00:00Z"),
        ("cron(0 0 L * ? *)", "2027-01-31T00:00:00Z", "2027-02-28T00:00:00Z"),
        ("cron(0 0 29 2 ? *)", "2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"),
        ("rate(5 minutes)", "2027-01-15T08:05:00Z", "2027-01-15T08:10:00Z"),
        ("rate(1 hour)", "2027-01-15T09:00:00Z", "2027-01-15T10:00:00Z"),
        ("rate(7 days)", "2027-01-22T08:00:00Z", "2027-01-29T08:00:00Z"),
    ] {
        assert_eq!(due(expression, "UTC", FROM, 2), [first, second], "{expression}");
    }
}

#[test]
fn what_is_over_never_falls_due() {
    for expression in ["cron(15 10 ? * 6L 2002-2005)", "cron(0 0 31 2 ? *)", "at(2022-12-31T23:59:59)"] {
        assert!(due(expression, "UTC", FROM, 1).is_empty(), "{expression}");
    }
    assert_eq!(due("at(2027-01-15T08:00:01)", "UTC", FROM, 9), ["2027-01-15T08:00:01Z"]);
    assert!(due("cron(* * * * ? 2199)", "UTC", "2199-12-31T23:59:00Z", 1).is_empty());
}

#[test]
fn rules_take_what_aws_was_seen_to_take() {
    for expression in [
        "cron(0 2 ? * SAT *)",
        "cron(5,35 14 * * ? *)",
        "cron(15 10 ? * 6L 2002-2005)",
        "cron(* * ? * SAT#3 *)",
        "cron(0/5 5 ? JAN 1-5 2022)",
        "cron(0-15/1 8-8 ? * 2,3,4,5,6,7 *)",
        "cron(30-30 13-13 ? * 2,4,6 *)",
        "cron(1-31/30 1-1 ? * 1,7 *)",
        "cron(*/15 * * * ? *)",
        "cron(0-59/10 0-23/2 ? * * *)",
        "rate(1 minute)",
        "rate(5 hours)",
    ] {
        assert!(Schedule::parse(expression).is_ok(), "{expression}");
    }
}

#[test]
fn rules_refuse_what_aws_was_seen_to_refuse() {
    for expression in REFUSED_BY_BOTH.iter().chain(&[
        "rate(1 minutes)",
        "rate(1 hours)",
        "rate(1 days)",
        "rate(10 minute)",
        "rate(10 hour)",
        "rate(10 day)",
        "at(2027-12-31T23:59:59)",
    ]) {
        assert_eq!(Schedule::parse(expression), Err(BadSchedule), "{expression}");
    }
}

#[test]
fn scheduler_refuses_what_aws_was_seen_to_refuse() {
    for expression in REFUSED_BY_BOTH.iter().chain(&[
        "at(2021-12-31T23:59:59Z)",
        "at(2021-12-31)",
        "at(2021-12-31 23:59:59)",
        "at(2021-12-31T23:59:60)",
        "at(2021-02-30T00:00:00)",
        "at()",
    ]) {
        assert_eq!(Schedule::parse_for_scheduler(expression), Err(BadSchedule), "{expression}");
    }
}

const REFUSED_BY_BOTH: [&str; 22] = [
    "",
    "cron",
    "cron()",
    "cron(INVALID)",
    "cron(0 1 * * * *)",
    "cron(7 20 * * NOT *)",
    "cron(0 dummy ? * MON-FRI *)",
    "cron(71 8 1 * ? *)",
    "cron(0 8 1 * ?)",
    "cron(0 0 8 1 * ? *)",
    "cron( 0 8 1 * ? *)",
    "rate()",
    "rate(10)",
    "rate(10 seconds)",
    "rate(10 years)",
    "rate(10 minutess)",
    "rate(foo minutes)",
    "rate(0 minutes)",
    "rate(-10 minutes)",
    "rate( 10 minutes )",
    " rate(10 minutes)",
    "rate(10  minutes)",
];

/// Its guide writes `rate(1 days)`.
#[test]
fn scheduler_does_not_ask_a_unit_to_agree_with_its_value() {
    assert_eq!(due("rate(1 days)", "UTC", FROM, 1), ["2027-01-16T08:00:00Z"]);
    assert_eq!(due("rate(5 minute)", "UTC", FROM, 1), ["2027-01-15T08:05:00Z"]);
}

#[test]
fn a_rate_counts_from_its_anchor() {
    let schedule = Schedule::parse("rate(10 minutes)").expect("a rate");
    let next = |after: &str| schedule.next_in(&crate::schedule::Zone::UTC, time(FROM), time(after));
    assert_eq!(next("2027-01-15T07:00:00Z"), Some(time(FROM)));
    assert_eq!(next("2027-01-15T08:29:59Z"), Some(time("2027-01-15T08:30:00Z")));
    assert_eq!(next("2027-01-15T08:30:00Z"), Some(time("2027-01-15T08:40:00Z")));
}
