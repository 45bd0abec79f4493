//! Semantics 1.7.

use serde_json::{Value, json};

use super::{World, value};
use crate::sqs::{Batch, parse, prepare_batch};

fn send(world: &mut World, entries: Value) -> Result<Value, havoq_wire::ServiceError> {
    let entries = prepare_batch(parse(json!({ "Entries": entries }))?)?;
    world.on("q", |core, now, id| core.send_message_batch(now, id, entries)).map(value)
}

fn world() -> World {
    let mut world = World::new();
    world.create("q", &[("MaximumMessageSize", "1024")]);
    world
}

#[test]
fn each_entry_succeeds_or_fails_by_itself() {
    let mut world = world();
    let entries = json!([
        { "Id": "good", "MessageBody": "a" },
        { "Id": "long", "MessageBody": "x".repeat(1025) },
        { "Id": "bad", "MessageBody": "\u{0}" },
    ]);
    let outcome = send(&mut world, entries).expect("a result");
    assert_eq!(outcome["Successful"][0]["Id"], "good");
    assert!(outcome["Successful"][0]["MessageId"].is_string());
    let failed = &outcome["Failed"];
    assert_eq!((&failed[0]["Id"], &failed[0]["Code"]), (&json!("long"), &json!("InvalidParameterValue")));
    assert_eq!((&failed[1]["Id"], &failed[1]["Code"]), (&json!("bad"), &json!("InvalidMessageContents")));
    assert_eq!(failed[0]["SenderFault"], true);
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_list_without_entries_is_absent() {
    let outcome = send(&mut world(), json!([{ "Id": "a", "MessageBody": "a" }])).expect("a result");
    assert!(outcome.get("Failed").is_none());
}

#[test]
fn all_entries_together_are_at_most_1_mib() {
    let half = |id: &str, length: usize| json!({ "Id": id, "MessageBody": "x".repeat(length) });
    let error = send(&mut world(), json!([half("a", 524_288), half("b", 524_289)])).expect_err("refused");
    assert_eq!(error.query_code, "AWS.SimpleQueueService.BatchRequestTooLong");
    assert_eq!(
        error.message,
        "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes."
    );
}

#[test]
fn deletes_and_changes_fail_per_entry() {
    let mut world = world();
    world.send("q", "a");
    let handle = world.one("q").handle;
    let entries = json!([
        { "Id": "ok", "ReceiptHandle": handle, "VisibilityTimeout": 60 },
        { "Id": "bad", "ReceiptHandle": "x", "VisibilityTimeout": 60 },
    ]);
    let batch: Batch<_> = parse(json!({ "Entries": entries })).expect("a batch");
    let changes = batch.entries("entry").expect("entries");
    let changed = world.on("q", |core, now, id| Ok(core.change_message_visibility_batch(now, id, changes)));
    let batch: Batch<_> = parse(json!({ "Entries": entries })).expect("a batch");
    let deletes = batch.entries("entry").expect("entries");
    let deleted = world.on("q", |core, now, id| Ok(core.delete_message_batch(now, id, deletes)));
    for outcome in [value(changed.expect("a result")), value(deleted.expect("a result"))] {
        assert_eq!(outcome["Successful"], json!([{ "Id": "ok" }]));
        assert_eq!(outcome["Failed"][0]["Code"], "ReceiptHandleIsInvalid");
        assert_eq!(outcome["Failed"][0]["SenderFault"], true);
    }
    assert_eq!(world.depth("q"), (0, 0, 0));
}

#[test]
fn entries_are_told_what_they_lack_and_what_is_too_long() {
    let mut world = world();
    let outcome = send(
        &mut world,
        json!([
            { "Id": "a", "MessageBody": "x".repeat(1025) },
            { "Id": "b" },
            { "Id": "c", "MessageBody": "a", "MessageDeduplicationId": "d" },
        ]),
    );
    let outcome = outcome.expect("a result");
    let texts: Vec<_> = (0..3).map(|index| outcome["Failed"][index]["Message"].clone()).collect();
    assert_eq!(
        texts,
        [
            "One or more parameters cannot be validated. Reason: Message must be shorter than 1024 bytes.",
            "The request must contain the parameter SendMessageBatchRequestEntry.2.MessageBody.",
            "The request include parameter MessageDeduplicationId which is not valid for this queue type",
        ]
    );
}
