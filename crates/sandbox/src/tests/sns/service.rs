//! What alarms publish (semantics 4.2).

use serde_json::json;

use super::topic_arn;
use crate::sns::ServicePublish;
use crate::tests::World;

fn publish(world: &mut World, topic: &str) -> bool {
    let publish = ServicePublish {
        topic_arn: topic,
        service: "cloudwatch.amazonaws.com",
        source_arn: "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:a",
        subject: Some("ALARM: \"a\" in EU (Frankfurt)".to_owned()),
        message: "{}".to_owned(),
    };
    let taken = world.operate(|core, now| core.publish_as_service(now, &publish));
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
