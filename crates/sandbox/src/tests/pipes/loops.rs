//! Pipes that lead back to where they began: they go round, and the sandbox goes on.

use serde_json::{Value, json};

use super::{World, world};
use crate::tests::arn;
use crate::tests::lambda::raised;

fn bodies() -> Value {
    json!({ "TargetParameters": { "InputTemplate": "<$.body>" } })
}

/// A loop that has begun holds its message, and goes on when the pipe has rested.
fn goes_round_and_rests(mut world: World) {
    for _ in 0..3 {
        assert!(world.outcomes().len() >= 100);
        assert_eq!(world.depth("q"), (1, 0, 0));
        world.pass(1);
    }
}

#[test]
fn a_pipe_from_a_queue_to_itself_rests_now_and_then() {
    let mut world = world();
    world.pipe(&arn("q"), bodies());
    world.send("q", "a");
    goes_round_and_rests(world);
}

#[test]
fn a_pipe_that_gets_its_messages_back_from_a_topic_rests_too() {
    let mut world = world();
    let topic = world.topic("t", json!({}));
    world.allow("q", "*");
    world.subscribe(&topic, "q", json!({ "RawMessageDelivery": "true" }));
    world.pipe(&topic, bodies());
    world.send("q", "a");
    world.pass(0);
    goes_round_and_rests(world);
}

#[test]
fn a_message_that_comes_back_to_a_queue_while_it_is_served_is_received_a_moment_later() {
    let mut world = World::with_dlq(1);
    world.function("f", 10);
    world.map("q", "f", json!({}));
    let mut members = bodies();
    members["Source"] = json!(arn("dlq"));
    world.pipe(&arn("q"), members);
    let first = world.send("q", "a");
    assert_eq!(world.end_next(raised()).message_ids(), [first]);
    // The mapping's receive sends it to the dead-letter queue, and the pipe sends it back.
    world.pass(31);
    let again = world.started_one();
    assert_eq!(again.event()["Records"][0]["body"], "a");
}
