//! Semantics 1.10, 1.11: dead letters and their redrive between FIFO queues.

use serde_json::json;

use super::{World, arn, bodies, policy, text};
use crate::fact::Fact;
use crate::sqs::parse;

fn world(max_receive_count: u32) -> World {
    let mut world = World::new();
    world.create_fifo("dlq.fifo", &[("MessageRetentionPeriod", "1000")]);
    world.create_fifo(
        "q.fifo",
        &[
            ("VisibilityTimeout", "30"),
            ("MessageRetentionPeriod", "500"),
            ("RedrivePolicy", &policy("dlq.fifo", max_receive_count)),
        ],
    );
    world
}

fn fail(world: &mut World, times: u32) {
    for _ in 0..times {
        world.receive("q.fifo");
        world.pass(30);
    }
}

#[test]
fn it_moves_at_the_attempt_after_the_last_and_its_group_works_on() {
    let mut world = world(2);
    let sent =
        world.try_send("q.fifo", json!({ "MessageBody": "foobar", "MessageGroupId": "1" })).expect("sent");
    fail(&mut world, 2);
    assert!(world.receive("q.fifo").is_empty());
    let message = world.one("dlq.fifo");
    assert_eq!((message.id.as_str(), message.receives), (text(&sent["MessageId"]).as_str(), 3));
    world.send_in("1", &["foobar2"]);
    assert_eq!(bodies(&world.receive("q.fifo")), ["foobar2"]);
}

#[test]
fn the_failing_message_blocks_its_group_until_it_is_dead_lettered() {
    let mut world = world(1);
    world.send_in("g", &["poison", "next"]);
    world.send_in("h", &["other"]);
    let members = json!({ "MaxNumberOfMessages": 1 });
    assert_eq!(bodies(&world.try_receive("q.fifo", members).expect("received")), ["poison"]);
    assert_eq!(bodies(&world.receive("q.fifo")), ["other"]);
    world.pass(30);
    // The attempt that moves it hands out what it blocked.
    let got = world.receive("q.fifo");
    assert_eq!(bodies(&got), ["next"]);
    assert_eq!(world.depth("dlq.fifo"), (2, 0, 0), "other too had used up its one receive");
}

#[test]
fn its_own_id_is_its_deduplication_id_there_and_its_time_begins_anew() {
    let mut world = world(1);
    // Two messages with one deduplication id, six minutes apart.
    for _ in 0..2 {
        world.send_in("g", &["same"]);
        fail(&mut world, 1);
        world.receive("q.fifo");
        world.pass(330);
    }
    assert_eq!(world.depth("dlq.fifo"), (2, 0, 0));
    let members = json!({ "MessageSystemAttributeNames": ["All"], "MaxNumberOfMessages": 2 });
    let answer = world.answer("dlq.fifo", members);
    for message in answer["Messages"].as_array().expect("messages") {
        assert_eq!(message["Attributes"]["MessageDeduplicationId"], message["MessageId"]);
        assert_eq!(message["Attributes"]["DeadLetterQueueSourceArn"], arn("q.fifo"));
    }
    assert_eq!(answer["Messages"][0]["Attributes"]["SentTimestamp"], "1800000030000");
}

#[test]
fn retention_restarts_at_the_move() {
    // The AWS page on retention, for FIFO queues: the whole retention of the dead-letter queue.
    let mut world = world(1);
    world.send_in("g", &["a"]);
    world.pass(400);
    fail(&mut world, 1);
    world.receive("q.fifo");
    world.pass(999);
    assert_eq!(world.depth("dlq.fifo"), (1, 0, 0));
    world.pass(1);
    assert_eq!(world.depth("dlq.fifo"), (0, 0, 0));
}

#[test]
fn a_fifo_queue_is_never_reordered_for_poison() {
    let mut world = world(10);
    world.send_in("g", &["poison", "next"]);
    for _ in 0..5 {
        assert_eq!(bodies(&world.receive("q.fifo")), ["poison", "next"]);
        world.pass(30);
    }
}

#[test]
fn a_redrive_makes_new_messages_that_are_not_swallowed_and_keep_their_group() {
    let mut world = world(1);
    let sent = world.try_send("q.fifo", json!({ "MessageBody": "a", "MessageGroupId": "g" })).expect("sent");
    fail(&mut world, 1);
    world.receive("q.fifo");
    let input = parse(json!({ "SourceArn": arn("dlq.fifo") })).expect("an input");
    world.operate(|core, now| core.start_message_move_task(now, input)).expect("started");
    world.pass(1);
    let message = world.one("q.fifo");
    assert_eq!((message.content.group_id.as_deref(), message.receives), (Some("g"), 1));
    assert_ne!(message.id.as_str(), text(&sent["MessageId"]));
    assert!(world.facts().iter().any(|fact| matches!(fact, Fact::Redriven { to, .. } if to == "q.fifo")));
}
