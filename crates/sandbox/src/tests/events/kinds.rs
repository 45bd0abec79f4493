//! The kinds of targets, and whose permission each needs (semantics 3.4).

use serde_json::{Value, json};

use super::world;
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
    let id = world.put_event("default", json!({ "a": 1 }));
    assert_eq!(world.documents("q")[0]["id"], id);
}

#[test]
fn the_default_policy_of_a_topic_does_not_let_rules_publish() {
    let mut world = to_topic(json!({}));
    world.put_event("default", json!({}));
    assert_eq!(world.dead_letter()["ERROR_CODE"], "NO_PERMISSIONS");
    let_publish(&mut world, json!({ "Service": "s3.amazonaws.com" }));
    world.put_event("default", json!({}));
    assert_eq!((world.depth("q"), world.depth("dlq")), ((0, 0, 0), (1, 1, 0)));
}

#[test]
fn a_missing_topic_is_a_missing_resource() {
    let mut world = to_topic(json!({}));
    world.sns_ok("DeleteTopic", json!({ "TopicArn": topic_arn("t") }));
    world.put_event("default", json!({}));
    assert_eq!(world.dead_letter()["ERROR_CODE"], "NO_RESOURCE");
}

#[test]
fn a_role_of_the_account_calls_targets_without_a_policy_and_not_against_one() {
    let mut world = world(json!({ "RoleArn": ROLE }));
    world.set("q", "Policy", "").expect("taken away");
    world.put_event("default", json!({}));
    assert_eq!(world.depth("q"), (1, 0, 0));
    let deny = json!({
        "Statement": [{ "Effect": "Deny", "Principal": "*", "Action": "sqs:*", "Resource": arn("q") }],
    });
    world.set("q", "Policy", &deny.to_string()).expect("a policy");
    world.put_event("default", json!({}));
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_role_of_another_account_needs_a_policy_that_lets_its_account() {
    let mut world = to_topic(json!({ "RoleArn": STRANGER }));
    world.put_event("default", json!({}));
    assert_eq!(world.depth("dlq"), (1, 0, 0));
    let_publish(&mut world, json!({ "AWS": "222222222222" }));
    world.put_event("default", json!({}));
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
        world.put_event("default", json!({ "n": n }));
    }
    assert_eq!(world.depth("q.fifo"), (2, 0, 0));
    let message = &world.receive("q.fifo")[0];
    assert_eq!(message.content.group_id.as_deref(), Some("g"));
}

#[test]
fn a_fifo_queue_without_content_based_deduplication_takes_no_event() {
    let mut world = to_fifo(&[]);
    world.put_event("default", json!({}));
    assert_eq!(world.dead_letter()["ERROR_CODE"], "INVALID_PARAMETER");
}

#[test]
fn a_standard_queue_can_have_message_groups_too() {
    let mut world = world(json!({ "SqsParameters": { "MessageGroupId": "g" } }));
    world.put_event("default", json!({}));
    assert_eq!(world.one("q").content.group_id.as_deref(), Some("g"));
}

#[test]
fn a_function_that_does_not_exist_is_a_missing_resource() {
    let mut world = world(json!({
        "Arn": "arn:aws:lambda:eu-central-1:123456789012:function:f",
        "DeadLetterConfig": { "Arn": arn("dlq") },
    }));
    world.rule_queue("dlq");
    world.put_event("default", json!({}));
    assert_eq!(world.dead_letter()["ERROR_CODE"], "NO_RESOURCE");
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
