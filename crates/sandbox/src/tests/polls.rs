//! Long polls (semantics 1.4).

use serde_json::{Value, json};

use super::{World, bodies};
use crate::sqs::{Delivery, PollAnswer, PollId, Polled};
use tokio::sync::oneshot::Receiver;

fn park(world: &mut World, queue: &str, members: Value) -> (PollId, Receiver<PollAnswer>) {
    match world.poll(queue, members).expect("it is accepted") {
        Polled::Parked { id, answer, .. } => (id, answer),
        Polled::Done(messages) => panic!("answered with {messages:?}"),
    }
}

fn got(answer: &mut Receiver<PollAnswer>) -> Option<Vec<Delivery>> {
    answer.try_recv().ok().map(|answer| answer.expect("no error"))
}

fn world() -> World {
    let mut world = World::new();
    world.create("q", &[("ReceiveMessageWaitTimeSeconds", "20")]);
    world
}

#[test]
fn a_long_poll_ends_as_soon_as_one_message_is_there() {
    let mut world = world();
    let (_, mut answer) = park(&mut world, "q", json!({ "MaxNumberOfMessages": 10 }));
    assert!(got(&mut answer).is_none());
    world.send("q", "a");
    assert_eq!(bodies(&got(&mut answer).expect("answered")), ["a"]);
    assert_eq!(world.depth("q"), (0, 1, 0));
}

#[test]
fn a_wait_of_0_overrides_the_queues_own() {
    assert!(matches!(world().poll("q", json!({ "WaitTimeSeconds": 0 })), Ok(Polled::Done(_))));
}

#[test]
fn parked_polls_are_served_first_come_first_served() {
    let mut world = world();
    let (_, mut first) = park(&mut world, "q", json!({}));
    let (_, mut second) = park(&mut world, "q", json!({}));
    world.send("q", "a");
    assert!(got(&mut second).is_none());
    assert_eq!(bodies(&got(&mut first).expect("answered")), ["a"]);
    world.send("q", "b");
    assert_eq!(bodies(&got(&mut second).expect("answered")), ["b"]);
}

#[test]
fn the_end_of_a_visibility_timeout_or_a_delay_wakes_a_poll() {
    let mut world = world();
    world.send("q", "a");
    world.one("q");
    world.try_send("q", json!({ "MessageBody": "b", "DelaySeconds": 10 })).expect("sent");
    let (_, mut delayed) = park(&mut world, "q", json!({}));
    let (_, mut hidden) = park(&mut world, "q", json!({}));
    world.pass(10);
    assert_eq!(bodies(&got(&mut delayed).expect("answered")), ["b"]);
    world.pass(20);
    assert_eq!(bodies(&got(&mut hidden).expect("answered")), ["a"]);
}

#[test]
fn a_poll_that_is_taken_back_gets_nothing() {
    let mut world = world();
    let (poll, mut answer) = park(&mut world, "q", json!({}));
    assert!(world.operate(|core, _| core.unpark(poll, true)));
    assert!(!world.operate(|core, _| core.unpark(poll, true)));
    world.send("q", "a");
    assert!(got(&mut answer).is_none());
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn messages_given_to_a_caller_that_went_away_stay_in_flight() {
    let mut world = world();
    let (_, answer) = park(&mut world, "q", json!({}));
    drop(answer);
    world.send("q", "a");
    assert_eq!(world.depth("q"), (0, 1, 0));
    world.pass(30);
    assert_eq!(world.one("q").receives, 2);
}

#[test]
fn a_poll_of_a_deleted_queue_is_told_so() {
    let mut world = world();
    let (_, mut answer) = park(&mut world, "q", json!({}));
    world.on("q", |core, now, id| core.delete_queue(now, id)).expect("deleted");
    let error = answer.try_recv().expect("answered").expect_err("an error");
    assert_eq!(error.query_code, "AWS.SimpleQueueService.NonExistentQueue");
}
