//! Replays of archived messages (semantics 2.4; SNS developer guide, message replay for FIFO topic
//! subscribers).

use havoq_base::StackTime;
use serde_json::{Value, json};

use crate::fact::Fact;
use crate::place::Place;
use crate::targets::Outage;
use crate::tests::{World, arn, text};

/// A topic with an archive and `a`, `b` and `c` in it, a minute apart, and the time of `a`.
fn world() -> (World, String, StackTime) {
    let mut world = World::new();
    world.queue("q");
    let policy = r#"{"MessageRetentionPeriod":30}"#;
    let topic = world.topic("t.fifo", json!({ "FifoTopic": "true", "ArchivePolicy": policy }));
    let begun = world.now;
    for message in ["a", "b", "c"] {
        publish(&mut world, &topic, message);
        world.pass(60);
    }
    (world, topic, begun)
}

fn publish(world: &mut World, topic: &str, message: &str) -> String {
    let attributes = json!({ "kind": { "DataType": "String", "StringValue": message } });
    world.publish_with(
        topic,
        json!({
            "Message": message,
            "MessageGroupId": "g",
            "MessageDeduplicationId": message,
            "MessageAttributes": attributes,
        }),
    )
}

fn policy(start: StackTime, end: Option<StackTime>) -> String {
    let mut policy = json!({ "PointType": "Timestamp", "StartingPoint": start.rfc3339() });
    if let Some(end) = end {
        policy["EndingPoint"] = json!(end.rfc3339());
    }
    policy.to_string()
}

fn set(sub: &str, name: &str, value: &str) -> Value {
    json!({ "SubscriptionArn": sub, "AttributeName": name, "AttributeValue": value })
}

fn replay(world: &mut World, sub: &str, policy: &str) {
    world.sns_ok("SetSubscriptionAttributes", set(sub, "ReplayPolicy", policy));
    world.pass(0);
}

fn shown(world: &mut World, sub: &str, name: &str) -> Value {
    world.sns_ok("GetSubscriptionAttributes", json!({ "SubscriptionArn": sub }))["Attributes"][name].clone()
}

/// The texts that arrived, and how many of them are replayed.
fn arrived(world: &mut World) -> (Vec<String>, usize) {
    let envelopes = world.envelopes("q");
    let replayed = envelopes.iter().filter(|envelope| envelope["Replayed"] == true).count();
    (envelopes.iter().map(|envelope| text(&envelope["Message"])).collect(), replayed)
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_replay_without_an_end_catches_up_in_order_and_goes_on() {
    let (mut world, topic, begun) = world();
    let sub = world.subscribe(&topic, "q", json!({ "ReplayPolicy": policy(begun, None) }));
    world.pass(0);
    assert_eq!(arrived(&mut world), (texts(&["a", "b", "c"]), 3));
    assert_eq!(shown(&mut world, &sub, "ReplayStatus"), "Completed");
    assert_eq!(shown(&mut world, &sub, "ReplayPolicy"), policy(begun, None));
    publish(&mut world, &topic, "d");
    assert_eq!(arrived(&mut world), (texts(&["d"]), 0));
}

#[test]
fn a_replayed_message_keeps_its_id_and_time_and_says_that_it_is_replayed() {
    let (mut world, topic, _) = world();
    let sub = world.subscribe(&topic, "q", json!({}));
    let published_at = world.now;
    let id = publish(&mut world, &topic, "d");
    let received = world.one("q");
    let first: Value = serde_json::from_str(&received.content.body).expect("JSON");
    world.delete("q", &received.handle).expect("deleted");
    world.pass(600);
    replay(&mut world, &sub, &policy(published_at, None));
    let mut again = world.envelopes("q").remove(0);
    assert_eq!(again["MessageId"], id);
    assert_eq!(again["Replayed"], true);
    assert!(first.get("Replayed").is_none());
    again.as_object_mut().expect("an object").remove("Replayed");
    assert_eq!(again, first);
    let facts = world.facts();
    let delivered =
        |fact: &&Fact| matches!(fact, Fact::Delivered { message_id, .. } if message_id.as_str() == id);
    assert_eq!(facts.iter().filter(delivered).count(), 2);
}

#[test]
fn a_replay_with_an_end_pauses_the_subscription_until_the_policy_is_gone() {
    let (mut world, topic, begun) = world();
    let sub = world.subscribe(&topic, "q", json!({}));
    let (b, c) = (begun + crate::tests::secs(60), begun + crate::tests::secs(120));
    replay(&mut world, &sub, &policy(b, Some(c)));
    assert_eq!(arrived(&mut world), (texts(&["b"]), 1));
    assert_eq!(shown(&mut world, &sub, "ReplayStatus"), "Completed");
    publish(&mut world, &topic, "d");
    assert_eq!(world.depth("q").0, 0);
    // Resumed from where the replay ended, it misses nothing and repeats nothing.
    replay(&mut world, &sub, &policy(c, None));
    assert_eq!(arrived(&mut world), (texts(&["c", "d"]), 2));
    replay(&mut world, &sub, &policy(b, Some(c)));
    assert_eq!(arrived(&mut world), (texts(&["b"]), 1));
    replay(&mut world, &sub, "");
    assert_eq!(shown(&mut world, &sub, "ReplayStatus"), Value::Null);
    publish(&mut world, &topic, "e");
    assert_eq!(arrived(&mut world), (texts(&["e"]), 0));
}

#[test]
fn filter_policies_apply_to_replayed_messages() {
    let (mut world, topic, begun) = world();
    let attributes = json!({ "FilterPolicy": r#"{"kind":["b"]}"#, "ReplayPolicy": policy(begun, None) });
    world.subscribe(&topic, "q", attributes);
    world.pass(0);
    assert_eq!(arrived(&mut world), (texts(&["b"]), 1));
}

#[test]
fn messages_whose_retention_is_over_are_not_replayed() {
    let (mut world, topic, begun) = world();
    world.pass(30 * 86_400 - 150);
    let late = begun + crate::tests::secs(60);
    let sub = world.subscribe(&topic, "q", json!({ "ReplayPolicy": policy(late, None) }));
    world.pass(0);
    assert_eq!(arrived(&mut world), (texts(&["b", "c"]), 2));
    let error = world.sns_error("SetSubscriptionAttributes", set(&sub, "ReplayPolicy", &policy(begun, None)));
    assert!(
        error.ends_with("ReplayPolicy: StartingPoint is before the topic's BeginningArchiveTime"),
        "{error}"
    );
}

#[test]
fn a_replay_that_cannot_deliver_is_in_progress_and_a_new_one_takes_its_place() {
    let (mut world, topic, begun) = world();
    let sub = world.subscribe(&topic, "q", json!({}));
    world.operate(|core, _| core.begin_outage(&arn("q"), Outage::Unavailable));
    replay(&mut world, &sub, &policy(begun, None));
    assert_eq!(shown(&mut world, &sub, "ReplayStatus"), "In progress");
    assert_eq!(world.core.pendings.len(), 3);
    replay(&mut world, &sub, &policy(begun + crate::tests::secs(120), None));
    assert_eq!(world.core.pendings.len(), 1);
    world.operate(|core, now| core.end_outage(now, &arn("q")));
    world.pass(120);
    assert_eq!(arrived(&mut world), (texts(&["c"]), 1));
    assert_eq!(shown(&mut world, &sub, "ReplayStatus"), "Completed");
}

/// What was stopped must not wake up what waits behind it in its group.
#[test]
fn stopping_a_replay_leaves_live_messages_of_a_group_in_line() {
    let (mut world, topic, begun) = world();
    world.create_fifo("q.fifo", &[]);
    world.allow("q.fifo", &topic);
    let sub = world.subscribe(&topic, "q.fifo", json!({}));
    world.operate(|core, _| core.begin_outage(&arn("q.fifo"), Outage::Unavailable));
    publish(&mut world, &topic, "d");
    world.pass(1);
    world.facts();
    replay(&mut world, &sub, &policy(begun, None));
    replay(&mut world, &sub, "{}");
    // `d` is tried again when it would have been.
    assert_eq!(world.facts(), []);
    publish(&mut world, &topic, "e");
    world.facts();
    world.operate(|core, now| core.end_outage(now, &arn("q.fifo")));
    world.pass(120);
    let delivered = world.facts().into_iter().filter(|fact| matches!(fact, Fact::Delivered { .. }));
    assert_eq!(delivered.count(), 2);
    assert_eq!((world.core.pendings.len(), world.depth("q.fifo").0), (0, 2));
}

/// Subscribes a queue of another account, which has to confirm and is not there.
fn theirs(world: &mut World, topic: &str, begun: StackTime) -> String {
    let subscribe = json!({
        "TopicArn": topic,
        "Protocol": "sqs",
        "Endpoint": "arn:aws:sqs:eu-central-1:111111111111:q",
        "Attributes": { "ReplayPolicy": policy(begun, None) },
        "ReturnSubscriptionArn": true,
    });
    text(&world.sns_ok("Subscribe", subscribe)["SubscriptionArn"])
}

#[test]
fn a_replay_waits_for_the_confirmation_and_is_of_what_is_kept_then() {
    let (mut world, topic, begun) = world();
    let day = r#"{"MessageRetentionPeriod":1}"#;
    let shorter = json!({ "TopicArn": topic, "AttributeName": "ArchivePolicy", "AttributeValue": day });
    world.sns_ok("SetTopicAttributes", shorter);
    let sub = theirs(&mut world, &topic, begun);
    world.pass(86_400 - 150);
    assert_eq!(shown(&mut world, &sub, "ReplayStatus"), "Pending");
    world.facts();
    let token = world.core.token_of(&sub);
    world.sns_ok("ConfirmSubscription", json!({ "TopicArn": topic, "Token": token }));
    world.pass(0);
    let tried = world.facts().into_iter().filter(|fact| matches!(fact, Fact::Undelivered { .. }));
    assert_eq!(tried.count(), 2);
    assert_eq!(shown(&mut world, &sub, "ReplayStatus"), "Completed");
}

#[test]
fn a_replay_fails_without_an_archive() {
    let (mut world, topic, begun) = world();
    let sub = theirs(&mut world, &topic, begun);
    assert_eq!(shown(&mut world, &sub, "ReplayStatus"), "Pending");
    let off = json!({ "TopicArn": topic, "AttributeName": "ArchivePolicy", "AttributeValue": "{}" });
    world.sns_ok("SetTopicAttributes", off);
    let token = world.core.token_of(&sub);
    world.sns_ok("ConfirmSubscription", json!({ "TopicArn": topic, "Token": token }));
    assert_eq!(shown(&mut world, &sub, "ReplayStatus"), "Failed");
}

#[test]
fn bad_points_are_refused() {
    let (mut world, topic, begun) = world();
    let sub = world.subscribe(&topic, "q", json!({}));
    let before = StackTime::from_secs(begun.as_secs() - 1);
    let (now, later) = (world.now, world.now + crate::tests::secs(1));
    for (policy, expected) in [
        (policy(before, None), "StartingPoint is before the topic's BeginningArchiveTime"),
        (policy(later, None), "StartingPoint is in the future"),
        (policy(now, Some(begun)), "EndingPoint must be after StartingPoint"),
    ] {
        assert_eq!(
            world.sns_error("SetSubscriptionAttributes", set(&sub, "ReplayPolicy", &policy)),
            format!("InvalidParameter: Invalid parameter: ReplayPolicy: {expected}")
        );
    }
    let plain = world.topic("plain.fifo", json!({ "FifoTopic": "true" }));
    let subscribe = json!({
        "TopicArn": plain,
        "Protocol": "sqs",
        "Endpoint": arn("q"),
        "Attributes": { "ReplayPolicy": policy(begun, None) },
    });
    assert_eq!(
        world.sns_error("Subscribe", subscribe),
        "InvalidParameter: Invalid parameter: Attributes Reason: ReplayPolicy: the topic has no ArchivePolicy"
    );
}

#[test]
fn replayed_messages_have_metrics_of_their_own() {
    let (mut world, topic, begun) = world();
    let sub = world.subscribe(&topic, "q", json!({}));
    let sum = |world: &World, metric: &str| {
        let (now, of) = (world.now.as_secs(), ("TopicName", "t.fifo"));
        let stats = world.core.cloudwatch.stats_of(Place::HOME, "AWS/SNS", metric, &[of], now - 60..now);
        stats.map(|stats| stats.sum)
    };
    replay(&mut world, &sub, &policy(begun, None));
    world.pass(60);
    assert_eq!(sum(&world, "NumberOfNotificationsDelivered"), Some(3.0));
    assert_eq!(sum(&world, "NumberOfReplayedNotificationsDelivered"), Some(3.0));
    assert_eq!(sum(&world, "NumberOfReplayedNotificationsFailed"), None);
    world.allow("q", "arn:aws:sns:eu-central-1:123456789012:other");
    replay(&mut world, &sub, &policy(begun + crate::tests::secs(120), None));
    world.pass(60);
    assert_eq!(sum(&world, "NumberOfReplayedNotificationsFailed"), Some(1.0));
    assert_eq!(sum(&world, "NumberOfReplayedNotificationsDelivered"), None);
}
