//! Semantics 1.4: ReceiveRequestAttemptId.

use serde_json::json;

use super::{World, bodies};
use crate::sqs::Delivery;

fn world() -> World {
    let mut world = World::fifo(&[("VisibilityTimeout", "100")]);
    world.send_in("g", &["a", "b", "c"]);
    world.send_in("h", &["x"]);
    world
}

fn attempt(world: &mut World, id: &str) -> Vec<Delivery> {
    let members = json!({ "MaxNumberOfMessages": 2, "ReceiveRequestAttemptId": id });
    world.try_receive("q.fifo", members).expect("it is answered")
}

fn handles(messages: &[Delivery]) -> Vec<&str> {
    messages.iter().map(|message| message.handle.as_str()).collect()
}

#[test]
fn a_repeat_gives_the_same_messages_and_handles_and_restarts_their_timeout() {
    let mut world = world();
    let first = attempt(&mut world, "id");
    world.pass(60);
    let again = attempt(&mut world, "id");
    assert_eq!((bodies(&again), handles(&again)), (vec!["a", "b"], handles(&first)));
    assert_eq!(again[0].receives, 1);
    world.pass(99);
    assert_eq!(world.depth("q.fifo"), (2, 2, 0));
    assert_eq!(bodies(&world.receive("q.fifo")), ["x"], "their groups give nothing else meanwhile");
    world.delete("q.fifo", &first[0].handle).expect("the handle is good");
    world.pass(1);
    assert_eq!(world.depth("q.fifo"), (2, 1, 0));
}

#[test]
fn another_id_or_none_is_another_receive() {
    let mut world = world();
    attempt(&mut world, "id");
    assert_eq!(bodies(&attempt(&mut world, "other")), ["x"]);
}

#[test]
fn it_is_good_for_five_minutes_from_the_first_attempt() {
    let mut world = world();
    let first = attempt(&mut world, "id");
    for _ in 0..4 {
        world.pass(74);
        assert_eq!(handles(&attempt(&mut world, "id")), handles(&first));
    }
    world.pass(4);
    assert_eq!(bodies(&attempt(&mut world, "id")), ["x"]);
}

#[test]
fn it_is_void_once_one_was_deleted_changed_or_became_visible() {
    let void: [fn(&mut World, &str); 4] = [
        |world, handle| world.delete("q.fifo", handle).expect("deleted"),
        |world, handle| world.change("q.fifo", handle, 50).expect("changed"),
        |world, handle| world.change("q.fifo", handle, 100).expect("changed"),
        |world, _| world.pass(100),
    ];
    for void in void {
        let mut world = world();
        let first = attempt(&mut world, "id");
        void(&mut world, &first[0].handle);
        let again = attempt(&mut world, "id");
        assert!(handles(&again).iter().all(|handle| !handles(&first).contains(handle)));
        assert!(!again.is_empty());
        // The new receive is what the id stands for from now on.
        assert_eq!(handles(&attempt(&mut world, "id")), handles(&again));
    }
}

#[test]
fn a_receive_without_messages_is_nothing_to_repeat() {
    let mut world = World::fifo(&[]);
    assert!(attempt(&mut world, "id").is_empty());
    world.send_in("g", &["a"]);
    assert_eq!(bodies(&attempt(&mut world, "id")), ["a"]);
}

#[test]
fn it_is_at_most_128_characters_long_and_for_fifo_queues_alone() {
    let mut world = World::fifo(&[]);
    for id in ["a".repeat(129), "a b".into(), String::new()] {
        let error =
            world.try_receive("q.fifo", json!({ "ReceiveRequestAttemptId": id })).expect_err("refused");
        assert_eq!(error.query_code, "InvalidParameterValue");
    }
    world.create("q", &[]);
    let error = world.try_receive("q", json!({ "ReceiveRequestAttemptId": "id" })).expect_err("refused");
    assert_eq!(
        error.message,
        "The request include parameter ReceiveRequestAttemptId which is not valid for this queue type"
    );
}
