//! The attributes of subscriptions.

use serde_json::json;

use crate::tests::{World, arn, policy};

fn world() -> (World, String) {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let sub = world.subscribe(&topic, "q", json!({}));
    (world, sub)
}

#[test]
fn attributes_are_checked_as_sns_checks_them() {
    let (mut world, sub) = world();
    for (name, value, expected) in [
        ("FakeAttribute", "x", "AttributeName"),
        (
            "RawMessageDelivery",
            "test-ValUe",
            "RawMessageDelivery: Invalid value [test-ValUe]. Must be true or false.",
        ),
        ("RawMessageDelivery", "", "RawMessageDelivery: Invalid value []. Must be true or false."),
        (
            "RedrivePolicy",
            r#"{"deadLetterTargetArn":"fake-arn"}"#,
            "RedrivePolicy: deadLetterTargetArn is an invalid arn",
        ),
        (
            "FilterPolicyScope",
            "RandomValue",
            "FilterPolicyScope: Invalid value [RandomValue]. Please use either MessageBody or MessageAttributes",
        ),
        ("ReplayPolicy", "{}", "ReplayPolicy: Message replay is only for FIFO topics"),
        ("SubscriptionRoleArn", "x", "SubscriptionRoleArn is not implemented in havoq's sandbox yet"),
    ] {
        let set = json!({ "SubscriptionArn": sub, "AttributeName": name, "AttributeValue": value });
        let error = world.sns_error("SetSubscriptionAttributes", set);
        assert_eq!(error, format!("InvalidParameter: Invalid parameter: {expected}"));
    }
    let set = json!({ "SubscriptionArn": sub, "AttributeName": "RedrivePolicy", "AttributeValue": "{x" });
    let error = world.sns_error("SetSubscriptionAttributes", set);
    assert!(error.contains("Invalid parameter: RedrivePolicy: failed to parse JSON."), "{error}");
}

#[test]
fn subscribe_words_its_complaints_differently() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let attributes = json!({ "RawMessageDelivery": "wrongvalue" });
    let subscribe =
        json!({ "TopicArn": topic, "Protocol": "sqs", "Endpoint": arn("q"), "Attributes": attributes });
    assert_eq!(
        world.sns_error("Subscribe", subscribe),
        "InvalidParameter: Invalid parameter: Attributes Reason: RawMessageDelivery: Invalid value [wrongvalue]. Must be \
         true or false."
    );
}

#[test]
fn the_scope_is_shown_only_with_a_filter_policy() {
    let (mut world, sub) = world();
    let shown = |world: &mut World| {
        world.sns_ok("GetSubscriptionAttributes", json!({ "SubscriptionArn": sub }))["Attributes"].clone()
    };
    assert!(shown(&mut world).get("FilterPolicyScope").is_none());
    let set = json!({ "SubscriptionArn": sub, "AttributeName": "FilterPolicy", "AttributeValue": r#"{"a":["b"]}"# });
    world.sns_ok("SetSubscriptionAttributes", set);
    assert_eq!(shown(&mut world)["FilterPolicyScope"], "MessageAttributes");
    assert_eq!(shown(&mut world)["FilterPolicy"], r#"{"a":["b"]}"#);
    let set = json!({ "SubscriptionArn": sub, "AttributeName": "FilterPolicy", "AttributeValue": "" });
    world.sns_ok("SetSubscriptionAttributes", set);
    assert!(shown(&mut world).get("FilterPolicy").is_none());
}

#[test]
fn a_dead_letter_queue_is_of_the_same_account_region_and_kind() {
    let (mut world, sub) = world();
    for (target, why) in [
        ("arn:aws:sqs:eu-west-1:123456789012:dlq", "same account and Region"),
        ("arn:aws:sqs:eu-central-1:111111111111:dlq", "same account and Region"),
        (&*arn("dlq.fifo"), "standard queue"),
    ] {
        let value = json!({ "deadLetterTargetArn": target }).to_string();
        let set =
            json!({ "SubscriptionArn": sub, "AttributeName": "RedrivePolicy", "AttributeValue": value });
        let error = world.sns_error("SetSubscriptionAttributes", set);
        assert!(error.contains(why), "{error}");
    }
    // It needs no maxReceiveCount, and one that is there does no harm (semantics 2.3).
    for value in [json!({ "deadLetterTargetArn": arn("dlq") }).to_string(), policy("dlq", 3)] {
        let set =
            json!({ "SubscriptionArn": sub, "AttributeName": "RedrivePolicy", "AttributeValue": value });
        world.sns_ok("SetSubscriptionAttributes", set);
    }
}

#[test]
fn a_fifo_subscription_of_a_fifo_topic_needs_a_fifo_dead_letter_queue() {
    let mut world = World::new();
    let topic = world.topic("t.fifo", json!({ "FifoTopic": "true" }));
    let sub = world.subscribe(&topic, "q.fifo", json!({}));
    let value = json!({ "deadLetterTargetArn": arn("dlq") }).to_string();
    let set = json!({ "SubscriptionArn": sub, "AttributeName": "RedrivePolicy", "AttributeValue": value });
    assert_eq!(
        world.sns_error("SetSubscriptionAttributes", set),
        "InvalidParameter: Invalid parameter: RedrivePolicy: must use a FIFO queue as DLQ for a FIFO Subscription to a \
         FIFO Topic."
    );
    let sub = world.subscribe(&topic, "q", json!({}));
    let set = json!({ "SubscriptionArn": sub, "AttributeName": "RedrivePolicy", "AttributeValue": value });
    world.sns_ok("SetSubscriptionAttributes", set);
}

#[test]
fn there_are_200_filter_policies_a_topic_at_most() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let filter = json!({ "FilterPolicy": r#"{"a":["b"]}"# });
    for n in 0..200 {
        world.subscribe(&topic, &format!("q-{n}"), filter.clone());
    }
    let subscribe =
        json!({ "TopicArn": topic, "Protocol": "sqs", "Endpoint": arn("q"), "Attributes": filter });
    let error = world.sns_error("Subscribe", subscribe);
    assert!(error.starts_with("FilterPolicyLimitExceeded"), "{error}");
    world.subscribe(&topic, "q", json!({}));
}
