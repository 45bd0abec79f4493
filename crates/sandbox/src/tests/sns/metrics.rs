//! The metrics of topics (semantics 2.5).

use serde_json::json;

use crate::cloudwatch::Stats;
use crate::place::Place;
use crate::targets::Outage;
use crate::tests::{World, arn};

/// What a metric of `t` came to in the minute that ends now.
fn sampled(world: &World, metric: &str) -> Option<Stats> {
    let now = world.now.as_secs();
    world.core.cloudwatch.stats_of(Place::HOME, "AWS/SNS", metric, &[("TopicName", "t")], now - 60..now)
}

fn sum(world: &World, metric: &str) -> Option<f64> {
    sampled(world, metric).map(|stats| stats.sum)
}

fn world(attributes: serde_json::Value) -> (World, String) {
    let mut world = World::new();
    world.queue("q");
    world.queue("dlq");
    let topic = world.topic("t", json!({}));
    world.subscribe(&topic, "q", attributes);
    (world, topic)
}

#[test]
fn publishes_and_deliveries_are_counted_by_the_minute() {
    let (mut world, topic) = world(json!({}));
    world.publish(&topic, "abcd");
    world.publish(&topic, "ab");
    world.pass(60);
    assert_eq!(sum(&world, "NumberOfMessagesPublished"), Some(2.0));
    assert_eq!(sum(&world, "NumberOfNotificationsDelivered"), Some(2.0));
    assert_eq!(sum(&world, "NumberOfNotificationsFailed"), Some(0.0));
    assert_eq!(sum(&world, "NumberOfNotificationsFilteredOut"), Some(0.0));
    assert_eq!(sum(&world, "NumberOfNotificationsRedrivenToDlq"), None);
    let size = sampled(&world, "PublishSize").expect("sizes");
    assert_eq!((size.min, size.max, size.count), (2.0, 4.0, 2.0));
    world.pass(60);
    assert_eq!(sum(&world, "NumberOfMessagesPublished"), Some(0.0));
    assert!(sampled(&world, "PublishSize").is_none());
}

#[test]
fn a_topic_is_active_for_6_h_after_the_last_call() {
    let (mut world, _) = world(json!({}));
    world.pass(6 * 3_600);
    assert_eq!(sum(&world, "NumberOfMessagesPublished"), Some(0.0));
    world.pass(60);
    assert_eq!(sum(&world, "NumberOfMessagesPublished"), None);
}

#[test]
fn filtered_out_ones_are_counted_with_their_reason_and_do_not_fail() {
    let (mut world, topic) = world(json!({ "FilterPolicy": r#"{"a":["b"]}"# }));
    world.publish(&topic, "a");
    world.pass(60);
    assert_eq!(sum(&world, "NumberOfNotificationsFilteredOut"), Some(1.0));
    assert_eq!(sum(&world, "NumberOfNotificationsFilteredOut-NoMessageAttributes"), Some(1.0));
    assert_eq!(sum(&world, "NumberOfNotificationsFilteredOut-MessageAttributes"), None);
    assert_eq!(sum(&world, "NumberOfNotificationsFailed"), Some(0.0));
}

#[test]
fn a_queue_fails_once_when_sns_gives_up() {
    let redrive = json!({ "deadLetterTargetArn": arn("dlq") }).to_string();
    let (mut world, topic) = world(json!({ "RedrivePolicy": redrive }));
    world.operate(|core, _| core.begin_outage(&arn("q"), Outage::Unavailable));
    world.publish(&topic, "a");
    world.pass(60);
    assert_eq!(sum(&world, "NumberOfNotificationsFailed"), Some(0.0), "an outage shows no failure at first");
    world.on("q", |core, now, id| core.delete_queue(now, id)).expect("deleted");
    world.operate(|core, now| core.end_outage(now, &arn("q")));
    world.pass(60);
    assert_eq!(sum(&world, "NumberOfNotificationsFailed"), Some(1.0));
    assert_eq!(sum(&world, "NumberOfNotificationsRedrivenToDlq"), Some(1.0));
    world.on("dlq", |core, now, id| core.delete_queue(now, id)).expect("deleted");
    world.publish(&topic, "b");
    world.pass(60);
    assert_eq!(sum(&world, "NumberOfNotificationsFailedToRedriveToDlq"), Some(1.0));
}

#[test]
fn http_fails_with_each_attempt() {
    let (mut world, topic) = world(json!({}));
    let members = json!({ "TopicArn": topic, "Protocol": "http", "Endpoint": "http://localhost/" });
    world.sns_ok("Subscribe", members);
    world.pass(0);
    let asked = world.core.take_outbox().remove(0);
    let token = serde_json::from_str::<serde_json::Value>(&asked.body).expect("JSON")["Token"].clone();
    world.sns_ok("ConfirmSubscription", json!({ "TopicArn": topic, "Token": token }));
    world.publish(&topic, "a");
    for _ in 0..2 {
        let sent = world.core.take_outbox().remove(0);
        let failed = crate::sns::Answered::Status(500);
        world.operate(|core, now| core.http_answered(now, sent.delivery, failed));
        world.pass(20);
    }
    world.pass(20);
    assert_eq!(sum(&world, "NumberOfNotificationsFailed"), Some(2.0));
}
