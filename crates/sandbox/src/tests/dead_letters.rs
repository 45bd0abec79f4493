//! Semantics 1.9, 1.10.

use serde_json::json;

use super::{World, arn, bodies, policy};
use crate::fact::Fact;
use crate::sqs::Polled;

/// Receives it `times` times, each time until its timeout ends.
fn fail(world: &mut World, queue: &str, times: u32) {
    for _ in 0..times {
        world.one(queue);
        world.pass(30);
    }
}

#[test]
fn it_moves_at_the_receive_attempt_after_max_receive_count_is_used_up() {
    let mut world = World::with_dlq(5);
    let id = world.send("q", "poison");
    fail(&mut world, "q", 5);
    // No background mover: nothing happens without a receive.
    world.pass(3_600);
    assert_eq!((world.depth("q"), world.depth("dlq")), ((1, 0, 0), (0, 0, 0)));
    assert_eq!(world.facts(), []);
    assert!(world.receive("q").is_empty());
    assert_eq!((world.depth("q"), world.depth("dlq")), ((0, 0, 0), (1, 0, 0)));
    assert_eq!(
        world.facts(),
        [Fact::Moved { queue: "q".into(), to: "dlq".into(), message_id: id.into(), receives: 5 }]
    );
}

#[test]
fn it_keeps_its_id_and_content_its_count_goes_on_and_it_names_its_source() {
    let mut world = World::with_dlq(1);
    let attribute = json!({ "a": { "DataType": "String", "StringValue": "v" } });
    let sent =
        world.try_send("q", json!({ "MessageBody": "m", "MessageAttributes": attribute })).expect("sent");
    fail(&mut world, "q", 1);
    world.receive("q");
    let all = json!({ "MessageAttributeNames": ["All"], "MessageSystemAttributeNames": ["All"] });
    let message = &world.answer("dlq", all)["Messages"][0];
    assert_eq!(message["MessageId"], sent["MessageId"]);
    assert_eq!(message["MD5OfBody"], sent["MD5OfMessageBody"]);
    assert_eq!(message["MD5OfMessageAttributes"], sent["MD5OfMessageAttributes"]);
    assert_eq!(message["Attributes"]["ApproximateReceiveCount"], "2");
    assert_eq!(message["Attributes"]["DeadLetterQueueSourceArn"], arn("q"));
    assert_eq!(message["Attributes"]["SentTimestamp"], "1800000000000");
    assert_eq!(message["Attributes"]["ApproximateFirstReceiveTimestamp"], "1800000000000");
}

#[test]
fn one_that_moved_expires_before_what_was_sent_later_and_came_earlier() {
    let mut world = World::with_dlq(1);
    world.send("q", "old");
    world.pass(10);
    world.send("dlq", "own");
    fail(&mut world, "q", 1);
    world.receive("q");
    assert_eq!(world.depth("dlq"), (2, 0, 0));
    world.pass(4 * 86_400 - 40);
    assert_eq!(bodies(&world.receive("dlq")), ["own"]);
    world.pass(10);
    assert_eq!(world.depth("dlq"), (0, 0, 0));
}

#[test]
fn a_receive_that_moves_one_message_still_hands_out_the_next() {
    let mut world = World::with_dlq(1);
    world.send("q", "poison");
    fail(&mut world, "q", 1);
    world.send("q", "healthy");
    assert_eq!(bodies(&world.receive("q")), ["healthy"]);
    assert_eq!(world.depth("dlq"), (1, 0, 0));
}

#[test]
fn a_parked_poll_is_a_receive_attempt_and_stays_parked() {
    let mut world = World::with_dlq(1);
    world.send("q", "poison");
    world.one("q");
    let Ok(Polled::Parked { mut answer, .. }) = world.poll("q", json!({ "WaitTimeSeconds": 20 })) else {
        panic!("parked");
    };
    world.pass(30);
    assert_eq!(world.depth("dlq"), (1, 0, 0));
    assert!(answer.try_recv().is_err());
    world.send("q", "healthy");
    assert_eq!(bodies(&answer.try_recv().expect("answered").expect("messages")), ["healthy"]);
}

#[test]
fn a_poll_of_the_dead_letter_queue_is_woken_by_the_move() {
    let mut world = World::with_dlq(1);
    world.send("q", "poison");
    fail(&mut world, "q", 1);
    let Ok(Polled::Parked { mut answer, .. }) = world.poll("dlq", json!({ "WaitTimeSeconds": 20 })) else {
        panic!("parked");
    };
    world.receive("q");
    assert_eq!(bodies(&answer.try_recv().expect("answered").expect("messages")), ["poison"]);
}

#[test]
fn the_original_enqueue_time_is_kept_so_retention_counts_from_the_first_send() {
    let mut world = World::with_dlq(1);
    world.send("q", "poison");
    fail(&mut world, "q", 1);
    world.pass(86_400 - 30);
    world.receive("q");
    assert_eq!(world.depth("dlq"), (1, 0, 0));
    world.pass(3 * 86_400 - 1);
    assert_eq!(world.depth("dlq"), (1, 0, 0));
    world.pass(1);
    assert_eq!(world.depth("dlq"), (0, 0, 0));
}

#[test]
fn a_message_that_is_deleted_or_expires_before_that_attempt_never_moves() {
    let mut world = World::with_dlq(1);
    world.send("q", "a");
    let message = world.one("q");
    world.pass(30);
    world.delete("q", &message.handle).expect("deleted");
    world.send("q", "b");
    fail(&mut world, "q", 1);
    world.pass(4 * 86_400);
    world.receive("q");
    assert_eq!(world.depth("dlq"), (0, 0, 0));
}

#[test]
fn a_poison_pill_goes_to_the_back_only_with_more_than_3_receives_allowed() {
    for (allowed, order) in [(Some(4), ["later", "poison"]), (None, ["poison", "later"])] {
        let mut world = World::with_dlq(4);
        if allowed.is_none() {
            world.set("q", "RedrivePolicy", "").expect("set");
        }
        world.send("q", "poison");
        fail(&mut world, "q", 2);
        let third = world.one("q");
        world.send("q", "later");
        world.change("q", &third.handle, 0).expect("changed");
        assert_eq!(bodies(&world.receive("q")), order, "{allowed:?} receives allowed");
    }
}

#[test]
fn a_deleted_dead_letter_queue_destroys_no_message() {
    let mut world = World::with_dlq(1);
    world.send("q", "a");
    fail(&mut world, "q", 1);
    world.on("dlq", |core, now, id| core.delete_queue(now, id)).expect("deleted");
    assert_eq!(world.one("q").receives, 2);
    // One made anew under its name takes it.
    world.pass(60);
    world.create("dlq", &[]);
    assert!(world.receive("q").is_empty());
    assert_eq!(world.depth("dlq"), (1, 0, 0));
}

#[test]
fn dead_letter_queues_can_be_chained_and_even_a_circle_ends() {
    let mut world = World::with_dlq(1);
    world.create("last", &[("RedrivePolicy", &policy("q", 1))]);
    world.set("dlq", "RedrivePolicy", &policy("last", 1)).expect("set");
    let id = world.send("q", "a");
    fail(&mut world, "q", 1);
    let polls: Vec<_> =
        ["dlq", "last"].map(|queue| world.poll(queue, json!({ "WaitTimeSeconds": 20 }))).into();
    assert!(world.receive("q").is_empty());
    // Received once already, so each of them passes it on, round to where it came from.
    assert_eq!(
        (world.depth("q"), world.depth("dlq"), world.depth("last")),
        ((1, 0, 0), (0, 0, 0), (0, 0, 0))
    );
    assert_eq!(world.facts().len(), 3);
    assert!(polls.iter().all(Result::is_ok));
    assert!(!id.is_empty());
}

#[test]
fn a_redrive_policy_needs_a_queue_that_exists_and_allows_it() {
    let mut world = World::new();
    let error = world.try_create("q", &[("RedrivePolicy", &policy("dlq", 1))]).expect_err("refused");
    assert_eq!(error.query_code, "InvalidParameterValue");
    assert!(error.message.ends_with("Reason: Dead letter target does not exist."), "{}", error.message);
    world.create("dlq", &[("RedriveAllowPolicy", r#"{"redrivePermission":"denyAll"}"#)]);
    world.try_create("q", &[("RedrivePolicy", &policy("dlq", 1))]).expect_err("refused");
    let by_queue = json!({ "redrivePermission": "byQueue", "sourceQueueArns": [arn("q")] }).to_string();
    world.set("dlq", "RedriveAllowPolicy", &by_queue).expect("set");
    world.create("q", &[("RedrivePolicy", &policy("dlq", 1))]);
}

#[test]
fn an_empty_redrive_policy_removes_it() {
    let mut world = World::with_dlq(1);
    world.set("q", "RedrivePolicy", "").expect("set");
    world.send("q", "a");
    fail(&mut world, "q", 3);
    assert_eq!(world.depth("dlq"), (0, 0, 0));
}

#[test]
fn a_dead_letter_queue_that_allows_it_no_more_takes_none_and_none_is_lost() {
    let mut world = World::with_dlq(1);
    world.send("q", "poison");
    fail(&mut world, "q", 1);
    world.set("dlq", "RedriveAllowPolicy", r#"{"redrivePermission":"denyAll"}"#).expect("set");
    fail(&mut world, "q", 3);
    assert_eq!((world.depth("q"), world.depth("dlq")), ((1, 0, 0), (0, 0, 0)));
    world.set("dlq", "RedriveAllowPolicy", "").expect("set");
    assert!(world.receive("q").is_empty());
    assert_eq!(world.depth("dlq"), (1, 0, 0));
}
