//! The metrics of functions, by the minute.

use serde_json::{Value, json};

use super::{answer, raised};
use crate::cloudwatch::Stats;
use crate::place::Place;
use crate::tests::{World, arn};

/// What a metric of `f` came to in the minute that ends now.
fn sampled(world: &World, metric: &str) -> Option<Stats> {
    let (now, dimensions) = (world.now.as_secs(), &[("FunctionName", "f")]);
    world.core.cloudwatch.stats_of(Place::HOME, "AWS/Lambda", metric, dimensions, now - 60..now)
}

fn sum(world: &World, metric: &str) -> Option<f64> {
    sampled(world, metric).map(|stats| stats.sum)
}

fn world() -> World {
    let mut world = World::new();
    world.function("f", 60);
    world
}

#[test]
fn invocations_errors_durations_and_concurrency_are_sampled() {
    let mut world = world();
    world.call("f");
    world.call("f");
    let started = world.started();
    world.pass(2);
    world.end(&started[0], answer(Value::Null));
    world.pass(2);
    world.end(&started[1], raised());
    world.pass(56);
    assert_eq!((sum(&world, "Invocations"), sum(&world, "Errors")), (Some(2.0), Some(1.0)));
    assert_eq!(sum(&world, "Throttles"), Some(0.0));
    let durations = sampled(&world, "Duration").expect("durations");
    assert_eq!((durations.min, durations.max), (2_000.0, 4_000.0));
    assert_eq!(sampled(&world, "ConcurrentExecutions").map(|stats| stats.max), Some(2.0));
    world.pass(60);
    assert_eq!(sum(&world, "Invocations"), None, "a function that rests has no samples");
}

#[test]
fn throttles_are_no_invocations() {
    let mut world = world();
    let reserved = json!({ "FunctionName": "f", "ReservedConcurrentExecutions": 0 });
    world.lambda_ok("PutFunctionConcurrency", reserved);
    world.invoke(json!({ "FunctionName": "f" }), "{}").expect_err("it is throttled");
    world.pass(60);
    assert_eq!((sum(&world, "Throttles"), sum(&world, "Invocations")), (Some(1.0), Some(0.0)));
}

#[test]
fn events_are_counted_as_received_and_dropped_with_their_ages() {
    let mut world = world();
    let config = json!({ "FunctionName": "f", "MaximumRetryAttempts": 0 });
    world.lambda_ok("PutFunctionEventInvokeConfig", config);
    world.event("f", "{}");
    world.pass(1);
    world.end_next(raised());
    world.pass(59);
    assert_eq!(
        (sum(&world, "AsyncEventsReceived"), sum(&world, "AsyncEventsDropped")),
        (Some(1.0), Some(1.0))
    );
    assert_eq!(sum(&world, "AsyncEventAge"), Some(1_000.0));
    assert_eq!(sum(&world, "DeadLetterErrors"), None);
}

#[test]
fn what_dead_letters_and_destinations_did_not_take_is_counted() {
    let mut world = world();
    let dead_letters = json!({ "FunctionName": "f", "DeadLetterConfig": { "TargetArn": arn("gone") } });
    world.lambda_ok("UpdateFunctionConfiguration", dead_letters);
    let config = json!({
        "FunctionName": "f", "MaximumRetryAttempts": 0,
        "DestinationConfig": { "OnFailure": { "Destination": arn("gone") } },
    });
    world.lambda_ok("PutFunctionEventInvokeConfig", config);
    world.event("f", "{}");
    world.end_next(raised());
    world.pass(60);
    assert_eq!(sum(&world, "DeadLetterErrors"), Some(1.0));
    assert_eq!(sum(&world, "DestinationDeliveryFailures"), Some(1.0));
}
