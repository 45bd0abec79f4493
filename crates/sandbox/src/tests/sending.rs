//! Semantics 1.6, 1.8: what a message may be.

use std::collections::BTreeMap;

use havoq_wire::ServiceError;
use serde_json::{Value, json};

use super::World;

fn send(attributes: &[(&str, &str)], members: Value) -> Result<Value, ServiceError> {
    let mut world = World::new();
    world.create("q", attributes);
    world.try_send("q", members)
}

fn refused(members: Value) -> (String, String) {
    let error = send(&[], members).expect_err("refused");
    (error.query_code.into_owned(), error.message)
}

#[test]
fn an_empty_or_absent_body_is_a_missing_parameter() {
    for members in [json!({}), json!({ "MessageBody": "" })] {
        let (code, message) = refused(members);
        assert_eq!(code, "MissingParameter");
        assert_eq!(message, "The request must contain the parameter MessageBody.");
    }
}

#[test]
fn a_body_of_1_mib_is_the_longest() {
    send(&[], json!({ "MessageBody": "x".repeat(1_048_576) })).expect("sent");
    let (code, message) = refused(json!({ "MessageBody": "x".repeat(1_048_577) }));
    assert_eq!(code, "InvalidParameterValue");
    assert_eq!(
        message,
        "One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes."
    );
}

#[test]
fn the_size_counts_names_types_and_values_but_not_the_trace_header() {
    let attribute = json!({ "DataType": "String", "StringValue": "v" });
    let trace = json!({ "AWSTraceHeader": { "DataType": "String", "StringValue": "long".repeat(100) } });
    let message = |body: usize| {
        json!({
            "MessageBody": "x".repeat(body),
            "MessageAttributes": { "n": attribute },
            "MessageSystemAttributes": trace,
        })
    };
    // 1 for the name, 6 for the type, 1 for the value.
    send(&[("MaximumMessageSize", "1024")], message(1016)).expect("sent");
    send(&[("MaximumMessageSize", "1024")], message(1017)).expect_err("refused");
}

#[test]
fn illegal_characters_are_invalid_message_contents() {
    for character in ['\u{0}', '\u{B}', '\u{1F}', '\u{FFFE}', '\u{FFFF}'] {
        let error = send(&[], json!({ "MessageBody": format!("a{character}b") })).expect_err("refused");
        assert_eq!((&*error.query_code, error.status.as_u16()), ("InvalidMessageContents", 400));
    }
    send(&[], json!({ "MessageBody": "\t\n\r \u{D7FF}\u{E000}\u{FFFD}\u{10FFFF}" })).expect("sent");
}

#[test]
fn attributes_are_at_most_10_with_legal_names_types_and_values() {
    let ok = || json!({ "DataType": "String", "StringValue": "v" });
    let with = |attributes: Value| json!({ "MessageBody": "a", "MessageAttributes": attributes });
    let many: BTreeMap<_, _> = (0..11).map(|n| (format!("n{n}"), ok())).collect();
    assert!(refused(with(json!(many))).1.contains("[11]"));
    let long = "x".repeat(257);
    for name in ["AWS.x", "amazon.x", ".x", "x.", "x..y", "x y", "\u{e9}", "\u{663}", "", &long] {
        assert_eq!(refused(with(json!({ name: ok() }))).0, "InvalidParameterValue", "{name:?}");
    }
    assert_eq!(
        refused(with(json!({ "X": { "DataType": "String", "StringValue": "" } }))).1,
        "Message (user) attribute 'X' must contain a non-empty value of type 'String'."
    );
    for bad in [
        json!({ "DataType": "Date", "StringValue": "v" }),
        json!({ "DataType": "Number", "StringValue": "seven" }),
        json!({ "DataType": "Number", "StringValue": " 7" }),
        json!({ "DataType": "Number", "StringValue": "1".repeat(39) }),
        json!({ "DataType": "Number", "StringValue": "2e126" }),
        json!({ "DataType": "Number", "StringValue": "-2e128" }),
        json!({ "DataType": "Number", "StringValue": "NaN" }),
        json!({ "DataType": "String.", "StringValue": "v" }),
        json!({ "DataType": "Binary", "BinaryValue": "***" }),
        json!({ "DataType": "Binary", "StringValue": "v" }),
        json!({ "StringValue": "v" }),
    ] {
        send(&[], with(json!({ "X": bad }))).expect_err("refused");
    }
    for good in [
        json!({ "DataType": "Number.int", "StringValue": "7" }),
        json!({ "DataType": "Number", "StringValue": format!("-0.0{}00", "1".repeat(38)) }),
        json!({ "DataType": "Number", "StringValue": "1e126" }),
        json!({ "DataType": "Binary", "BinaryValue": "AAEC" }),
    ] {
        send(&[], with(json!({ "X": good }))).expect("sent");
    }
}

#[test]
fn the_trace_header_is_a_string() {
    for data_type in ["Number", "String.x"] {
        let header = json!({ "AWSTraceHeader": { "DataType": data_type, "StringValue": "1" } });
        assert_eq!(
            refused(json!({ "MessageBody": "a", "MessageSystemAttributes": header })).1,
            "Message system attribute 'AWSTraceHeader' must be of type 'String'."
        );
    }
}

#[test]
fn what_belongs_to_fifo_queues_is_refused_and_a_group_id_is_checked() {
    let (code, message) = refused(json!({ "MessageBody": "a", "MessageDeduplicationId": "d" }));
    assert_eq!(code, "InvalidParameterValue");
    assert!(message.contains("MessageDeduplicationId"));
    assert_eq!(
        refused(json!({ "MessageBody": "a", "MessageGroupId": "a b" })).1,
        "Value a b for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and \
         punctuation characters. 1 to 128 in length."
    );
}

#[test]
fn the_answer_has_the_md5_of_the_body() {
    let sent = send(&[], json!({ "MessageBody": "hello world" })).expect("sent");
    assert_eq!(sent["MD5OfMessageBody"], "5eb63bbbe01eeed093cb22bb8f5acdc3");
}
