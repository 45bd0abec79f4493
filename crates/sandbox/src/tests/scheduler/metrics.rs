//! The metrics of schedules.

use serde_json::{Value, json};

use super::schedule;
use crate::place::Place;
use crate::targets::Outage;
use crate::tests::{World, arn};

/// What a metric of the default group came to in the minute that ends now.
fn sum(world: &World, metric: &str) -> Option<f64> {
    let now = world.now.as_secs();
    let group = [("ScheduleGroup", "default")];
    let stats = world.core.cloudwatch.stats_of(Place::HOME, "AWS/Scheduler", metric, &group, now - 60..now);
    stats.map(|stats| stats.sum)
}

fn world(target: Value) -> World {
    let mut world = World::new();
    world.schedule("at(2027-01-15T08:00:01)", "q", json!({ "Target": target }));
    world
}

#[test]
fn attempts_are_counted_and_what_did_not_happen_is_not() {
    let mut world = world(json!({}));
    world.create("q", &[]);
    world.pass(60);
    assert_eq!(sum(&world, "InvocationAttemptCount"), Some(1.0));
    for metric in ["TargetErrorCount", "InvocationDroppedCount", "InvocationsSentToDeadLetterCount"] {
        assert_eq!(sum(&world, metric), None, "{metric}");
    }
    world.pass(60);
    assert_eq!(sum(&world, "InvocationAttemptCount"), None);
}

#[test]
fn errors_throttling_and_what_is_given_up_are_counted() {
    let mut world = world(json!({ "RetryPolicy": { "MaximumRetryAttempts": 2 } }));
    world.create("q", &[]);
    world.operate(|core, _| core.begin_outage(&arn("q"), Outage::Throttled));
    world.pass(60);
    for metric in ["InvocationAttemptCount", "TargetErrorCount", "TargetErrorThrottledCount"] {
        assert_eq!(sum(&world, metric), Some(3.0), "{metric}");
    }
    assert_eq!(sum(&world, "InvocationDroppedCount"), Some(1.0));
}

#[test]
fn dead_letters_are_counted_and_so_are_those_that_nobody_took() {
    let mut world = world(json!({ "DeadLetterConfig": { "Arn": arn("dlq") } }));
    world.create("dlq", &[]);
    world.pass(60);
    assert_eq!(sum(&world, "InvocationsSentToDeadLetterCount"), Some(1.0));
    assert_eq!(sum(&world, "InvocationDroppedCount"), None, "no retry policy was used up");

    let target = json!({ "Target": { "DeadLetterConfig": { "Arn": arn("no") } } });
    let members = schedule("s2", "at(2027-01-15T08:01:30)", "q", target);
    world.scheduler("CreateSchedule", members).expect("created");
    world.pass(60);
    let failed = "InvocationsFailedToBeSentToDeadLetterCount";
    assert_eq!(sum(&world, failed), Some(1.0));
    let with_code = format!("{failed}_AWS.SimpleQueueService.NonExistentQueue");
    assert_eq!(sum(&world, &with_code), Some(1.0));
}
