//! Subscribe, Unsubscribe, and the lists of subscriptions.

use serde_json::{Value, json};

use super::topic_arn;
use crate::tests::{World, arn, text};

fn subscribe(topic: &str, protocol: &str, endpoint: &str) -> Value {
    json!({ "TopicArn": topic, "Protocol": protocol, "Endpoint": endpoint })
}

#[test]
fn endpoints_are_checked_as_sns_checks_them() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    for (protocol, endpoint, expected) in [
        ("test-protocol", "x", "Amazon SNS does not support this protocol string: test-protocol"),
        ("sqs", "unknown", "SQS endpoint ARN"),
        ("sqs", "http://localhost/123456789012/q", "SQS endpoint ARN"),
        ("http", "https://localhost", "Endpoint must match the specified protocol"),
        (
            "sqs",
            "arn:aws:sqs:eu-central-1:123456789012:q.fifo",
            "Invalid parameter: Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics",
        ),
        ("https", "https://localhost", "the protocol https is not implemented in havoq's sandbox yet"),
        ("lambda", "x", "Lambda endpoint ARN"),
        ("firehose", "x", "the protocol firehose is not implemented in havoq's sandbox yet"),
    ] {
        let error = world.sns_error("Subscribe", subscribe(&topic, protocol, endpoint));
        assert_eq!(error, format!("InvalidParameter: Invalid parameter: {expected}"));
    }
    let none = subscribe(&topic_arn("none"), "sqs", &arn("q"));
    assert_eq!(world.sns_error("Subscribe", none), "NotFound: Topic does not exist");
}

#[test]
fn a_queue_is_confirmed_at_once_even_one_that_does_not_exist() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let sub = world.subscribe(&topic, "none", json!({}));
    assert!(sub.starts_with(&format!("{topic}:")));
    let shown = world.sns_ok("GetSubscriptionAttributes", json!({ "SubscriptionArn": sub }));
    assert_eq!(
        shown["Attributes"],
        json!({
            "ConfirmationWasAuthenticated": "true",
            "Endpoint": arn("none"),
            "Owner": "123456789012",
            "PendingConfirmation": "false",
            "Protocol": "sqs",
            "RawMessageDelivery": "false",
            "SubscriptionArn": sub,
            "SubscriptionPrincipal": "arn:aws:iam::123456789012:root",
            "TopicArn": topic,
        })
    );
}

#[test]
fn a_queue_of_another_account_is_asked_to_confirm() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let theirs = subscribe(&topic, "sqs", "arn:aws:sqs:eu-central-1:111111111111:q");
    let made = world.sns_ok("Subscribe", theirs);
    assert_eq!(made["SubscriptionArn"], "pending confirmation");
    let listed = world.sns_ok("ListSubscriptionsByTopic", json!({ "TopicArn": topic }));
    assert_eq!(listed["Subscriptions"][0]["SubscriptionArn"], "PendingConfirmation");
    let shown = world.sns_ok("GetTopicAttributes", json!({ "TopicArn": topic }));
    assert_eq!(shown["Attributes"]["SubscriptionsPending"], "1");
}

#[test]
fn subscribing_an_endpoint_again_gives_the_subscription_unless_it_differs() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let sub = world.subscribe(&topic, "q", json!({ "RawMessageDelivery": "True" }));
    for attributes in [
        json!({ "RawMessageDelivery": "true" }),
        json!({ "RawMessageDelivery": "true", "FilterPolicyScope": "MessageAttributes" }),
        json!({ "FilterPolicyScope": "MessageAttributes" }),
        json!({}),
    ] {
        assert_eq!(world.subscribe(&topic, "q", attributes), sub);
    }
    let mut other = subscribe(&topic, "sqs", &arn("q"));
    other["Attributes"] = json!({ "RawMessageDelivery": "false", "FilterPolicyScope": "MessageBody" });
    assert_eq!(
        world.sns_error("Subscribe", other),
        "InvalidParameter: Invalid parameter: Attributes Reason: Subscription already exists with different attributes"
    );
}

#[test]
fn unsubscribing_what_is_not_there_is_no_error_but_a_bad_arn_is() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let sub = world.subscribe(&topic, "q", json!({}));
    for _ in 0..2 {
        world.sns_ok("Unsubscribe", json!({ "SubscriptionArn": sub }));
    }
    let shown = world.sns_ok("GetTopicAttributes", json!({ "TopicArn": topic }));
    assert_eq!(shown["Attributes"]["SubscriptionsDeleted"], "1");
    for (members, expected) in [
        (
            json!({ "SubscriptionArn": "x" }),
            "SubscriptionArn Reason: An ARN must have at least 6 elements, not 1",
        ),
        (json!({ "SubscriptionArn": topic }), "SubscriptionId"),
        (json!({}), "SubscriptionArn Reason: no value for required parameter"),
    ] {
        let error = world.sns_error("Unsubscribe", members);
        assert_eq!(error, format!("InvalidParameter: Invalid parameter: {expected}"));
    }
    let error = world.sns_error("GetSubscriptionAttributes", json!({ "SubscriptionArn": sub }));
    assert_eq!(error, "NotFound: Subscription does not exist");
}

#[test]
fn a_subscription_outlives_its_topic_but_does_not_come_back_with_it() {
    let mut world = World::new();
    world.queue("q");
    let topic = world.topic("t", json!({}));
    let sub = world.subscribe(&topic, "q", json!({}));
    world.sns_ok("DeleteTopic", json!({ "TopicArn": topic }));
    world.sns_ok("GetSubscriptionAttributes", json!({ "SubscriptionArn": sub }));
    world.topic("t", json!({}));
    world.publish(&topic, "a");
    assert_eq!(world.depth("q"), (0, 0, 0));
}

#[test]
fn lists_of_subscriptions_come_in_pages_of_100() {
    let mut world = World::new();
    let (one, two) = (world.topic("one", json!({})), world.topic("two", json!({})));
    for n in 0..101 {
        world.subscribe(&one, &format!("q-{n}"), json!({}));
    }
    world.subscribe(&two, "q", json!({}));
    let first = world.sns_ok("ListSubscriptionsByTopic", json!({ "TopicArn": one }));
    let token = text(&first["NextToken"]);
    let second = world.sns_ok("ListSubscriptionsByTopic", json!({ "TopicArn": one, "NextToken": token }));
    assert_eq!(second["Subscriptions"].as_array().map(Vec::len), Some(1));
    let all = world.sns_ok("ListSubscriptions", json!({}));
    let rest = world.sns_ok("ListSubscriptions", json!({ "NextToken": text(&all["NextToken"]) }));
    assert_eq!(rest["Subscriptions"].as_array().map(Vec::len), Some(2));
    let sub = &rest["Subscriptions"][1];
    assert_eq!((&sub["Endpoint"], &sub["TopicArn"]), (&json!(arn("q")), &json!(two)));
    assert_eq!((&sub["Protocol"], &sub["Owner"]), (&json!("sqs"), &json!("123456789012")));
}

#[test]
fn a_topic_of_large_messages_has_100_subscriptions_of_queues_at_most() {
    let mut world = World::new();
    let topic = world.topic("t", json!({ "MaximumMessageSize": "262145" }));
    let error = world.sns_error("Subscribe", subscribe(&topic, "http", "http://localhost/"));
    assert!(error.contains("MaximumMessageSize"), "{error}");
    for n in 0..100 {
        world.subscribe(&topic, &format!("q-{n}"), json!({}));
    }
    let error = world.sns_error("Subscribe", subscribe(&topic, "sqs", &arn("q")));
    assert!(error.contains("MaximumMessageSize"), "{error}");
}
