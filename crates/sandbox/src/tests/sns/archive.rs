//! The archive of FIFO topics (semantics 2.4; SNS developer guide, message archiving for topic owners).

use serde_json::{Value, json};

use super::topic_arn;
use crate::tests::{World, text};

const DAY: u64 = 86_400;

/// A FIFO topic that keeps messages for some days.
fn archive(days: u64) -> (World, String) {
    let mut world = World::new();
    let policy = json!({ "MessageRetentionPeriod": days }).to_string();
    let topic = world.topic("t.fifo", json!({ "FifoTopic": "true", "ArchivePolicy": policy }));
    (world, topic)
}

fn attributes(world: &mut World, topic: &str) -> Value {
    world.sns_ok("GetTopicAttributes", json!({ "TopicArn": topic }))["Attributes"].clone()
}

fn set_policy(topic: &str, policy: &str) -> Value {
    json!({ "TopicArn": topic, "AttributeName": "ArchivePolicy", "AttributeValue": policy })
}

fn publish(world: &mut World, topic: &str, message: &str) {
    world.publish_with(
        topic,
        json!({ "Message": message, "MessageGroupId": "g", "MessageDeduplicationId": message }),
    );
}

#[test]
fn only_fifo_topics_have_an_archive_of_1_to_365_days() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let policy = r#"{"MessageRetentionPeriod":"30"}"#;
    let only_fifo = "ArchivePolicy: Message archiving is only for FIFO topics";
    assert_eq!(
        world.sns_error("SetTopicAttributes", set_policy(&topic, policy)),
        format!("InvalidParameter: Invalid parameter: {only_fifo}")
    );
    let create = json!({ "Name": "u", "Attributes": { "ArchivePolicy": policy } });
    assert_eq!(
        world.sns_error("CreateTopic", create),
        format!("InvalidParameter: Invalid parameter: Attributes Reason: {only_fifo}")
    );
    let (mut world, topic) = archive(365);
    assert_eq!(
        world.sns_error("SetTopicAttributes", set_policy(&topic, r#"{"MessageRetentionPeriod":366}"#)),
        "InvalidParameter: Invalid parameter: ArchivePolicy: MessageRetentionPeriod: Invalid value [366]. Must be a \
         number of days from 1 to 365."
    );
}

#[test]
fn the_policy_and_the_beginning_of_the_archive_are_shown() {
    let mut world = World::new();
    let topic = world.topic("t.fifo", json!({ "FifoTopic": "true" }));
    let shown = attributes(&mut world, &topic);
    assert!(shown.get("ArchivePolicy").is_none() && shown.get("BeginningArchiveTime").is_none());
    world.pass(60);
    let policy = r#"{"MessageRetentionPeriod":"2"}"#;
    world.sns_ok("SetTopicAttributes", set_policy(&topic, policy));
    let begun = world.now;
    let shown = attributes(&mut world, &topic);
    assert_eq!(shown["ArchivePolicy"], policy);
    let beginning = |shown: &Value| text(&shown["BeginningArchiveTime"]).parse().expect("a time");
    assert_eq!(begun, beginning(&shown));
    // The archive reaches back to where it was turned on, and later as far as the retention goes.
    world.pass(2 * DAY);
    assert_eq!(begun, beginning(&attributes(&mut world, &topic)));
    world.pass(60);
    assert_eq!(begun + crate::tests::secs(60), beginning(&attributes(&mut world, &topic)));
    // Keeping messages longer does not bring back those that are gone.
    world.sns_ok("SetTopicAttributes", set_policy(&topic, r#"{"MessageRetentionPeriod":"9"}"#));
    assert_eq!(begun + crate::tests::secs(60), beginning(&attributes(&mut world, &topic)));
}

#[test]
fn messages_are_kept_until_their_retention_ends_and_duplicates_not_at_all() {
    let (mut world, topic) = archive(1);
    publish(&mut world, &topic, "a");
    publish(&mut world, &topic, "a");
    assert_eq!(world.core.archive_len(&topic), 1);
    world.pass(DAY - 1);
    publish(&mut world, &topic, "b");
    assert_eq!(world.core.archive_len(&topic), 2);
    world.pass(1);
    publish(&mut world, &topic, "c");
    assert_eq!(world.core.archive_len(&topic), 2);
}

#[test]
fn an_archive_sets_no_timers() {
    let (mut world, topic) = archive(365);
    publish(&mut world, &topic, "a");
    assert_eq!(world.core.timers.next_delivery(), None);
}

#[test]
fn turning_the_archive_off_deletes_its_messages() {
    for off in ["{}", ""] {
        let (mut world, topic) = archive(30);
        publish(&mut world, &topic, "a");
        world.sns_ok("SetTopicAttributes", set_policy(&topic, off));
        assert_eq!(world.core.archive_len(&topic), 0);
        assert!(attributes(&mut world, &topic).get("ArchivePolicy").is_none());
        publish(&mut world, &topic, "b");
        assert_eq!(world.core.archive_len(&topic), 0);
    }
}

#[test]
fn a_topic_with_an_archive_cannot_be_deleted() {
    let (mut world, topic) = archive(30);
    let delete = json!({ "TopicArn": topic });
    assert_eq!(
        world.sns_error("DeleteTopic", delete.clone()),
        "InvalidState: Invalid state: Cannot delete a topic with an ArchivePolicy"
    );
    world.sns_ok("SetTopicAttributes", set_policy(&topic, "{}"));
    world.sns_ok("DeleteTopic", delete);
    assert!(
        world
            .sns_error("GetTopicAttributes", json!({ "TopicArn": topic_arn("t.fifo") }))
            .contains("NotFound")
    );
}
