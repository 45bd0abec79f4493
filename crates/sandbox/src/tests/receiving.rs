//! Semantics 1.3, 1.4, 1.8.

use serde_json::json;

use super::{World, bodies, secs};
use crate::sqs::{Ask, IN_FLIGHT_LIMIT, Polled};

#[test]
fn messages_come_in_the_order_of_their_sends_where_nothing_interferes() {
    let mut world = World::new();
    world.create("q", &[]);
    for n in 0..25 {
        world.send("q", &n.to_string());
    }
    let mut received = Vec::new();
    for expected in [10, 10, 5, 0] {
        let messages = world.receive("q");
        assert_eq!(messages.len(), expected);
        received.extend(bodies(&messages).into_iter().map(str::to_owned));
    }
    assert_eq!(received, (0..25).map(|n| n.to_string()).collect::<Vec<_>>());
}

#[test]
fn a_returned_message_has_its_old_place_in_line() {
    let mut world = World::new();
    world.create("q", &[]);
    world.send("q", "a");
    let message = world.one("q");
    world.send("q", "b");
    world.change("q", &message.handle, 0).expect("changed");
    assert_eq!(bodies(&world.receive("q")), ["a", "b"]);
}

#[test]
fn limits_are_refused_with_their_texts() {
    let mut world = World::new();
    world.create("q", &[]);
    let mut error = |members| world.try_receive("q", members).expect_err("refused").message;
    assert_eq!(
        error(json!({ "MaxNumberOfMessages": 11 })),
        "Value 11 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided."
    );
    assert!(error(json!({ "MaxNumberOfMessages": 0 })).contains("MaxNumberOfMessages"));
    assert_eq!(
        error(json!({ "WaitTimeSeconds": 21 })),
        "Value 21 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided."
    );
    assert_eq!(error(json!({ "AttributeNames": ["Nonsense"] })), "Unknown Attribute Nonsense.");
}

#[test]
fn an_empty_result_has_no_messages_member() {
    let mut world = World::new();
    world.create("q", &[]);
    assert_eq!(world.answer("q", json!({})), json!({}));
}

#[test]
fn system_attributes_are_given_only_when_asked_for_and_as_strings() {
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "0")]);
    let trace = json!({ "AWSTraceHeader": { "DataType": "String", "StringValue": "Root=1-a" } });
    let message = json!({ "MessageBody": "a", "MessageGroupId": "g", "MessageSystemAttributes": trace });
    let sent = world.try_send("q", message).expect("sent");
    assert!(sent["MD5OfMessageSystemAttributes"].is_string());
    assert!(sent.get("MD5OfMessageAttributes").is_none());

    let plain = &world.answer("q", json!({}))["Messages"][0];
    assert!(plain.get("Attributes").is_none());
    world.pass(5);
    let all =
        &world.answer("q", json!({ "MessageSystemAttributeNames": ["All"] }))["Messages"][0]["Attributes"];
    assert_eq!(
        *all,
        json!({
            "SenderId": "AIDAHAVOQSANDBOXUSER",
            "SentTimestamp": "1800000000000",
            "ApproximateReceiveCount": "2",
            "ApproximateFirstReceiveTimestamp": "1800000000000",
            "MessageGroupId": "g",
            "AWSTraceHeader": "Root=1-a",
        })
    );
    let both = json!({ "AttributeNames": ["SenderId"], "MessageSystemAttributeNames": ["SentTimestamp"] });
    let union = &world.answer("q", both)["Messages"][0]["Attributes"];
    assert_eq!(union.as_object().map(serde_json::Map::len), Some(2));
}

#[test]
fn the_md5_of_attributes_covers_the_returned_subset() {
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "0")]);
    let attribute = |value: &str| json!({ "DataType": "String", "StringValue": value });
    let both = json!({ "a.x": attribute("1"), "b": attribute("2") });
    let sent = world.try_send("q", json!({ "MessageBody": "m", "MessageAttributes": both })).expect("sent");
    let one = json!({ "MessageBody": "m", "MessageAttributes": { "a.x": attribute("1") } });
    world.create("one", &[]);
    let sent_one = world.try_send("one", one).expect("sent");

    let mut given =
        |names| world.answer("q", json!({ "MessageAttributeNames": names }))["Messages"][0].clone();
    for names in [json!(["All"]), json!(["*"]), json!([".*"]), json!(["a.x", "b"])] {
        let message = given(names);
        assert_eq!(message["MD5OfMessageAttributes"], sent["MD5OfMessageAttributes"]);
        assert_eq!(message["MessageAttributes"], both);
    }
    let message = given(json!(["a.*"]));
    assert_eq!(message["MD5OfMessageAttributes"], sent_one["MD5OfMessageAttributes"]);
    assert_eq!(message["MessageAttributes"], json!({ "a.x": attribute("1") }));
    let message = given(json!([]));
    assert!(message.get("MD5OfMessageAttributes").is_none() && message.get("MessageAttributes").is_none());
}

#[test]
fn at_the_in_flight_limit_a_short_poll_is_an_error_and_a_long_one_just_waits() {
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "600")]);
    world.send("q", "x");
    let first = world.one("q");
    // Far more at once than a call could send or receive, or this would take its time.
    let id = world.id("q");
    let last = world.operate(|core, now| {
        for _ in 0..IN_FLIGHT_LIMIT {
            let message_id = core.new_message_id();
            core.store(now, id, message_id, first.content.clone(), None, secs(0)).expect("stored");
        }
        let ask = Ask { max: usize::MAX, visibility: None, attempt: None };
        match core.receive_message(now, id, ask, None) {
            Ok(Polled::Done(mut messages)) => messages.pop().expect("a message"),
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(world.depth("q"), (1, IN_FLIGHT_LIMIT, 0));
    let error = world.try_receive("q", json!({})).expect_err("refused");
    assert_eq!((&*error.query_code, error.status.as_u16()), ("OverLimit", 403));

    let Ok(Polled::Parked { mut answer, .. }) = world.poll("q", json!({ "WaitTimeSeconds": 20 })) else {
        panic!("a long poll is parked");
    };
    assert!(answer.try_recv().is_err());
    world.delete("q", &last.handle).expect("deleted");
    assert_eq!(answer.try_recv().expect("served").expect("messages").len(), 1);
}
