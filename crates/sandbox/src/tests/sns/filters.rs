//! Filter policies of subscriptions (semantics 2.2); what they match is the parser's own matter.

use serde_json::{Value, json};

use crate::fact::Fact;
use crate::tests::{World, arn};

fn world(policy: &Value, scope: &str) -> (World, String) {
    let mut world = World::new();
    world.queue("q");
    let topic = world.topic("t", json!({}));
    let attributes = json!({ "FilterPolicy": policy.to_string(), "FilterPolicyScope": scope });
    world.subscribe(&topic, "q", attributes);
    world.facts();
    (world, topic)
}

/// Why the last message was filtered out.
fn why(world: &World) -> Option<&'static str> {
    world.facts().into_iter().find_map(|fact| match fact {
        Fact::Filtered { why, .. } => Some(why),
        _ => None,
    })
}

fn text(value: &str) -> Value {
    json!({ "DataType": "String", "StringValue": value })
}

#[test]
fn attributes_are_matched_by_default_and_all_keys_must_match() {
    let (mut world, topic) =
        world(&json!({ "event": ["order"], "price": [{ "numeric": [">", 100] }] }), "MessageAttributes");
    let price = |value: &str| json!({ "DataType": "Number", "StringValue": value });
    let mut publish = |attributes: Value| {
        world.publish_with(&topic, json!({ "Message": "a", "MessageAttributes": attributes }));
        why(&world)
    };
    assert_eq!(publish(json!({ "event": text("order"), "price": price("150") })), None);
    assert_eq!(publish(json!({ "event": text("order"), "price": price("50") })), Some("MessageAttributes"));
    assert_eq!(publish(json!({ "event": text("order") })), Some("MessageAttributes"));
    assert_eq!(publish(json!({})), Some("NoMessageAttributes"));
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn an_array_attribute_matches_if_any_element_does() {
    let (mut world, topic) = world(&json!({ "sport": ["rugby"] }), "MessageAttributes");
    for (array, expected) in [
        (r#"["football","rugby"]"#, None),
        ("[]", Some("MessageAttributes")),
        ("{", Some("InvalidAttributes")),
    ] {
        let attributes = json!({ "sport": { "DataType": "String.Array", "StringValue": array } });
        world.publish_with(&topic, json!({ "Message": "a", "MessageAttributes": attributes }));
        assert_eq!(why(&world), expected, "{array}");
    }
}

#[test]
fn the_body_is_matched_where_the_scope_says_so() {
    let (mut world, topic) = world(&json!({ "order": { "state": ["new"] } }), "MessageBody");
    for (message, expected) in [
        (json!({ "order": { "state": "new" } }).to_string(), None),
        (json!({ "order": { "state": "old" } }).to_string(), Some("MessageBody")),
        ("no JSON".to_owned(), Some("InvalidMessageBody")),
    ] {
        world.publish(&topic, &message);
        assert_eq!(why(&world), expected, "{message}");
    }
}

#[test]
fn what_is_filtered_out_is_neither_failed_nor_dead_lettered() {
    let mut world = World::new();
    world.queue("dlq");
    let topic = world.topic("t", json!({}));
    let redrive = json!({ "deadLetterTargetArn": arn("dlq") }).to_string();
    let filter = json!({ "a": ["b"] }).to_string();
    world.subscribe(&topic, "none", json!({ "RedrivePolicy": redrive, "FilterPolicy": filter }));
    world.facts();
    world.publish(&topic, "a");
    assert_eq!(world.depth("dlq"), (0, 0, 0));
    assert!(matches!(world.facts()[..], [Fact::Published { .. }, Fact::Filtered { .. }]));
}

#[test]
fn bad_policies_have_the_texts_of_sns() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let subscribe = |policy: Value| {
        let attributes = json!({ "FilterPolicy": policy.to_string() });
        json!({ "TopicArn": topic, "Protocol": "sqs", "Endpoint": arn("q"), "Attributes": attributes })
    };
    let five = json!({ "a": [1], "b": [1], "c": [1], "d": [1], "e": [1], "f": [1] });
    assert_eq!(
        world.sns_error("Subscribe", subscribe(five)),
        "InvalidParameter: Invalid parameter: Attributes Reason: FilterPolicy: Filter policy can not have more than 5 keys"
    );
    let nested = json!({ "a": { "b": [1] } });
    let error = world.sns_error("Subscribe", subscribe(nested));
    assert!(
        error.ends_with("Filter policy scope MessageAttributes does not support nested filter policy"),
        "{error}"
    );
}

#[test]
fn a_policy_must_fit_its_scope_when_the_scope_changes_too() {
    let (mut world, topic) = world(&json!({ "a": { "b": [1] } }), "MessageBody");
    let listed = world.sns_ok("ListSubscriptionsByTopic", json!({ "TopicArn": topic }));
    let set = json!({
        "SubscriptionArn": listed["Subscriptions"][0]["SubscriptionArn"],
        "AttributeName": "FilterPolicyScope",
        "AttributeValue": "MessageAttributes",
    });
    assert_eq!(
        world.sns_error("SetSubscriptionAttributes", set),
        "InvalidParameter: Invalid parameter: Filter policy scope MessageAttributes does not support nested filter policy"
    );
}
