//! What went wrong in other stacks, as public reports tell it, done here as AWS does it.

use serde_json::json;

use super::{World, arn, policy};
use crate::fact::Fact;
use crate::sqs::parse;

const DAY: u64 = 86_400;

#[test]
fn without_a_poll_a_message_that_used_up_its_receives_stays_and_the_third_receive_moves_it() {
    // localstack#8234
    let mut world = World::with_dlq(2);
    world.send("q", "poison");
    for _ in 0..2 {
        world.one("q");
        world.pass(30);
    }
    world.pass(60);
    assert_eq!((world.depth("q"), world.depth("dlq")), ((1, 0, 0), (0, 0, 0)));
    assert!(world.receive("q").is_empty());
    assert_eq!((world.depth("q"), world.depth("dlq")), ((0, 0, 0), (1, 0, 0)));
}

#[test]
fn a_stale_handle_does_not_delete_while_another_consumer_holds_the_message() {
    // floci#902, fakecloud#2237: on a standard queue the call succeeds and the message stays.
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "30")]);
    world.send("q", "a");
    let stale = world.one("q").handle;
    world.pass(30);
    let held = world.one("q").handle;
    world.delete("q", &stale).expect("it is no error");
    assert_eq!(world.depth("q"), (0, 1, 0));
    world.delete("q", &held).expect("deleted");
    assert_eq!(world.depth("q"), (0, 0, 0));
}

#[test]
fn a_move_task_without_a_destination_sends_each_message_to_its_own_source_and_loses_none() {
    // floci#899, floci#900, moto#10265
    let mut world = World::with_dlq(1);
    world.create("r", &[("VisibilityTimeout", "30"), ("RedrivePolicy", &policy("dlq", 1))]);
    for queue in ["q", "r"] {
        world.send(queue, queue);
        world.one(queue);
        world.pass(30);
        assert!(world.receive(queue).is_empty());
    }
    let input = parse(json!({ "SourceArn": arn("dlq") })).expect("an input");
    world.operate(|core, now| core.start_message_move_task(now, input)).expect("started");
    world.pass(60);
    assert_eq!(world.depth("dlq"), (0, 0, 0), "nothing bounced back");
    for queue in ["q", "r"] {
        assert_eq!(world.one(queue).content.body, queue);
    }
}

#[test]
fn a_deleted_dead_letter_queue_destroys_no_message_of_its_source() {
    // fakecloud#1675
    let mut world = World::with_dlq(1);
    world.send("q", "poison");
    world.on("dlq", |core, now, id| core.delete_queue(now, id)).expect("deleted");
    for receives in 1..=3 {
        assert_eq!(world.one("q").receives, receives);
        world.pass(30);
    }
    world.pass(60);
    world.create("dlq", &[]);
    assert!(world.receive("q").is_empty());
    assert!(world.facts().iter().any(|fact| matches!(fact, Fact::Moved { receives: 3, .. })));
    assert_eq!(world.depth("dlq"), (1, 0, 0));
}

#[test]
fn a_day_in_the_source_leaves_three_of_four_in_a_standard_dead_letter_queue_and_four_in_a_fifo_one() {
    // The AWS page on retention.
    for (suffix, days_left) in [("", 3), (".fifo", 4)] {
        let (queue, dlq) = (format!("q{suffix}"), format!("dlq{suffix}"));
        let fifo = [("FifoQueue", "true"), ("ContentBasedDeduplication", "true")];
        let fifo = if suffix.is_empty() { &[][..] } else { &fifo };
        let mut world = World::new();
        let retention = (4 * DAY).to_string();
        world.create(&dlq, &[fifo, &[("MessageRetentionPeriod", &retention)]].concat());
        world.create(&queue, &[fifo, &[("RedrivePolicy", &policy(&dlq, 1))]].concat());
        let group = (!fifo.is_empty()).then_some("g");
        world.try_send(&queue, json!({ "MessageBody": "a", "MessageGroupId": group })).expect("sent");
        world.one(&queue);
        world.pass(DAY);
        assert!(world.receive(&queue).is_empty());
        world.pass(days_left * DAY - 1);
        assert_eq!(world.depth(&dlq), (1, 0, 0));
        world.pass(1);
        assert_eq!(world.depth(&dlq), (0, 0, 0));
    }
}
