//! Semantics 1.13: in which order a FIFO queue hands out, and what its locks hold back. The cases
//! are those that were run against AWS.

use serde_json::json;

use super::{World, bodies};
use crate::sqs::{Delivery, Polled};

fn take(world: &mut World, max: usize) -> Vec<Delivery> {
    world.try_receive("q.fifo", json!({ "MaxNumberOfMessages": max })).expect("it is answered")
}

fn peek(world: &mut World, max: usize) -> Vec<String> {
    let members = json!({ "MaxNumberOfMessages": max, "VisibilityTimeout": 0 });
    let messages = world.try_receive("q.fifo", members).expect("it is answered");
    messages.into_iter().map(|message| message.content.body.clone()).collect()
}

#[test]
fn a_receive_takes_as_many_of_a_group_as_it_can_then_fills_from_others() {
    let mut world = World::fifo(&[]);
    world.send_in("1", &["g1-m1"]);
    world.send_in("2", &["g2-m1"]);
    world.send_in("1", &["g1-m2", "g1-m3"]);
    assert_eq!(bodies(&take(&mut world, 10)), ["g1-m1", "g1-m2", "g1-m3", "g2-m1"]);
}

#[test]
fn a_released_group_enters_again_at_the_back() {
    let mut world = World::fifo(&[]);
    world.send_in("1", &["g1-m1"]);
    world.send_in("2", &["g2-m1", "g2-m2"]);
    world.send_in("3", &["g3-m1"]);
    world.send_in("1", &["g1-m2"]);
    assert_eq!(peek(&mut world, 3), ["g1-m1", "g1-m2", "g2-m1"]);
    assert_eq!(peek(&mut world, 10), ["g3-m1", "g1-m1", "g1-m2", "g2-m1", "g2-m2"]);
}

#[test]
fn groups_whose_timeouts_end_enter_again_in_that_order() {
    let mut world = World::fifo(&[("VisibilityTimeout", "1")]);
    world.send_in("1", &["g1-m1", "g1-m2", "g1-m3", "g1-m4"]);
    world.send_in("2", &["g2-m1"]);
    world.send_in("3", &["g3-m1"]);
    assert_eq!(bodies(&take(&mut world, 2)), ["g1-m1", "g1-m2"]);
    assert_eq!(bodies(&take(&mut world, 1)), ["g2-m1"]);
    world.pass(2);
    assert_eq!(peek(&mut world, 10), ["g3-m1", "g1-m1", "g1-m2", "g1-m3", "g1-m4", "g2-m1"]);
}

#[test]
fn messages_come_again_in_order_after_their_timeout() {
    let mut world = World::fifo(&[("VisibilityTimeout", "1")]);
    world.send_in("1", &["m0", "m1", "m2"]);
    for _ in 0..3 {
        assert_eq!(bodies(&take(&mut world, 10)), ["m0", "m1", "m2"]);
        world.pass(1);
    }
}

#[test]
fn a_receive_locks_its_groups_and_no_others() {
    let mut world = World::fifo(&[]);
    world.send_in("1", &["g1-m1", "g1-m2"]);
    world.send_in("2", &["g2-m1"]);
    assert_eq!(bodies(&take(&mut world, 1)), ["g1-m1"]);
    world.send_in("1", &["g1-m3"]);
    assert_eq!(bodies(&take(&mut world, 10)), ["g2-m1"], "sending more unlocks nothing");
    assert_eq!(world.depth("q.fifo"), (2, 2, 0), "what is locked out counts as visible");
}

#[test]
fn the_group_is_free_at_once_when_all_that_was_held_is_deleted() {
    let mut world = World::fifo(&[]);
    world.send_in("1", &["g1-m1"]);
    world.send_in("2", &["g2-m1"]);
    world.send_in("1", &["g1-m2"]);
    world.send_in("2", &["g2-m2"]);
    world.send_in("1", &["g1-m2", "g1-m3", "g1-m4"]);
    world.send_in("3", &["g3-m1"]);
    for message in take(&mut world, 2) {
        world.delete("q.fifo", &message.handle).expect("deleted");
    }
    assert_eq!(bodies(&take(&mut world, 10)), ["g2-m1", "g2-m2", "g1-m3", "g1-m4", "g3-m1"]);
}

#[test]
fn the_group_stays_locked_when_only_some_are_deleted() {
    let mut world = World::fifo(&[]);
    world.send_in("1", &["g1-m1", "g1-m2", "g1-m3"]);
    world.send_in("2", &["g2-m1"]);
    let held = take(&mut world, 2);
    world.delete("q.fifo", &held[0].handle).expect("deleted");
    assert_eq!(bodies(&take(&mut world, 10)), ["g2-m1"]);
    world.delete("q.fifo", &held[1].handle).expect("deleted");
    assert_eq!(bodies(&take(&mut world, 10)), ["g1-m3"]);
}

#[test]
fn an_early_message_comes_back_while_a_later_one_is_still_held() {
    let mut world = World::fifo(&[]);
    world.send_in("1", &["g1-m1", "g1-m2"]);
    world.send_in("2", &["g2-m1"]);
    let held = take(&mut world, 2);
    world.change("q.fifo", &held[0].handle, 0).expect("changed");
    assert_eq!(bodies(&take(&mut world, 3)), ["g2-m1", "g1-m1"]);
}

#[test]
fn nothing_after_an_extended_message_comes_back_and_all_before_it_does() {
    for (extended, back) in [(0, &[][..]), (1, &["foo"]), (2, &["foo", "bar"])] {
        let mut world = World::fifo(&[("VisibilityTimeout", "1")]);
        world.send_in("1", &["foo", "bar", "baz"]);
        let held = take(&mut world, 5);
        world.change("q.fifo", &held[extended].handle, 4).expect("changed");
        world.pass(2);
        assert_eq!(bodies(&take(&mut world, 5)), back, "{extended} extended");
    }
}

#[test]
fn a_deleted_lock_wakes_a_long_poll_and_an_emptied_group_works_on() {
    let mut world = World::fifo(&[]);
    world.send_in("1", &["m1", "m2"]);
    let held = take(&mut world, 1);
    let polled = world.poll("q.fifo", json!({ "WaitTimeSeconds": 10 })).expect("parked");
    let Polled::Parked { mut answer, .. } = polled else { panic!("m2 is locked out") };
    assert!(answer.try_recv().is_err());
    world.delete("q.fifo", &held[0].handle).expect("deleted");
    let messages = answer.try_recv().expect("answered").expect("messages");
    assert_eq!(bodies(&messages), ["m2"]);
    world.delete("q.fifo", &messages[0].handle).expect("deleted");
    assert!(take(&mut world, 1).is_empty());
    world.send_in("1", &["m3"]);
    assert_eq!(bodies(&take(&mut world, 1)), ["m3"]);
}

#[test]
fn a_group_id_on_a_standard_queue_gives_no_order_and_no_lock() {
    let mut world = World::new();
    world.create("q", &[]);
    for body in ["a", "b"] {
        world.try_send("q", json!({ "MessageBody": body, "MessageGroupId": "g" })).expect("sent");
    }
    assert_eq!(world.try_receive("q", json!({})).expect("received").len(), 1);
    let message = &world.answer("q", json!({ "AttributeNames": ["All"] }))["Messages"][0];
    assert_eq!(message["Attributes"]["MessageGroupId"], "g");
    assert!(message["Attributes"].get("SequenceNumber").is_none());
}

#[test]
fn receives_among_10_000_groups_find_the_next_one() {
    let mut world = World::fifo(&[]);
    for group in 0..10_000 {
        world.send_in(&group.to_string(), &[&format!("{group}-1"), &format!("{group}-2")]);
    }
    for group in 0..10_000 {
        let message = take(&mut world, 1).remove(0);
        assert_eq!(message.content.body, format!("{group}-1"));
    }
    assert!(take(&mut world, 1).is_empty());
}
