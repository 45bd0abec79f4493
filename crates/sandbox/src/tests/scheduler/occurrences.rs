//! When schedules do something, and what they leave undone.

use havoq_base::StackTime;
use serde_json::{Value, json};

use super::{schedule, schedule_arn};
use crate::fact::Fact;
use crate::tests::{World, secs};

/// World's clock begins on 2027-01-15T08:00:00Z.
fn world() -> World {
    let mut world = World::new();
    world.create("q", &[]);
    world
}

fn get(world: &mut World) -> Result<Value, havoq_wire::ServiceError> {
    world.scheduler("GetSchedule", json!({ "Name": "s" }))
}

/// How many messages have come to `q` after each of some waits, in all.
fn counts<const N: usize>(world: &mut World, waits: [u64; N]) -> [u64; N] {
    waits.map(|wait| {
        world.pass(wait);
        world.depth("q").0
    })
}

#[test]
fn a_rate_begins_at_once_and_goes_on() {
    let mut world = world();
    world.schedule("rate(5 minutes)", "q", json!({}));
    assert_eq!(counts(&mut world, [0, 299, 1, 600]), [1, 1, 2, 4]);
}

#[test]
fn a_rate_has_its_first_occurrence_at_its_start() {
    let mut world = world();
    world.schedule("rate(5 minutes)", "q", json!({ "StartDate": 1_800_000_100 }));
    assert_eq!(counts(&mut world, [99, 1, 299, 1]), [0, 1, 1, 2]);
}

#[test]
fn a_cron_expression_waits_for_its_minute() {
    let mut world = world();
    world.schedule("cron(0/10 8 * * ? *)", "q", json!({}));
    assert_eq!(counts(&mut world, [0, 599, 1, 600, 86_400]), [0, 0, 1, 2, 8]);
}

#[test]
fn start_and_end_bound_the_occurrences_and_belong_to_them() {
    let mut world = world();
    let bounds = json!({ "StartDate": 1_800_001_200, "EndDate": 1_800_002_400 });
    world.schedule("cron(0/10 * * * ? *)", "q", bounds);
    assert_eq!(counts(&mut world, [1_199, 1, 600, 600, 86_400]), [0, 1, 2, 3, 3]);
    assert!(get(&mut world).is_ok(), "it is over, and stays");
}

#[test]
fn a_one_time_schedule_happens_once_and_stays() {
    let mut world = world();
    // Its dates are ignored.
    let dates = json!({ "StartDate": 1_900_000_000, "EndDate": 1_900_000_001 });
    world.schedule("at(2027-01-15T08:30:00)", "q", dates);
    assert_eq!(counts(&mut world, [1_799, 1, 86_400]), [0, 1, 1]);
    assert_eq!(get(&mut world).expect("it stays")["State"], "ENABLED");
}

#[test]
fn a_wall_s_time_is_that_of_the_time_zone() {
    let mut world = world();
    world.schedule("at(2027-01-15T09:30:00)", "q", json!({ "ScheduleExpressionTimezone": "Europe/Berlin" }));
    assert_eq!(counts(&mut world, [1_799, 1]), [0, 1]);
}

#[test]
fn action_after_completion_deletes_what_is_over() {
    let mut world = world();
    let delete = json!({ "ActionAfterCompletion": "DELETE" });
    world.schedule("at(2027-01-15T08:30:00)", "q", delete);
    world.pass(1_799);
    assert!(get(&mut world).is_ok());
    world.pass(1);
    assert!(get(&mut world).is_err());

    let delete = json!({ "ActionAfterCompletion": "DELETE", "EndDate": 1_800_002_400 });
    world.schedule("rate(5 minutes)", "q", delete);
    world.pass(599);
    assert!(get(&mut world).is_ok(), "another one is to come");
    world.pass(1);
    assert!(get(&mut world).is_err());
    assert_eq!(world.depth("q"), (4, 0, 0));
}

#[test]
fn a_disabled_schedule_does_nothing_and_an_enabled_one_keeps_its_pace() {
    let mut world = world();
    world.schedule("rate(5 minutes)", "q", json!({ "State": "DISABLED" }));
    assert_eq!(counts(&mut world, [610]), [0]);
    let enabled = schedule("s", "rate(5 minutes)", "q", json!({}));
    world.scheduler("UpdateSchedule", enabled.clone()).expect("updated");
    assert_eq!(counts(&mut world, [289, 1]), [0, 1]);
    world.scheduler("UpdateSchedule", enabled).expect("updated");
    assert_eq!(counts(&mut world, [299, 1]), [1, 2]);
}

/// SCHED:troubleshooting: it may happen at once when it is enabled after its time.
#[test]
fn a_one_time_schedule_that_is_enabled_after_its_time_happens_at_once() {
    let mut world = world();
    world.schedule("at(2027-01-15T08:30:00)", "q", json!({ "State": "DISABLED" }));
    assert_eq!(counts(&mut world, [3_600]), [0]);
    let input = json!({ "Target": { "Input": "<aws.scheduler.scheduled-time>" } });
    let enabled = schedule("s", "at(2027-01-15T08:30:00)", "q", input);
    world.scheduler("UpdateSchedule", enabled.clone()).expect("updated");
    assert_eq!(counts(&mut world, [0]), [1]);
    assert_eq!(world.one("q").content.body, "2027-01-15T08:30:00Z");
    world.scheduler("UpdateSchedule", enabled).expect("updated");
    assert_eq!(counts(&mut world, [10]), [0], "it has happened");
}

#[test]
fn nothing_is_left_to_do_of_a_deleted_schedule() {
    let mut world = world();
    world.schedule("rate(1 minute)", "q", json!({}));
    world.pass(0);
    world.scheduler("DeleteSchedule", json!({ "Name": "s" })).expect("deleted");
    assert_eq!(counts(&mut world, [600]), [1]);
    assert_eq!((world.core.timers.next_scheduled(), world.core.timers.next_delivery()), (None, None));
}

/// When the messages of `q` came, counted from the beginning of the hour.
fn times_with_window(seed_name: &str) -> Vec<u64> {
    let mut world = world();
    let window = json!({ "FlexibleTimeWindow": { "Mode": "FLEXIBLE", "MaximumWindowInMinutes": 15 } });
    let members = schedule(seed_name, "rate(1 hour)", "q", window);
    world.scheduler("CreateSchedule", members).expect("created");
    world.pass(10 * 3_600 - 1);
    let facts = world.facts.lock().expect("no panic holds it");
    let delivered = facts.iter().filter(|(_, fact)| matches!(fact, Fact::Delivered { .. }));
    delivered.map(|(at, _)| at.since(StackTime::from_secs(1_800_000_000)).as_secs() % 3_600).collect()
}

#[test]
fn a_flexible_window_begins_at_the_scheduled_time_and_the_draw_is_the_schedule_s_own() {
    let times = times_with_window("s");
    assert_eq!(times.len(), 10);
    assert!(times.iter().all(|time| *time < 900), "{times:?}");
    assert!(times.iter().any(|time| *time != times[0]), "{times:?}");
    assert_eq!(times, times_with_window("s"));
    assert_ne!(times, times_with_window("other"));
}

#[test]
fn what_waits_for_its_turn_in_a_window_is_called_off_with_its_schedule() {
    let mut world = world();
    let window = json!({ "FlexibleTimeWindow": { "Mode": "FLEXIBLE", "MaximumWindowInMinutes": 1_440 } });
    world.schedule("at(2027-01-15T08:00:01)", "q", window);
    world.pass(2);
    assert!(world.core.timers.next_delivery().is_some());
    world.scheduler("DeleteSchedule", json!({ "Name": "s" })).expect("deleted");
    assert_eq!(counts(&mut world, [2 * 86_400]), [0]);
}

#[test]
fn an_occurrence_is_told_with_its_execution_id() {
    let mut world = world();
    world.schedule(
        "at(2027-01-15T08:00:01)",
        "q",
        json!({ "Target": { "Input": "<aws.scheduler.execution-id>" } }),
    );
    world.pass(1);
    let id = world.one("q").content.body.clone();
    match &world.facts()[..] {
        [
            Fact::Published { channel, message_id },
            Fact::Delivered { subscription, message_id: delivered, attempts: 1, given_id: Some(_), .. },
        ] => {
            assert_eq!((&**channel, message_id.as_str(), delivered.as_str()), ("s", &*id, &*id));
            assert_eq!((subscription, id.len()), (&schedule_arn("s"), 16));
        }
        other => panic!("{other:?}"),
    }
}

/// The engine's end of a run waits for what surely happens soon, and for nothing that recurs.
#[test]
fn what_recurs_is_no_delivery_that_one_waits_for_and_neither_is_what_is_far_away() {
    let mut world = world();
    world.schedule("rate(5 minutes)", "q", json!({}));
    world.pass(1);
    assert_eq!(world.core.timers.next_delivery(), None);
    assert_eq!(world.core.timers.next_scheduled(), Some(world.now + secs(299)));
    assert_eq!(world.core.timers.next(), Some(world.now + secs(299)));
    for (name, expression, awaited) in
        [("near", "at(2027-01-16T08:00:00)", true), ("far", "at(2027-01-16T08:00:02)", false)]
    {
        world.scheduler("CreateSchedule", schedule(name, expression, "q", json!({}))).expect("created");
        assert_eq!(world.core.timers.next_delivery().is_some(), awaited, "{name}");
        world.scheduler("DeleteSchedule", json!({ "Name": name })).expect("deleted");
    }
}

#[test]
fn nobody_wakes_up_without_schedules() {
    let mut world = World::new();
    world.scheduler("ListSchedules", json!({})).expect("a list");
    world.schedule("rate(5 minutes)", "q", json!({ "State": "DISABLED" }));
    assert_eq!(world.core.timers.next(), None);
}
