//! EventBridge as clients reach it.

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackDuration, StackTime};
use havoq_wire::{Service, Upstream, decode_error};
use serde_json::{Value, json};

use super::{bus_arn, rule_arn};
use crate::shell::{Places, Sandbox, Settings};
use crate::targets::Outage;
use crate::tests::arn;

fn sandbox() -> (Sandbox, Clock) {
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_800_000_000), RunStart::now());
    let settings = Settings {
        clock: clock.clone(),
        seed: Seed(1),
        account: "123456789012".into(),
        region: "eu-central-1".into(),
        places: Places::One,
    };
    (Sandbox::new(settings, Box::new(|_, _| {})), clock)
}

/// The result, or the code and text of the error.
async fn call(sandbox: &Sandbox, operation: &str, members: Value) -> Result<Value, (String, String)> {
    let request = http::Request::post("/")
        .header("host", "h")
        .header("x-amz-target", format!("AWSEvents.{operation}"))
        .header("content-type", "application/x-amz-json-1.1");
    let request = request.body(Bytes::from(members.to_string())).expect("a valid request");
    let response = sandbox.forward(request).await.expect("an answer");
    match decode_error(&response) {
        Some(error) => Err(error),
        None => Ok(serde_json::from_slice(response.body()).unwrap_or_default()),
    }
}

#[tokio::test]
async fn each_operation_is_reached_by_its_name() {
    let (sandbox, _) = sandbox();
    let pattern = r#"{"source":["s"]}"#;
    let event =
        json!({ "id": "1", "source": "s", "detail-type": "t", "account": "1", "region": "r", "time": "x" });
    let permission = json!({ "StatementId": "s", "Action": "events:PutEvents", "Principal": "*" });
    let resource = json!({ "ResourceARN": rule_arn("r"), "Tags": [], "TagKeys": [] });
    for (operation, members) in [
        ("CreateEventBus", json!({ "Name": "b" })),
        ("UpdateEventBus", json!({ "Name": "b" })),
        ("DescribeEventBus", json!({ "Name": "b" })),
        ("ListEventBuses", json!({})),
        ("DeleteEventBus", json!({ "Name": "b" })),
        ("PutPermission", permission),
        ("RemovePermission", json!({ "StatementId": "s" })),
        ("PutRule", json!({ "Name": "r", "EventPattern": pattern })),
        ("DescribeRule", json!({ "Name": "r" })),
        ("DisableRule", json!({ "Name": "r" })),
        ("EnableRule", json!({ "Name": "r" })),
        ("ListRules", json!({})),
        ("ListRuleNamesByTarget", json!({ "TargetArn": arn("q") })),
        ("TagResource", resource.clone()),
        ("UntagResource", resource.clone()),
        ("ListTagsForResource", resource),
        ("PutTargets", json!({ "Rule": "r", "Targets": [{ "Id": "t", "Arn": arn("q") }] })),
        ("ListTargetsByRule", json!({ "Rule": "r" })),
        ("RemoveTargets", json!({ "Rule": "r", "Ids": ["t"] })),
        ("TestEventPattern", json!({ "EventPattern": pattern, "Event": event.to_string() })),
        ("PutEvents", json!({ "Entries": [super::entry("default", json!({}))] })),
        ("DeleteRule", json!({ "Name": "r" })),
    ] {
        let answer = call(&sandbox, operation, members).await;
        assert!(answer.is_ok(), "{operation}: {answer:?}");
    }
    let refused = |operation| call(&sandbox, operation, json!({}));
    let (code, text) = refused("CreateConnection").await.expect_err("refused");
    assert_eq!(
        (&*code, &*text),
        ("NotImplementedException", "CreateConnection is not implemented in havoq's sandbox yet",)
    );
    assert!(refused("PutNothing").await.is_err());
}

#[tokio::test]
async fn a_validation_error_is_one_for_clients() {
    let (sandbox, _) = sandbox();
    let refused = call(&sandbox, "PutRule", json!({ "Name": "r" })).await.expect_err("refused");
    let text = "Parameter(s) EventPattern or ScheduleExpression must be specified.";
    assert_eq!(refused, ("ValidationException".to_owned(), text.to_owned()));
    let refused = call(&sandbox, "DescribeEventBus", json!({ "Name": "b" })).await.expect_err("refused");
    assert_eq!(refused.0, "ResourceNotFoundException");
}

/// havoq itself drills an outage of 24 h so.
#[tokio::test]
async fn an_outage_of_a_bus_lasts_until_it_is_ended() {
    let (sandbox, clock) = sandbox();
    let target = bus_arn("b");
    let role = "arn:aws:iam::123456789012:role/r";
    for (operation, members) in [
        ("CreateEventBus", json!({ "Name": "b" })),
        ("PutRule", json!({ "Name": "r", "EventPattern": r#"{"source":["s"]}"# })),
        ("PutTargets", json!({ "Rule": "r", "Targets": [{ "Id": "t", "Arn": target, "RoleArn": role }] })),
    ] {
        sandbox.call(Service::EventBridge, operation, &members).await.expect(operation);
    }
    sandbox.set_outage(&target, Some(Outage::Unavailable));
    let entries = json!({ "Entries": [super::entry("default", json!({}))] });
    sandbox.call(Service::EventBridge, "PutEvents", &entries).await.expect("taken");
    sandbox.freeze().jump_to(clock.now() + StackDuration::from_secs(23 * 3_600));
    assert!(sandbox.freeze().next_delivery_timer().is_some());
    sandbox.set_outage(&target, None);
    sandbox.freeze().jump_to(clock.now() + StackDuration::from_secs(3_600));
    assert_eq!(sandbox.freeze().next_delivery_timer(), None);
}
