//! Semantics 1.1-1.3, 9: handles and visibility in FIFO queues.

use serde_json::json;

use super::{World, bodies, secs, value};
use crate::sqs::{Ask, Batch, IN_FLIGHT_LIMIT, parse};

fn world() -> World {
    let mut world = World::fifo(&[("VisibilityTimeout", "10")]);
    world.send_in("g", &["a"]);
    world
}

#[test]
fn an_expired_handle_does_not_delete() {
    let mut world = world();
    let handle = world.one("q.fifo").handle;
    world.pass(10);
    let expired = |world: &mut World| {
        let error = world.delete("q.fifo", &handle).expect_err("refused");
        assert_eq!((&*error.query_code, error.status.as_u16()), ("InvalidParameterValue", 400));
        assert_eq!(
            error.message,
            format!(
                "Value {handle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired."
            )
        );
    };
    expired(&mut world);
    assert_eq!(world.depth("q.fifo"), (1, 0, 0));
    world.one("q.fifo");
    expired(&mut world);
    assert_eq!(world.depth("q.fifo"), (0, 1, 0));
}

#[test]
fn in_a_batch_an_expired_handle_has_a_code_and_a_text_of_its_own() {
    let mut world = world();
    let handle = world.one("q.fifo").handle;
    world.pass(10);
    let batch: Batch<_> =
        parse(json!({ "Entries": [{ "Id": "1", "ReceiptHandle": handle }] })).expect("a batch");
    let entries = batch.entries("DeleteMessageBatchRequestEntry").expect("entries");
    let outcome = world.on("q.fifo", |core, now, id| Ok(core.delete_message_batch(now, id, entries)));
    assert_eq!(
        value(outcome.expect("a result"))["Failed"],
        json!([{
            "Id": "1",
            "SenderFault": true,
            "Code": "ReceiptHandleIsInvalid",
            "Message": "The receipt handle has expired",
        }])
    );
}

#[test]
fn after_a_receive_without_a_timeout_the_handle_has_expired_at_once() {
    let mut world = world();
    let messages = world.try_receive("q.fifo", json!({ "VisibilityTimeout": 0 })).expect("received");
    world.delete("q.fifo", &messages[0].handle).expect_err("refused");
}

#[test]
fn an_extended_handle_deletes_past_the_first_timeout_and_again() {
    let mut world = world();
    let handle = world.one("q.fifo").handle;
    world.change("q.fifo", &handle, 20).expect("changed");
    world.pass(15);
    world.delete("q.fifo", &handle).expect("deleted");
    world.delete("q.fifo", &handle).expect("what is gone is gone");
}

#[test]
fn a_change_with_an_expired_handle_is_refused() {
    // Not documented; the choice is that of `change_message_visibility`.
    let mut world = world();
    let handle = world.one("q.fifo").handle;
    world.pass(10);
    let error = world.change("q.fifo", &handle, 20).expect_err("refused");
    assert_eq!(
        error.message,
        format!(
            "Value {handle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for \
             visibility timeout change."
        )
    );
}

#[test]
fn retention_expires_what_is_in_flight_and_frees_its_group() {
    let mut world = World::fifo(&[("MessageRetentionPeriod", "60"), ("VisibilityTimeout", "300")]);
    world.send_in("g", &["old"]);
    let handle = world.one("q.fifo").handle;
    world.pass(30);
    world.send_in("g", &["young"]);
    assert!(world.receive("q.fifo").is_empty());
    world.pass(30);
    assert_eq!(bodies(&world.receive("q.fifo")), ["young"]);
    world.delete("q.fifo", &handle).expect("it is no error");
}

#[test]
fn at_the_limit_in_flight_a_fifo_queue_says_nothing() {
    let mut world = World::fifo(&[]);
    world.send_in("g", &["first"]);
    let first = world.one("q.fifo");
    world
        .on("q.fifo", |core, now, id| {
            for _ in 0..IN_FLIGHT_LIMIT {
                let message_id = core.new_message_id();
                core.store(now, id, message_id, first.content.clone(), None, secs(0))?;
            }
            core.delete_message(now, id, parse(json!({ "ReceiptHandle": first.handle }))?)?;
            let ask = Ask { max: usize::MAX, visibility: None, attempt: None };
            core.receive_message(now, id, ask, None)
        })
        .expect("received");
    world.send_in("other", &["more"]);
    assert_eq!(world.depth("q.fifo"), (1, IN_FLIGHT_LIMIT, 0));
    assert!(world.try_receive("q.fifo", json!({})).expect("no error").is_empty());
}
