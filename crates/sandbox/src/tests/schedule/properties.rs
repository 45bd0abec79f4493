use havoq_base::{StackDuration, StackTime};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::model::{Expression, daily, expressions};
use crate::schedule::{Schedule, Zone};

const MINUTE: StackDuration = StackDuration::from_secs(60);

fn wall(zone: &TimeZone, at: StackTime) -> DateTime {
    zone.to_datetime(Timestamp::from_second(at.as_secs() as i64).expect("a time of ours"))
}

/// Goes from minute to minute. A wall that shows the same as half an hour or an hour before does so for
/// the second time.
fn search(model: &Expression, zone: &TimeZone, after: StackTime, days: u64) -> Option<StackTime> {
    let first = StackTime::from_secs((after.as_secs() / 60 + 1) * 60);
    let minutes = (0..days * 1_440).map(|minute| first + MINUTE.times(minute));
    let repeats = |at: StackTime| {
        let before = |minutes| wall(zone, at - MINUTE.times(minutes));
        [30, 60].into_iter().any(|minutes| before(minutes) == wall(zone, at))
    };
    minutes.into_iter().find(|at| model.holds(wall(zone, *at)) && !repeats(*at))
}

fn agrees(model: &Expression, zone: &str, after: StackTime, days: u64) -> Result<(), TestCaseError> {
    let schedule = Schedule::parse(&model.text()).expect("the model writes sound expressions");
    let own = schedule.next_in(&Zone::named(zone).expect("a zone"), after, after);
    let until = after + MINUTE.times(days * 1_440);
    let zone = TimeZone::get(zone).expect("a zone");
    let expected = search(model, &zone, after, days);
    prop_assert_eq!(own.filter(|own| *own <= until), expected, "{}", model.text());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_next_time_is_the_one_that_a_search_from_minute_to_minute_finds(
        model in expressions(),
        after in 1_767_225_600..1_893_456_000_u64,
    ) {
        agrees(&model, "UTC", StackTime::from_secs(after), 62)?;
    }

    /// From two hours before to two hours after the change.
    #[test]
    fn so_it_is_where_clocks_are_changed(
        model in daily(),
        (zone, change) in prop::sample::select(vec![
            ("America/New_York", "2027-03-14T07:00:00Z"),
            ("America/New_York", "2027-11-07T06:00:00Z"),
            ("Europe/Berlin", "2027-03-28T01:00:00Z"),
            ("Europe/Berlin", "2027-10-31T01:00:00Z"),
            ("Australia/Lord_Howe", "2027-04-03T15:00:00Z"),
            ("Australia/Lord_Howe", "2027-10-02T15:30:00Z"),
            ("America/Havana", "2027-11-07T05:00:00Z"),
        ]),
        minutes in 0..240_u64,
    ) {
        let from: StackTime = change.parse().expect("a time");
        agrees(&model, zone, from + MINUTE.times(120) - MINUTE.times(minutes), 3)?;
    }

    #[test]
    fn no_text_makes_it_panic(text in ".{0,40}") {
        let _ = Schedule::parse_for_scheduler(&text);
        let _ = Schedule::parse_for_scheduler(&format!("cron({text})"));
        let _ = Schedule::parse_for_scheduler(&format!("rate({text})"));
        let _ = Schedule::parse_for_scheduler(&format!("at({text})"));
    }

    #[test]
    fn nor_does_anything_like_an_expression(
        parts in prop::collection::vec(
            prop::sample::select(vec!["cron(", "rate(", ")", " ", "*", "?", "L", "W", "#", "/", "-", ",", "1", "31", "MON", "9999999999"]),
            0..24,
        ),
    ) {
        if let Ok(schedule) = Schedule::parse_for_scheduler(&parts.concat()) {
            let _ = schedule.next_after(StackTime::from_secs(1_800_000_000));
        }
    }
}
