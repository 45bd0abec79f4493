//! What a queue gets (semantics 2.1).

use serde_json::json;

use super::ADDRESS;
use crate::fact::Fact;
use crate::place::Place;
use crate::sqs::parse;
use crate::tests::World;

fn world(attributes: serde_json::Value) -> (World, String, String) {
    let mut world = World::new();
    world.queue("q");
    let topic = world.topic("t", json!({}));
    let sub = world.subscribe(&topic, "q", attributes);
    (world, topic, sub)
}

#[test]
fn a_queue_gets_an_envelope_with_its_members_in_order() {
    let (mut world, topic, sub) = world(json!({}));
    let attributes = json!({
        "n": { "DataType": "Number", "StringValue": "99.12" },
        "b": { "DataType": "Binary", "BinaryValue": "AgME" },
    });
    let members = json!({ "Message": "ö \"quoted\"\n", "Subject": "s", "MessageAttributes": attributes });
    let id = world.publish_with(&topic, members);
    let message = world.one("q");
    let body = &message.content.body;
    let parsed: serde_json::Value = serde_json::from_str(body).expect("JSON");
    let signature = parsed["Signature"].as_str().expect("a signature");
    let expected = format!(
        r#"{{
  "Type" : "Notification",
  "MessageId" : "{id}",
  "TopicArn" : "{topic}",
  "Subject" : "s",
  "Message" : "ö \"quoted\"\n",
  "Timestamp" : "2027-01-15T08:00:00.000Z",
  "SignatureVersion" : "1",
  "Signature" : "{signature}",
  "SigningCertURL" : "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-00000000000000000000000000000000.pem",
  "UnsubscribeURL" : "{ADDRESS}/?Action=Unsubscribe&SubscriptionArn={sub}",
  "MessageAttributes" : {{
    "b" : {{"Type":"Binary","Value":"AgME"}},
    "n" : {{"Type":"Number","Value":"99.12"}}
  }}
}}"#
    );
    assert_eq!(*body, expected);
    assert_ne!(message.id.as_str(), id, "the queue gives an id of its own");
    assert!(message.content.attributes.is_empty(), "attributes are inside the body only");
}

#[test]
fn what_is_not_set_is_not_in_the_envelope() {
    let (mut world, topic, _) = world(json!({}));
    world.publish(&topic, "a");
    let envelope = &world.envelopes("q")[0];
    assert!(envelope.get("Subject").is_none() && envelope.get("MessageAttributes").is_none());
}

#[test]
fn a_raw_subscription_gets_the_message_and_its_attributes() {
    let (mut world, topic, _) = world(json!({ "RawMessageDelivery": "true" }));
    let attributes = json!({
        "attr1": { "DataType": "Number", "StringValue": "99.12" },
        "attr2": { "DataType": "Number", "StringValue": "109.12" },
    });
    world.publish_with(&topic, json!({ "Message": "Test msg", "MessageAttributes": attributes }));
    let answer = world.answer("q", json!({ "MessageAttributeNames": ["All"] }));
    let message = &answer["Messages"][0];
    assert_eq!(message["Body"], "Test msg");
    assert_eq!(message["MD5OfMessageAttributes"], "9b720b3af309c1c4b0d395c53b08c502");
    assert_eq!(
        message["MessageAttributes"]["attr2"],
        json!({ "DataType": "Number", "StringValue": "109.12" })
    );
}

#[test]
fn more_than_10_attributes_on_raw_delivery_are_a_client_side_error() {
    let (mut world, topic, sub) = world(json!({ "RawMessageDelivery": "true" }));
    let attributes: serde_json::Map<_, _> =
        (0..11).map(|n| (format!("a{n}"), json!({ "DataType": "String", "StringValue": "b" }))).collect();
    world.facts();
    world.publish_with(&topic, json!({ "Message": "a", "MessageAttributes": attributes }));
    assert_eq!(world.depth("q"), (0, 0, 0));
    assert!(
        matches!(&world.facts()[1], Fact::Undelivered { subscription, attempts: 1, .. } if *subscription == sub)
    );
}

#[test]
fn each_protocol_gets_its_text() {
    let (mut world, topic, _) = world(json!({}));
    let message = json!({ "default": "d", "sqs": "s" }).to_string();
    world.publish_with(&topic, json!({ "Message": message, "MessageStructure": "json" }));
    assert_eq!(world.envelopes("q")[0]["Message"], "s");
}

#[test]
fn the_trace_header_is_passed_through() {
    let (mut world, topic, _) = world(json!({}));
    let input = parse(json!({ "TopicArn": topic, "Message": "a" })).expect("an input");
    let trace = Some("Root=1-3152b799-8954dae64eda91bc9a23a7e8".to_owned());
    world.operate(|core, now| core.publish(now, Place::HOME, input, trace.clone())).expect("published");
    world.pass(0);
    assert_eq!(world.one("q").content.trace_header, trace);
}

#[test]
fn a_message_group_on_a_standard_topic_is_forwarded() {
    let (mut world, topic, _) = world(json!({}));
    world.publish_with(&topic, json!({ "Message": "a", "MessageGroupId": "tenant-1" }));
    assert_eq!(world.one("q").content.group_id.as_deref(), Some("tenant-1"));
}

#[test]
fn each_subscription_gets_a_copy_and_later_ones_get_nothing() {
    let (mut world, topic, _) = world(json!({}));
    world.queue("other");
    world.subscribe(&topic, "other", json!({ "RawMessageDelivery": "true" }));
    world.publish(&topic, "a");
    world.queue("late");
    world.subscribe(&topic, "late", json!({}));
    assert_eq!(world.envelopes("q")[0]["Message"], "a");
    assert_eq!(world.one("other").content.body, "a");
    assert_eq!(world.depth("late"), (0, 0, 0));
}

#[test]
fn a_topic_can_ask_for_the_second_signature_version() {
    let (mut world, topic, _) = world(json!({}));
    let set = json!({ "TopicArn": topic, "AttributeName": "SignatureVersion", "AttributeValue": "2" });
    world.sns_ok("SetTopicAttributes", set);
    world.publish(&topic, "a");
    assert_eq!(world.envelopes("q")[0]["SignatureVersion"], "2");
}

#[test]
fn a_delivery_is_told_with_both_ids() {
    let (mut world, topic, sub) = world(json!({}));
    world.facts();
    let id = world.publish(&topic, "a");
    let facts = world.facts();
    let queue_id = world.one("q").id;
    assert_eq!(
        facts[1],
        Fact::Delivered {
            channel: "t".into(),
            subscription: sub,
            message_id: havoq_base::ids::MessageId::new(id),
            attempts: 1,
            given_id: Some(queue_id),
        }
    );
}
