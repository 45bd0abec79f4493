//! Semantics 1.5, 1.7, 1.13: what sending to a FIFO queue asks for, and what it swallows.

use serde_json::{Value, json};

use super::{World, bodies, text, value};
use crate::fact::Fact;
use crate::sqs::{parse, prepare_batch};

const GROUPS: &[(&str, &str)] = &[("DeduplicationScope", "messageGroup")];

fn message(body: &str, group: &str, dedup: Option<&str>) -> Value {
    json!({ "MessageBody": body, "MessageGroupId": group, "MessageDeduplicationId": dedup })
}

fn refused(world: &mut World, members: Value) -> (String, String) {
    let error = world.try_send("q.fifo", members).expect_err("refused");
    (error.query_code.into_owned(), error.message)
}

/// A queue that asks for deduplication ids.
fn explicit() -> World {
    let mut world = World::new();
    world.create("q.fifo", &[("FifoQueue", "true")]);
    world
}

#[test]
fn a_group_and_a_deduplication_id_are_required() {
    let mut world = explicit();
    assert_eq!(
        refused(&mut world, json!({ "MessageBody": "a", "MessageDeduplicationId": "d" })),
        ("MissingParameter".into(), "The request must contain the parameter MessageGroupId.".into())
    );
    assert_eq!(
        refused(&mut world, message("a", "g", None)),
        (
            "InvalidParameterValue".into(),
            "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly".into()
        )
    );
}

#[test]
fn ids_are_1_to_128_of_alphanumerics_and_punctuation() {
    let mut world = explicit();
    world.try_send("q.fifo", message("a", "g!~", Some(&"a".repeat(128)))).expect("sent");
    let long = "a".repeat(129);
    for id in ["", "group 123", long.as_str(), "\u{e9}"] {
        for (parameter, members) in [
            ("MessageDeduplicationId", message("a", "g", Some(id))),
            ("MessageGroupId", message("a", id, Some("d"))),
        ] {
            assert_eq!(
                refused(&mut world, members).1,
                format!(
                    "Value {id} for parameter {parameter} is invalid. Reason: {parameter} can only include alphanumeric \
                     and punctuation characters. 1 to 128 in length."
                )
            );
        }
    }
}

#[test]
fn a_duplicate_within_five_minutes_is_answered_like_its_first_copy_and_swallowed() {
    let mut world = explicit();
    let first = world.try_send("q.fifo", message("one", "g", Some("d"))).expect("sent");
    world.pass(299);
    let again = world.try_send("q.fifo", message("two", "g", Some("d"))).expect("it looks normal");
    assert_eq!(
        (&again["MessageId"], &again["SequenceNumber"]),
        (&first["MessageId"], &first["SequenceNumber"])
    );
    assert_ne!(again["MD5OfMessageBody"], first["MD5OfMessageBody"], "the sum is of what was sent");
    assert_eq!(world.depth("q.fifo"), (1, 0, 0));
    let id = text(&first["MessageId"]);
    assert_eq!(world.facts(), [Fact::Deduplicated { queue: "q.fifo".into(), message_id: id.into() }]);
    // The window is that of the first copy.
    world.pass(1);
    world.try_send("q.fifo", message("three", "g", Some("d"))).expect("sent");
    assert_eq!(world.depth("q.fifo"), (2, 0, 0));
}

#[test]
fn a_send_receive_delete_and_send_again_within_five_minutes_is_swallowed() {
    // elasticmq#354
    let mut world = World::fifo(&[]);
    world.send_in("g", &["same"]);
    let handle = world.one("q.fifo").handle;
    world.send_in("g", &["same"]);
    world.delete("q.fifo", &handle).expect("deleted");
    world.send_in("g", &["same"]);
    assert!(world.receive("q.fifo").is_empty());
}

#[test]
fn content_based_deduplication_looks_at_the_body_alone_and_an_explicit_id_wins() {
    let mut world = World::fifo(&[]);
    let attributes = json!({ "a": { "DataType": "String", "StringValue": "v" } });
    world.send_in("g", &["same"]);
    let members = json!({ "MessageBody": "same", "MessageGroupId": "g", "MessageAttributes": attributes });
    world.try_send("q.fifo", members).expect("swallowed");
    assert_eq!(world.depth("q.fifo"), (1, 0, 0));
    world.try_send("q.fifo", message("same", "g", Some("another"))).expect("sent");
    assert_eq!(world.depth("q.fifo"), (2, 0, 0));
    let all =
        world.answer("q.fifo", json!({ "MessageSystemAttributeNames": ["All"], "MaxNumberOfMessages": 2 }));
    let id = |index: usize| all["Messages"][index]["Attributes"]["MessageDeduplicationId"].clone();
    // SHA-256 of "same".
    assert_eq!(id(0), "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5");
    assert_eq!(id(1), "another");
}

#[test]
fn the_scope_is_the_queue_or_the_group() {
    let mut world = explicit();
    for group in ["g1", "g2"] {
        world.try_send("q.fifo", message("a", group, Some("d"))).expect("sent");
    }
    assert_eq!(world.depth("q.fifo"), (1, 0, 0));
    // It works without the high throughput that it belongs to.
    let mut world = World::fifo(GROUPS);
    for group in ["g1", "g2", "g2"] {
        world.send_in(group, &["a"]);
    }
    assert_eq!(world.depth("q.fifo"), (2, 0, 0));
}

#[test]
fn a_new_scope_holds_after_a_minute() {
    let mut world = World::fifo(&[]);
    world.send_in("g1", &["a"]);
    world.set("q.fifo", "DeduplicationScope", "messageGroup").expect("set");
    world.send_in("g2", &["a"]);
    assert_eq!(world.depth("q.fifo"), (1, 0, 0), "as it was seen on AWS right after the change");
    world.pass(60);
    world.send_in("g3", &["a"]);
    assert_eq!(world.depth("q.fifo"), (2, 0, 0));
}

#[test]
fn a_purge_clears_what_was_remembered() {
    let mut world = World::fifo(&[]);
    world.send_in("g", &["a"]);
    world.on("q.fifo", |core, now, id| core.purge_queue(now, id)).expect("purged");
    world.send_in("g", &["a"]);
    assert_eq!(bodies(&world.receive("q.fifo")), ["a"]);
}

#[test]
fn sequence_numbers_grow_and_a_standard_queue_has_none() {
    let mut world = World::fifo(&[]);
    let numbers: Vec<u128> = (0..3)
        .map(|n| {
            let sent = world.try_send("q.fifo", message(&n.to_string(), "g", None)).expect("sent");
            assert_eq!(text(&sent["SequenceNumber"]).len(), 20);
            text(&sent["SequenceNumber"]).parse().expect("a number")
        })
        .collect();
    assert!(numbers.is_sorted_by(|a, b| a + 1 < *b), "{numbers:?}");
    let received = world.answer("q.fifo", json!({ "AttributeNames": ["SequenceNumber", "MessageGroupId"] }));
    let attributes = &received["Messages"][0]["Attributes"];
    assert_eq!(attributes["SequenceNumber"], numbers[0].to_string());
    assert_eq!(attributes["MessageGroupId"], "g");
    world.create("q", &[]);
    let sent = world.try_send("q", json!({ "MessageBody": "a" })).expect("sent");
    assert!(sent.get("SequenceNumber").is_none());
}

#[test]
fn there_is_no_delay_of_a_messages_own_and_0_is_the_queues() {
    let mut world = World::fifo(&[("DelaySeconds", "2")]);
    let delayed =
        |seconds: u64| json!({ "MessageBody": "a", "MessageGroupId": "g", "DelaySeconds": seconds });
    assert_eq!(
        refused(&mut world, delayed(2)).1,
        "Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for \
         this queue type."
    );
    world.try_send("q.fifo", delayed(0)).expect("sent");
    assert_eq!(world.depth("q.fifo"), (0, 0, 1));
    world.pass(2);
    assert_eq!(bodies(&world.receive("q.fifo")), ["a"]);
}

#[test]
fn a_new_delay_of_the_queue_is_retroactive() {
    let mut world = World::fifo(&[("DelaySeconds", "10")]);
    world.send_in("received", &["r"]);
    world.pass(10);
    world.receive("q.fifo");
    world.send_in("g", &["a", "b"]);
    world.set("q.fifo", "DelaySeconds", "30").expect("set");
    world.pass(29);
    assert_eq!(world.depth("q.fifo"), (0, 1, 2));
    world.set("q.fifo", "DelaySeconds", "900").expect("set");
    world.pass(5);
    assert_eq!(world.depth("q.fifo"), (1, 0, 2), "what was received is not delayed anew");
    world.set("q.fifo", "DelaySeconds", "34").expect("set");
    assert_eq!(world.depth("q.fifo"), (3, 0, 0));
    world.set("q.fifo", "DelaySeconds", "60").expect("set");
    assert_eq!(world.depth("q.fifo"), (1, 0, 2));
}

#[test]
fn an_entry_without_group_or_deduplication_id_fails_the_whole_batch() {
    let mut world = explicit();
    let mut send = |entries: Value| {
        let entries = prepare_batch(parse(json!({ "Entries": entries })).expect("a batch")).expect("entries");
        let error = world.on("q.fifo", |core, now, id| core.send_message_batch(now, id, entries));
        let error = error.expect_err("refused as a whole");
        (error.query_code.into_owned(), error.message)
    };
    let good = json!({ "Id": "1", "MessageBody": "a", "MessageGroupId": "g", "MessageDeduplicationId": "d" });
    let no_dedup = json!({ "Id": "2", "MessageBody": "a", "MessageGroupId": "g" });
    let no_group = json!({ "Id": "2", "MessageBody": "a", "MessageDeduplicationId": "d" });
    assert_eq!(
        send(json!([good, no_dedup])),
        (
            "InvalidParameterValue".into(),
            "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly".into()
        )
    );
    assert_eq!(
        send(json!([good, no_group])),
        ("InvalidParameterValue".into(), "The request must contain the parameter MessageGroupId.".into())
    );
    assert_eq!(world.depth("q.fifo"), (0, 0, 0));
}

#[test]
fn an_entry_that_is_wrong_otherwise_fails_alone() {
    let mut world = World::fifo(&[("MaximumMessageSize", "1024")]);
    let entries = json!([
        { "Id": "good", "MessageBody": "a", "MessageGroupId": "g" },
        { "Id": "delay", "MessageBody": "b", "MessageGroupId": "g", "DelaySeconds": 5 },
        { "Id": "long", "MessageBody": "x".repeat(1_025), "MessageGroupId": "g" },
        { "Id": "group", "MessageBody": "c", "MessageGroupId": "g g" },
        { "Id": "empty", "MessageGroupId": "g" },
    ]);
    let entries = prepare_batch(parse(json!({ "Entries": entries })).expect("a batch")).expect("entries");
    let outcome = world.on("q.fifo", |core, now, id| core.send_message_batch(now, id, entries));
    let outcome = value(outcome.expect("a result"));
    assert_eq!(outcome["Successful"][0]["Id"], "good");
    let failed = outcome["Failed"].as_array().expect("failures");
    let failed: Vec<_> = failed.iter().filter_map(|failure| failure["Id"].as_str()).collect();
    assert_eq!(failed, ["delay", "long", "group", "empty"]);
    assert_eq!(world.depth("q.fifo"), (1, 0, 0));
}

#[test]
fn the_entries_of_a_batch_are_sent_in_order_and_deduplicated_among_themselves() {
    let mut world = World::fifo(&[]);
    let entry = |id: &str, body: &str| json!({ "Id": id, "MessageBody": body, "MessageGroupId": "g" });
    let entries = json!([entry("1", "a"), entry("2", "b"), entry("3", "a"), entry("4", "\u{0}")]);
    let entries = prepare_batch(parse(json!({ "Entries": entries })).expect("a batch")).expect("entries");
    let outcome = world.on("q.fifo", |core, now, id| core.send_message_batch(now, id, entries));
    let outcome = value(outcome.expect("a result"));
    assert_eq!(outcome["Successful"][2]["MessageId"], outcome["Successful"][0]["MessageId"]);
    assert_eq!(outcome["Failed"][0]["Code"], "InvalidMessageContents");
    assert_eq!(bodies(&world.receive("q.fifo")), ["a", "b"]);
}
