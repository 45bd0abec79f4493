//! The kinds of targets, and whose permission each needs (semantics 3.4).

use serde_json::{Value, json};

use super::world;
use crate::targets::Outage;
use crate::tests::lambda::{function_arn, raised};
use crate::tests::sns::topic_arn;
use crate::tests::{World, arn};

const ROLE: &str = "arn:aws:iam::123456789012:role/r";
const STRANGER: &str = "arn:aws:iam::222222222222:role/r";

fn to_topic(more: Value) -> World {
    let mut world = World::new();
    world.queue("q");
    world.rule_queue("dlq");
    let topic = world.topic("t", json!({}));
    world.subscribe(&topic, "q", json!({ "RawMessageDelivery": "true" }));
    world.rule("default", "r");
    let target = json!({ "Id": "t", "Arn": topic, "DeadLetterConfig": { "Arn": arn("dlq") } });
    world.target("default", "r", super::with(target, more));
    world
}

fn let_publish(world: &mut World, principal: Value) {
    let policy = json!({
        "Statement": [{
            "Effect": "Allow", "Principal": principal, "Action": "sns:Publish", "Resource": topic_arn("t"),
        }],
    });
    let set = json!({
        "TopicArn": topic_arn("t"), "AttributeName": "Policy", "AttributeValue": policy.to_string(),
    });
    world.sns_ok("SetTopicAttributes", set);
}

#[test]
fn a_topic_gets_the_event_as_its_message() {
    let mut world = to_topic(json!({}));
    let_publish(&mut world, json!({ "Service": "events.amazonaws.com" }));
    let id = world.put("default", json!({ "a": 1 }));
    assert_eq!(world.documents("q")[0]["id"], id);
}

#[test]
fn the_default_policy_of_a_topic_does_not_let_rules_publish() {
    let mut world = to_topic(json!({}));
    world.put("default", json!({}));
    assert_eq!(world.dead_letter()["ERROR_CODE"], "NO_PERMISSIONS");
    let_publish(&mut world, json!({ "Service": "s3.amazonaws.com" }));
    world.put("default", json!({}));
    assert_eq!((world.depth("q"), world.depth("dlq")), ((0, 0, 0), (1, 1, 0)));
}

#[test]
fn a_missing_topic_is_a_missing_resource() {
    let mut world = to_topic(json!({}));
    world.sns_ok("DeleteTopic", json!({ "TopicArn": topic_arn("t") }));
    world.put("default", json!({}));
    assert_eq!(world.dead_letter()["ERROR_CODE"], "NO_RESOURCE");
}

#[test]
fn a_role_of_the_account_calls_targets_without_a_policy_and_not_against_one() {
    let mut world = world(json!({ "RoleArn": ROLE }));
    world.set("q", "Policy", "").expect("taken away");
    world.put("default", json!({}));
    assert_eq!(world.depth("q"), (1, 0, 0));
    let deny = json!({
        "Statement": [{ "Effect": "Deny", "Principal": "*", "Action": "sqs:*", "Resource": arn("q") }],
    });
    world.set("q", "Policy", &deny.to_string()).expect("a policy");
    world.put("default", json!({}));
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_role_of_another_account_needs_a_policy_that_lets_its_account() {
    let mut world = to_topic(json!({ "RoleArn": STRANGER }));
    world.put("default", json!({}));
    assert_eq!(world.depth("dlq"), (1, 0, 0));
    let_publish(&mut world, json!({ "AWS": "222222222222" }));
    world.put("default", json!({}));
    assert_eq!((world.depth("q"), world.depth("dlq")), ((1, 0, 0), (1, 0, 0)));
}

fn to_fifo(attributes: &[(&str, &str)]) -> World {
    let mut world = World::new();
    let mut all = vec![("FifoQueue", "true")];
    all.extend(attributes);
    world.create("q.fifo", &all);
    world.let_rules("q.fifo", "*");
    world.rule_queue("dlq");
    world.rule("default", "r");
    let target = json!({
        "Id": "t",
        "Arn": arn("q.fifo"),
        "SqsParameters": { "MessageGroupId": "g" },
        "DeadLetterConfig": { "Arn": arn("dlq") },
        "InputPath": "$.detail",
    });
    world.target("default", "r", target);
    world
}

#[test]
fn a_fifo_queue_deduplicates_by_content() {
    let mut world = to_fifo(&[("ContentBasedDeduplication", "true")]);
    for n in [1, 1, 2] {
        world.put("default", json!({ "n": n }));
    }
    assert_eq!(world.depth("q.fifo"), (2, 0, 0));
    let message = &world.receive("q.fifo")[0];
    assert_eq!(message.content.group_id.as_deref(), Some("g"));
}

#[test]
fn a_fifo_queue_without_content_based_deduplication_takes_no_event() {
    let mut world = to_fifo(&[]);
    world.put("default", json!({}));
    assert_eq!(world.dead_letter()["ERROR_CODE"], "INVALID_PARAMETER");
}

#[test]
fn a_standard_queue_can_have_message_groups_too() {
    let mut world = world(json!({ "SqsParameters": { "MessageGroupId": "g" } }));
    world.put("default", json!({}));
    assert_eq!(world.one("q").content.group_id.as_deref(), Some("g"));
}

/// The rule `r` with the function `f` as its target.
fn to_function(more: Value) -> World {
    let function = json!({ "Arn": function_arn("f"), "DeadLetterConfig": { "Arn": arn("dlq") } });
    let mut world = world(super::with(function, more));
    world.rule_queue("dlq");
    world
}

fn permit(world: &mut World, rule: &str) {
    let permission = json!({
        "FunctionName": "f", "StatementId": "events", "Action": "lambda:InvokeFunction",
        "Principal": "events.amazonaws.com", "SourceArn": rule,
    });
    world.lambda_ok("AddPermission", permission);
}

#[test]
fn a_function_that_does_not_exist_is_a_missing_resource() {
    let mut world = to_function(json!({}));
    world.put("default", json!({}));
    assert_eq!(world.dead_letter()["ERROR_CODE"], "NO_RESOURCE");
}

#[test]
fn a_function_must_let_the_rule_invoke_it() {
    let mut world = to_function(json!({}));
    world.function("f", 3);
    permit(&mut world, "arn:aws:events:eu-central-1:123456789012:rule/other");
    world.put("default", json!({}));
    assert!(world.started().is_empty());
    assert_eq!(world.dead_letter()["ERROR_CODE"], "NO_PERMISSIONS");
}

#[test]
fn a_role_of_the_account_invokes_a_function_without_its_permission() {
    let mut world = to_function(json!({ "RoleArn": ROLE }));
    world.function("f", 3);
    world.put("default", json!({}));
    assert_eq!(world.started().len(), 1);
}

/// Once Lambda has taken the event, its own retries and destinations are all there is (semantics 3.4).
#[test]
fn what_a_function_makes_of_an_event_is_none_of_the_rule_s_business() {
    let mut world = to_function(json!({}));
    world.function("f", 3);
    permit(&mut world, super::DEFAULT_RULE);
    let id = world.put("default", json!({ "a": 1 }));
    let started = world.end_next(raised());
    assert_eq!((&started.event()["id"], &started.event()["detail"]), (&json!(id), &json!({ "a": 1 })));
    world.pass(60);
    world.end_next(raised());
    world.pass(120);
    world.end_next(raised());
    world.pass(24 * 3_600);
    assert_eq!((world.started().len(), world.depth("dlq")), (0, (0, 0, 0)));
    assert_eq!(world.rule_sum("SuccessfulInvocationAttempts"), 1.0);
    assert_eq!(world.rule_sum("FailedInvocations"), 0.0);
}

#[test]
fn a_function_that_is_out_gets_the_event_when_it_is_back() {
    let mut world = to_function(json!({}));
    world.function("f", 3);
    permit(&mut world, super::DEFAULT_RULE);
    let function = function_arn("f");
    world.operate(|core, _| core.begin_outage(&function, Outage::Unavailable));
    world.put("default", json!({}));
    world.pass(3_600);
    assert!(world.started().is_empty());
    world.operate(|core, now| core.end_outage(now, &function));
    // It has 3 s then, so one has to look in time.
    let is_started = (0..13 * 60).any(|_| {
        world.pass(1);
        !world.started().is_empty()
    });
    assert!(is_started);
}

#[test]
fn a_trace_header_goes_on_to_queues() {
    let mut world = world(json!({}));
    let mut traced = super::entry("default", json!({}));
    traced["TraceHeader"] = json!("Root=1-5759e988-bd862e3fe1be46a994272793");
    world.events_ok("PutEvents", json!({ "Entries": [traced] }));
    world.pass(0);
    let header = world.one("q").content.trace_header.clone();
    assert_eq!(header.as_deref(), Some("Root=1-5759e988-bd862e3fe1be46a994272793"));
}
