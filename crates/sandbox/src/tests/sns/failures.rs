//! Deliveries that fail for good (semantics 2.3).

use serde_json::json;

use crate::fact::Fact;
use crate::tests::{World, arn};

/// `t` with `q` subscribed, and `dlq` as the subscription's dead-letter queue.
fn world(raw: &str) -> (World, String, String) {
    let mut world = World::new();
    world.queue("q");
    world.queue("dlq");
    let topic = world.topic("t", json!({}));
    let redrive = json!({ "deadLetterTargetArn": arn("dlq") }).to_string();
    let sub = world.subscribe(&topic, "q", json!({ "RawMessageDelivery": raw, "RedrivePolicy": redrive }));
    (world, topic, sub)
}

fn delete_queue(world: &mut World, queue: &str) {
    world.on(queue, |core, now, id| core.delete_queue(now, id)).expect("deleted");
}

#[test]
fn a_client_side_error_skips_all_retries() {
    let (mut world, topic, sub) = world("false");
    delete_queue(&mut world, "q");
    world.facts();
    let id = world.publish(&topic, "a");
    assert_eq!(world.depth("dlq"), (1, 0, 0));
    assert_eq!(world.core.timers.next_delivery(), None);
    match &world.facts()[..] {
        [
            Fact::Published { .. },
            Fact::DeadLettered { channel: topic, subscription, message_id, attempts, to, reason, .. },
        ] => {
            assert_eq!((&**topic, subscription, message_id.as_str()), ("t", &sub, &*id));
            assert_eq!((*attempts, &**to, &**reason), (1, "dlq", "the queue does not exist"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_dead_letter_is_the_same_envelope_and_says_nothing_of_the_cause() {
    let (mut world, topic, sub) = world("false");
    delete_queue(&mut world, "q");
    let attributes = json!({ "attr1": { "DataType": "Number", "StringValue": "111" } });
    let id = world.publish_with(&topic, json!({ "Message": "a", "MessageAttributes": attributes }));
    let message = world.one("dlq");
    let envelope: serde_json::Value = serde_json::from_str(&message.content.body).expect("JSON");
    assert_eq!((&envelope["Type"], &envelope["MessageId"]), (&json!("Notification"), &json!(id)));
    assert!(envelope["UnsubscribeURL"].as_str().is_some_and(|url| url.ends_with(&sub)));
    assert_eq!(envelope["MessageAttributes"]["attr1"]["Value"], "111");
    assert!(message.content.attributes.is_empty());
}

#[test]
fn a_raw_dead_letter_is_the_message_with_its_attributes() {
    let (mut world, topic, _) = world("true");
    delete_queue(&mut world, "q");
    let attributes = json!({ "attr1": { "DataType": "Number", "StringValue": "111" } });
    world.publish_with(&topic, json!({ "Message": "a", "MessageAttributes": attributes }));
    let message = world.one("dlq");
    assert_eq!(message.content.body, "a");
    assert_eq!(message.content.attributes.len(), 1);
}

#[test]
fn a_failing_endpoint_stays_subscribed() {
    let (mut world, topic, sub) = world("false");
    delete_queue(&mut world, "q");
    world.publish(&topic, "a");
    let shown = world.sns_ok("GetSubscriptionAttributes", json!({ "SubscriptionArn": sub }));
    assert_eq!(shown["Attributes"]["PendingConfirmation"], "false");
    world.pass(60);
    world.queue("q");
    world.publish(&topic, "b");
    assert_eq!(world.envelopes("q")[0]["Message"], "b");
}

#[test]
fn without_a_dead_letter_queue_the_message_is_lost() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    world.subscribe(&topic, "none", json!({}));
    world.facts();
    world.publish(&topic, "a");
    assert!(
        matches!(&world.facts()[1], Fact::Undelivered { reason, .. } if reason == "the queue does not exist")
    );
}

#[test]
fn with_a_dead_letter_queue_that_does_not_take_it_the_message_is_lost() {
    let (mut world, topic, _) = world("false");
    delete_queue(&mut world, "q");
    delete_queue(&mut world, "dlq");
    world.facts();
    world.publish(&topic, "a");
    assert!(matches!(&world.facts()[1], Fact::Undelivered { reason, .. }
        if reason == "the queue does not exist; dead-letter queue: the queue does not exist"));
}

#[test]
fn what_is_on_its_way_to_a_deleted_subscription_is_lost() {
    let (mut world, topic, sub) = world("false");
    world.sns_ok("Publish", json!({ "TopicArn": topic, "Message": "a" }));
    world.facts();
    let input = crate::sqs::parse(json!({ "SubscriptionArn": sub })).expect("an input");
    // Nothing is delivered between the two calls.
    world.core.unsubscribe(world.now, input, crate::sns::Signed::Yes).expect("unsubscribed");
    world.pass(0);
    assert!(matches!(&world.facts()[..], [Fact::Undelivered { attempts: 0, .. }]));
    assert_eq!(world.depth("dlq"), (0, 0, 0));
}

#[test]
fn a_queue_policy_that_does_not_allow_the_topic_is_a_client_side_error() {
    let (mut world, topic, _) = world("false");
    world.allow("q", "arn:aws:sns:eu-central-1:123456789012:other");
    world.facts();
    world.publish(&topic, "a");
    assert_eq!((world.depth("q"), world.depth("dlq")), ((0, 0, 0), (1, 0, 0)));
    let facts = world.facts();
    assert!(matches!(
        &facts[..],
        [Fact::Published { .. }, Fact::Denied { .. }, Fact::DeadLettered { attempts: 1, .. }]
    ));
}

/// Two public reports: a denied or missing queue must not show at the publisher.
#[test]
fn subscriber_failure_is_never_visible_to_the_publisher() {
    let (mut world, topic, _) = world("false");
    world.set("q", "Policy", "").expect("taken away");
    let entries = json!([{ "Id": "1", "Message": "denied" }]);
    let batch =
        world.sns_ok("PublishBatch", json!({ "TopicArn": topic, "PublishBatchRequestEntries": entries }));
    assert_eq!(batch["Failed"], json!([]));
    world.pass(0);
    delete_queue(&mut world, "q");
    assert!(world.sns("Publish", json!({ "TopicArn": topic, "Message": "missing" })).is_ok());
    world.pass(0);
    let mut texts: Vec<_> =
        world.envelopes("dlq").iter().map(|envelope| envelope["Message"].to_string()).collect();
    texts.sort();
    assert_eq!(texts, ["\"denied\"", "\"missing\""]);
}

#[test]
fn a_dead_letter_queue_needs_a_policy_of_its_own() {
    let (mut world, topic, _) = world("false");
    delete_queue(&mut world, "q");
    world.set("dlq", "Policy", "").expect("taken away");
    world.facts();
    world.publish(&topic, "a");
    assert_eq!(world.depth("dlq"), (0, 0, 0));
    assert!(
        matches!(world.facts().last(), Some(Fact::Undelivered { reason, .. }) if reason.contains("policy"))
    );
}
