//! RetryPolicy: how targets that are out are tried again.

use havoq_base::StackDuration;
use serde_json::{Value, json};

use super::schedule;
use crate::fact::Fact;
use crate::targets::Outage;
use crate::tests::{World, arn, secs};

/// A one-time schedule whose target is out.
fn world(policy: Value) -> World {
    let mut world = World::new();
    world.create("q", &[]);
    world.operate(|core, _| core.begin_outage(&arn("q"), Outage::Unavailable));
    let input = json!({ "Input": "<aws.scheduler.attempt-number>", "RetryPolicy": policy });
    world.schedule("at(2027-01-15T08:00:01)", "q", json!({ "Target": input }));
    world.pass(1);
    world
}

fn attempts_when_lost(world: &World) -> Option<u32> {
    world.facts().iter().find_map(|fact| match fact {
        Fact::Undelivered { attempts, .. } => Some(*attempts),
        _ => None,
    })
}

#[test]
fn a_target_that_comes_back_gets_what_it_missed() {
    let mut world = world(json!({}));
    world.pass(6);
    assert_eq!(world.depth("q"), (0, 0, 0));
    world.operate(|core, now| core.end_outage(now, &arn("q")));
    world.pass(10);
    let attempt: u32 = world.one("q").content.body.parse().expect("the number of an attempt");
    assert!((3..=5).contains(&attempt), "{attempt}");
}

#[test]
fn the_attempts_end_after_the_first_and_maximum_retry_attempts() {
    let world = {
        let mut world = world(json!({ "MaximumRetryAttempts": 2 }));
        world.pass(60);
        world
    };
    assert_eq!(attempts_when_lost(&world), Some(3));
    let mut world = self::world(json!({ "MaximumRetryAttempts": 0 }));
    world.pass(0);
    assert_eq!(attempts_when_lost(&world), Some(1));
}

#[test]
fn they_end_when_the_event_is_too_old() {
    let mut world = world(json!({ "MaximumEventAgeInSeconds": 60 }));
    world.pass(59);
    assert_eq!(world.core.timers.next_delivery(), Some(world.now + secs(1)));
    world.pass(1);
    assert!(attempts_when_lost(&world).is_some());
    assert_eq!(world.core.timers.next_delivery(), None);
}

#[test]
fn by_default_they_go_on_for_24_h() {
    let mut world = world(json!({}));
    let began = world.now;
    world.pass(86_399);
    assert_eq!(world.core.timers.next_delivery(), Some(began + StackDuration::from_secs(86_400)));
    world.pass(1);
    let attempts = attempts_when_lost(&world).expect("it is lost");
    assert!((100..=186).contains(&attempts), "{attempts}");
}

#[test]
fn what_gets_no_better_by_itself_is_not_tried_again() {
    let mut world = World::new();
    world.schedule("at(2027-01-15T08:00:01)", "missing", json!({}));
    world.pass(1);
    assert_eq!(attempts_when_lost(&world), Some(1));
}

/// What had an attempt goes on as it began.
#[test]
fn attempts_go_on_after_the_schedule_was_deleted() {
    let mut world = world(json!({}));
    world.scheduler("DeleteSchedule", json!({ "Name": "s" })).expect("deleted");
    world.operate(|core, now| core.end_outage(now, &arn("q")));
    world.pass(2);
    assert_eq!(world.one("q").content.body, "2");
}

#[test]
fn a_schedule_that_deletes_itself_waits_for_its_attempts() {
    let mut world = World::new();
    world.create("q", &[]);
    world.operate(|core, _| core.begin_outage(&arn("q"), Outage::Throttled));
    let members = schedule("s", "at(2027-01-15T08:00:01)", "q", json!({ "ActionAfterCompletion": "DELETE" }));
    world.scheduler("CreateSchedule", members).expect("created");
    world.pass(2);
    assert!(world.scheduler("GetSchedule", json!({ "Name": "s" })).is_ok());
    world.operate(|core, now| core.end_outage(now, &arn("q")));
    world.pass(60);
    assert!(world.scheduler("GetSchedule", json!({ "Name": "s" })).is_err());
    assert_eq!(world.depth("q"), (1, 0, 0));
}
