//! Publish and PublishBatch: what is taken, and what is answered.

use serde_json::{Value, json};

use super::topic_arn;
use crate::fact::Fact;
use crate::tests::World;

fn world() -> (World, String) {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    (world, topic)
}

#[test]
fn publish_answers_before_any_delivery() {
    let (mut world, topic) = world();
    world.queue("q");
    world.subscribe(&topic, "q", json!({}));
    world.facts();
    let published = world.sns_ok("Publish", json!({ "TopicArn": topic, "Message": "a" }));
    assert_eq!(world.depth("q"), (0, 0, 0));
    let facts = world.facts();
    assert!(matches!(&facts[..], [Fact::Published { channel: topic, message_id }]
        if topic == "t" && message_id.as_str() == published["MessageId"]));
    assert_eq!(world.core.timers.next_delivery(), Some(world.now));
    world.pass(0);
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_message_is_published_to_a_topic_by_topic_arn_or_target_arn() {
    let (mut world, topic) = world();
    world.sns_ok("Publish", json!({ "TargetArn": topic, "Message": "a" }));
    for (members, expected) in [
        (
            json!({}),
            "InvalidParameter: Invalid parameter: TopicArn or TargetArn Reason: no value for required parameter",
        ),
        (
            json!({ "TargetArn": "arn:aws:sns:eu-central-1:123456789012:endpoint/APNS/app/1" }),
            "InvalidParameter: Invalid parameter: TargetArn Reason: No endpoint found for the target arn specified",
        ),
        (json!({ "TopicArn": topic_arn("none") }), "NotFound: Topic does not exist"),
        (
            json!({ "PhoneNumber": "+15551234567" }),
            "InvalidParameter: Invalid parameter: PhoneNumber is not implemented in havoq's sandbox yet",
        ),
    ] {
        let mut members: Value = members;
        members["Message"] = json!("a");
        assert_eq!(world.sns_error("Publish", members), expected);
    }
}

#[test]
fn bad_messages_have_the_texts_of_sns() {
    let (mut world, topic) = world();
    let attributes = json!({ "a": { "DataType": "String", "StringValue": "b" } });
    for (members, expected) in [
        (json!({ "Message": "" }), "Empty message"),
        (json!({}), "Empty message"),
        (json!({ "Message": "a", "Subject": "" }), "Subject"),
        (json!({ "Message": "a", "Subject": "a".repeat(101) }), "Subject"),
        (json!({ "Message": "a", "Subject": "a\nb" }), "Subject"),
        (json!({ "Message": "a".repeat(262_145) }), "Message too long"),
        (json!({ "Message": "a".repeat(262_140), "MessageAttributes": attributes }), "Message too long"),
        (
            json!({ "Message": "a", "MessageDeduplicationId": "d" }),
            "MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not valid for \
             this topic type",
        ),
        (
            json!({ "Message": "{}", "MessageStructure": "json" }),
            "Message Structure - No default entry in JSON message body",
        ),
    ] {
        let mut members: Value = members;
        members["TopicArn"] = json!(topic);
        let error = world.sns_error("Publish", members);
        assert_eq!(error, format!("InvalidParameter: Invalid parameter: {expected}"));
    }
    world.publish(&topic, &"a".repeat(262_144));
}

fn batch(topic: &str, entries: Value) -> Value {
    json!({ "TopicArn": topic, "PublishBatchRequestEntries": entries })
}

#[test]
fn a_batch_answers_for_each_entry_and_shows_both_lists() {
    let (mut world, topic) = world();
    let entries = json!([{ "Id": "1", "Message": "a" }, { "Id": "valid-message_123", "Message": "b" }]);
    let answer = world.sns_ok("PublishBatch", batch(&topic, entries));
    assert_eq!(answer["Failed"], json!([]));
    assert_eq!(answer["Successful"][1]["Id"], "valid-message_123");
    assert_ne!(answer["Successful"][0]["MessageId"], answer["Successful"][1]["MessageId"]);
    assert!(answer["Successful"][0].get("SequenceNumber").is_none());
}

#[test]
fn a_bad_batch_fails_as_a_whole() {
    let (mut world, topic) = world();
    let entry = |id: &str| json!({ "Id": id, "Message": "a" });
    let many: Vec<_> = (0..11).map(|n| entry(&n.to_string())).collect();
    let long = "a".repeat(81);
    for (entries, expected) in [
        (json!([]), "EmptyBatchRequest: The batch request doesn't contain any entries.".to_owned()),
        (
            json!(many),
            "TooManyEntriesInBatchRequest: The batch request contains more entries than permissible.".to_owned(),
        ),
        (
            json!([entry("1"), entry("1")]),
            "BatchEntryIdsNotDistinct: Two or more batch entries in the request have the same Id.".to_owned(),
        ),
        (
            json!([entry("message.id")]),
            "InvalidBatchEntryId: The Id of a batch entry in the batch request contains an impermissible character: \
             message.id"
                .to_owned(),
        ),
        (
            json!([entry(&long)]),
            format!("InvalidBatchEntryId: The Id of a batch entry in the batch request is too long: {long}"),
        ),
        (
            json!([{ "Id": "1", "Message": "a".repeat(200_000) }, { "Id": "2", "Message": "a".repeat(62_145) }]),
            "BatchRequestTooLong: The length of all the messages put together is more than the limit.".to_owned(),
        ),
        (
            json!([entry("1"), { "Id": "2", "Message": "a", "MessageAttributes": { "attr1": {} } }]),
            "ValidationError: 1 validation error detected: Value null at \
             'publishBatchRequestEntries.2.member.messageAttributes.attr1.member.dataType' failed to satisfy constraint: \
             Member must not be null"
                .to_owned(),
        ),
    ] {
        assert_eq!(world.sns_error("PublishBatch", batch(&topic, entries)), expected);
    }
    assert!(world.facts().is_empty(), "nothing was published");
    let none = batch(&topic_arn("none"), json!([entry("1")]));
    assert_eq!(world.sns_error("PublishBatch", none), "NotFound: Topic does not exist");
}
