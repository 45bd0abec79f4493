//! What alarms publish (semantics 4.2).

use serde_json::json;

use super::topic_arn;
use crate::acting::Acting;
use crate::sns::ServicePublish;
use crate::tests::World;

fn publish(world: &mut World, topic: &str) -> bool {
    let publish = ServicePublish {
        topic_arn: topic,
        acting: Acting::Service {
            name: "cloudwatch.amazonaws.com",
            source_arn: "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:a",
        },
        subject: Some("ALARM: \"a\" in EU (Frankfurt)".to_owned()),
        message: "{}".to_owned(),
        trace_header: None,
    };
    let taken = world.operate(|core, now| core.publish_as_service(now, publish)).is_ok();
    world.pass(0);
    taken
}

#[test]
fn an_alarm_publishes_to_a_topic_of_its_account() {
    let mut world = World::new();
    world.queue("q");
    let topic = world.topic("t", json!({}));
    world.subscribe(&topic, "q", json!({}));
    assert!(publish(&mut world, &topic));
    let envelope = &world.envelopes("q")[0];
    assert_eq!(envelope["Subject"], "ALARM: \"a\" in EU (Frankfurt)");
    assert_eq!(envelope["Message"], "{}");
}

#[test]
fn a_topic_that_is_not_there_takes_nothing() {
    assert!(!publish(&mut World::new(), &topic_arn("none")));
}

#[test]
fn a_policy_in_place_of_the_default_one_must_name_cloudwatch() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let mut set = |principal: serde_json::Value| {
        let policy = json!({
            "Version": "2012-10-17",
            "Statement": [{
                "Effect": "Allow",
                "Principal": principal,
                "Action": "SNS:Publish",
                "Resource": topic,
                "Condition": { "ArnLike": { "aws:SourceArn": "arn:aws:cloudwatch:*:123456789012:alarm:*" } },
            }],
        });
        let set =
            json!({ "TopicArn": topic, "AttributeName": "Policy", "AttributeValue": policy.to_string() });
        world.sns_ok("SetTopicAttributes", set);
        publish(&mut world, &topic)
    };
    assert!(!set(json!({ "AWS": "arn:aws:iam::123456789012:root" })));
    assert!(set(json!({ "Service": "cloudwatch.amazonaws.com" })));
}

#[test]
fn a_fifo_topic_takes_nothing_from_alarms() {
    let mut world = World::new();
    let topic = world.topic("t.fifo", json!({ "FifoTopic": "true" }));
    assert!(!publish(&mut world, &topic));
}
