//! Asynchronous invocation (semantics 5.6).

use serde_json::{Value, json};

use super::{answer, raised};
use crate::fact::Fact;
use crate::sqs::parse;
use crate::tests::{World, arn, text};

/// `f` with a standard queue `dlq` at hand.
fn world() -> World {
    let mut world = World::new();
    world.create("dlq", &[]);
    world.function("f", 60);
    world
}

fn dead_letters(world: &mut World) {
    let config = json!({ "FunctionName": "f", "DeadLetterConfig": { "TargetArn": arn("dlq") } });
    world.lambda_ok("UpdateFunctionConfiguration", config);
}

fn configure(world: &mut World, mut members: Value) {
    members["FunctionName"] = json!("f");
    world.lambda_ok("PutFunctionEventInvokeConfig", members);
}

fn on_failure() -> Value {
    json!({ "DestinationConfig": { "OnFailure": { "Destination": arn("dlq") } } })
}

fn record(world: &mut World) -> Value {
    serde_json::from_str(&world.one("dlq").content.body).expect("JSON")
}

fn conditions(world: &World) -> Vec<&'static str> {
    let facts = world.facts().into_iter();
    let ends = facts.filter_map(|fact| match fact {
        Fact::EventGivenUp { condition, .. } => Some(condition),
        _ => None,
    });
    ends.collect()
}

/// What was not handed over, and why.
fn lost(world: &World) -> Option<(String, String)> {
    world.facts().into_iter().find_map(|fact| match fact {
        Fact::EventNotHandedOver { to, reason, .. } => Some((to, reason)),
        _ => None,
    })
}

#[test]
fn a_function_error_is_tried_again_after_1_minute_and_after_2_more() {
    let mut world = world();
    world.event("f", r#"{"n": 1}"#);
    let first = world.end_next(raised());
    world.pass(59);
    assert!(world.started().is_empty());
    world.pass(1);
    let second = world.end_next(raised());
    assert_eq!(second.invocation.request_id, first.invocation.request_id, "a retry keeps its id");
    world.pass(119);
    assert!(world.started().is_empty());
    world.pass(1);
    assert_eq!(world.end_next(raised()).event(), json!({ "n": 1 }));
    assert_eq!(conditions(&world), ["RetriesExhausted"]);
    world.pass(21_600);
    assert!(world.started().is_empty());
}

#[test]
fn maximum_retry_attempts_says_how_often() {
    let mut world = world();
    configure(&mut world, json!({ "MaximumRetryAttempts": 0 }));
    world.event("f", "{}");
    world.end_next(raised());
    assert_eq!(conditions(&world), ["RetriesExhausted"]);
}

#[test]
fn an_event_is_given_up_when_its_next_attempt_would_come_too_late() {
    let mut world = world();
    let mut config = on_failure();
    config["MaximumEventAgeInSeconds"] = json!(60);
    configure(&mut world, config);
    world.event("f", "{}");
    world.end_next(raised());
    let record = record(&mut world);
    assert_eq!(record["requestContext"]["condition"], "EventAgeExceeded");
    assert_eq!(record["requestContext"]["approximateInvokeCount"], 1);
}

#[test]
fn a_throttled_event_backs_off_from_1_s_to_5_min_for_up_to_6_hours() {
    let mut world = world();
    dead_letters(&mut world);
    world.lambda_ok("UpdateFunctionConfiguration", json!({ "FunctionName": "f", "Timeout": 900 }));
    let reserved = json!({ "FunctionName": "f", "ReservedConcurrentExecutions": 1 });
    world.lambda_ok("PutFunctionConcurrency", reserved);
    world.call("f");
    let mut blocker = world.started_one();
    let accepted = world.now;
    world.event("f", r#"{"late": true}"#);
    let mut facts = Vec::new();
    while world.depth("dlq").0 == 0 {
        world.pass(850);
        assert!(world.started().is_empty());
        // Whenever the function is free, somebody else is quicker.
        world.end(&blocker, answer(Value::Null));
        world.call("f");
        blocker = world.started_one();
        facts.extend(world.facts());
    }
    let nexts: Vec<_> = facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::EventRetried { next, reason, .. } if reason == "throttled" => Some(*next),
            _ => None,
        })
        .collect();
    let before = std::iter::once(accepted).chain(nexts.iter().copied());
    let waits: Vec<_> = nexts.iter().zip(before).map(|(next, before)| next.since(before).as_secs()).collect();
    assert_eq!(waits[..10], [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
    assert!(waits[10..].iter().all(|wait| *wait == 300));
    let last = nexts.last().expect("there are some").since(accepted).as_secs();
    assert!((21_300..21_600).contains(&last), "{last}");
    let received = world.answer("dlq", json!({ "MessageAttributeNames": ["All"] }));
    assert_eq!(received["Messages"][0]["Body"], r#"{"late": true}"#);
    assert_eq!(received["Messages"][0]["MessageAttributes"]["ErrorCode"]["StringValue"], "429");
}

#[test]
fn with_reserved_concurrency_0_there_is_no_attempt_at_all() {
    let mut world = world();
    configure(&mut world, on_failure());
    world.lambda_ok(
        "PutFunctionConcurrency",
        json!({ "FunctionName": "f", "ReservedConcurrentExecutions": 0 }),
    );
    world.event("f", r#"{"n": 1}"#);
    assert!(world.started().is_empty());
    let record = record(&mut world);
    assert_eq!(record["requestContext"]["condition"], "ZeroReservedConcurrency");
    assert_eq!(record["requestContext"]["approximateInvokeCount"], 0);
    assert_eq!(record["requestPayload"], json!({ "n": 1 }));
    assert!(record.get("responsePayload").is_none());
}

#[test]
fn a_dead_letter_is_the_original_event_with_what_went_wrong_as_attributes() {
    let mut world = world();
    dead_letters(&mut world);
    configure(&mut world, json!({ "MaximumRetryAttempts": 0 }));
    world.event("f", r#"{"n": 1}"#);
    let request_id = world.end_next(raised()).invocation.request_id;
    let received = world.answer("dlq", json!({ "MessageAttributeNames": ["All"] }));
    let message = &received["Messages"][0];
    assert_eq!(message["Body"], r#"{"n": 1}"#);
    assert_eq!(
        message["MessageAttributes"],
        json!({
            "ErrorCode": { "DataType": "Number", "StringValue": "200" },
            "ErrorMessage": { "DataType": "String", "StringValue": "no" },
            "RequestID": { "DataType": "String", "StringValue": request_id },
        })
    );
}

#[test]
fn a_dead_letter_s_error_message_has_its_first_kilobyte() {
    let mut world = world();
    dead_letters(&mut world);
    configure(&mut world, json!({ "MaximumRetryAttempts": 0 }));
    world.event("f", "{}");
    let payload = json!({ "errorType": "E", "errorMessage": "ü".repeat(1_000) }).to_string();
    world.end_next(havoq_lambda::Returned::FunctionError { error_type: None, payload: payload.into() });
    let received = world.answer("dlq", json!({ "MessageAttributeNames": ["All"] }));
    let message = text(&received["Messages"][0]["MessageAttributes"]["ErrorMessage"]["StringValue"]);
    assert_eq!(message.len(), 1_024);
}

#[test]
fn a_topic_takes_dead_letters_too() {
    let mut world = world();
    let topic = world.topic("dead", json!({}));
    world.queue("q");
    world.subscribe(&topic, "q", json!({}));
    let config = json!({ "FunctionName": "f", "DeadLetterConfig": { "TargetArn": topic } });
    world.lambda_ok("UpdateFunctionConfiguration", config);
    configure(&mut world, json!({ "MaximumRetryAttempts": 0 }));
    world.event("f", r#"{"n": 1}"#);
    world.end_next(raised());
    world.pass(0);
    let envelope = &world.envelopes("q")[0];
    assert_eq!(envelope["Message"], r#"{"n": 1}"#);
    assert_eq!(envelope["MessageAttributes"]["ErrorCode"], json!({ "Type": "Number", "Value": "200" }));
}

#[test]
fn a_destination_gets_a_record_of_a_failure() {
    let mut world = world();
    configure(&mut world, on_failure());
    world.event("f", r#"{"n": 1}"#);
    let request_id = world.end_next(raised()).invocation.request_id;
    world.pass(60);
    world.end_next(raised());
    world.pass(120);
    world.end_next(raised());
    let mut record = record(&mut world);
    assert!(text(&record["timestamp"].take()).ends_with('Z'));
    assert_eq!(
        record,
        json!({
            "version": "1.0",
            "timestamp": null,
            "requestContext": {
                "requestId": request_id,
                "functionArn": format!("{}:$LATEST", super::function_arn("f")),
                "condition": "RetriesExhausted",
                "approximateInvokeCount": 3,
            },
            "requestPayload": { "n": 1 },
            "responseContext": { "statusCode": 200, "executedVersion": "$LATEST", "functionError": "Unhandled" },
            "responsePayload": { "errorType": "ValueError", "errorMessage": "no" },
        })
    );
}

#[test]
fn a_destination_gets_a_record_of_a_success() {
    let mut world = world();
    configure(&mut world, json!({ "DestinationConfig": { "OnSuccess": { "Destination": arn("dlq") } } }));
    world.event("f", "{}");
    world.end_next(answer(json!({ "done": true })));
    let record = record(&mut world);
    assert_eq!(record["requestContext"]["condition"], "Success");
    assert_eq!(record["requestContext"]["approximateInvokeCount"], 1);
    assert_eq!(record["responseContext"], json!({ "statusCode": 200, "executedVersion": "$LATEST" }));
    assert_eq!(record["responsePayload"], json!({ "done": true }));
}

#[test]
fn a_destination_can_be_another_function() {
    let mut world = world();
    world.function("g", 3);
    configure(
        &mut world,
        json!({ "DestinationConfig": { "OnSuccess": { "Destination": super::function_arn("g") } } }),
    );
    world.event("f", "{}");
    world.end_next(answer(json!(1)));
    world.pass(0);
    let started = world.started_one();
    assert_eq!(started.invocation.function.name, "g");
    assert_eq!(started.event()["responsePayload"], 1);
}

#[test]
fn a_destination_of_another_account_must_let_the_function_s_role() {
    let mut world = world();
    let other = world.core.places.at("111111111111", "eu-central-1");
    let members = json!({
        "FunctionName": "g", "Role": super::ROLE, "Runtime": "python3.13", "Handler": "h.h",
        "Code": { "ZipFile": super::ZIP },
    });
    let (input, settings) = (parse(members.clone()).expect("input"), parse(members).expect("settings"));
    world.operate(|core, now| core.create_function(now, other, input, settings)).expect("created");
    let to = "arn:aws:lambda:eu-central-1:111111111111:function:g";
    configure(&mut world, json!({ "DestinationConfig": { "OnSuccess": { "Destination": to } } }));
    world.event("f", "{}");
    world.end_next(answer(json!(1)));
    world.pass(0);
    assert!(world.started().is_empty());
    assert_eq!(lost(&world), Some((to.to_owned(), "the function's policy does not allow it".to_owned())));
}

#[test]
fn a_destination_can_be_a_bus() {
    let mut world = world();
    let bus = "arn:aws:events:eu-central-1:123456789012:event-bus/default";
    configure(&mut world, json!({ "DestinationConfig": { "OnSuccess": { "Destination": bus } } }));
    world.event("f", "{}");
    world.end_next(answer(json!(1)));
    let facts = world.facts();
    assert!(facts.iter().any(|fact| matches!(fact, Fact::Unmatched { channel, .. } if channel == "default")));
    assert!(facts.iter().any(|fact| matches!(fact, Fact::EventHandedOver { to, .. } if to == bus)));
}

#[test]
fn what_nobody_took_is_lost_and_says_why() {
    let mut world = world();
    let gone = json!({ "FunctionName": "f", "DeadLetterConfig": { "TargetArn": arn("gone") } });
    world.lambda_ok("UpdateFunctionConfiguration", gone);
    configure(&mut world, json!({ "MaximumRetryAttempts": 0 }));
    world.event("f", "{}");
    world.end_next(raised());
    assert_eq!(lost(&world), Some((arn("gone"), "the queue does not exist".to_owned())));
}

#[test]
fn an_event_of_a_deleted_function_is_dropped() {
    let mut world = world();
    world.event("f", "{}");
    world.end_next(raised());
    world.lambda_ok("DeleteFunction", json!({ "FunctionName": "f" }));
    world.pass(600);
    assert!(world.started().is_empty());
    assert_eq!(conditions(&world), ["FunctionDeleted"]);
}
