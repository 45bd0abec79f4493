//! Deliveries that fail for good, and dead-letter queues (semantics 3.4).

use serde_json::{Value, json};

use super::{DEFAULT_RULE, world};
use crate::fact::Fact;
use crate::tests::{World, arn};

impl World {
    /// The attributes of the one message in `dlq`, as a client sees them.
    pub(super) fn dead_letter(&mut self) -> Value {
        let answer = self.answer("dlq", json!({ "MessageAttributeNames": ["All"] }));
        assert_eq!(answer["Messages"].as_array().map(Vec::len), Some(1));
        let attributes = answer["Messages"][0]["MessageAttributes"].as_object().cloned().unwrap_or_default();
        attributes.into_iter().map(|(name, attribute)| (name, attribute["StringValue"].clone())).collect()
    }

    pub(super) fn remove_queue(&mut self, queue: &str) {
        self.on(queue, |core, now, id| core.delete_queue(now, id)).expect("deleted");
    }
}

pub(super) fn with_dlq() -> World {
    let mut world = world(json!({ "DeadLetterConfig": { "Arn": arn("dlq") } }));
    world.rule_queue("dlq");
    world
}

#[test]
fn a_missing_target_is_not_retried() {
    let mut world = with_dlq();
    world.remove_queue("q");
    let id = world.put("default", json!({ "a": 1 }));
    assert_eq!(world.core.timers.next_delivery(), None);
    assert_eq!(
        world.dead_letter(),
        json!({
            "RULE_ARN": DEFAULT_RULE,
            "TARGET_ARN": arn("q"),
            "ERROR_CODE": "NO_RESOURCE",
            "ERROR_MESSAGE": "the queue does not exist",
            "RETRY_ATTEMPTS": "0",
        })
    );
    world.pass(30);
    let event = &world.documents("dlq")[0];
    assert_eq!((&event["id"], &event["detail"]), (&json!(id), &json!({ "a": 1 })));
}

/// Two public reports: what happens to a target must not show at whoever puts the event.
#[test]
fn delivery_to_a_denied_or_missing_queue_goes_to_the_dead_letter_queue_and_the_publisher_sees_success() {
    let mut world = with_dlq();
    world.let_rules("q", "arn:aws:events:eu-central-1:123456789012:rule/other");
    // `put` asserts the success.
    world.put("default", json!({ "case": "denied" }));
    world.remove_queue("q");
    world.put("default", json!({ "case": "missing" }));
    let mut cases: Vec<_> =
        world.documents("dlq").iter().map(|event| event["detail"]["case"].to_string()).collect();
    cases.sort();
    assert_eq!(cases, ["\"denied\"", "\"missing\""]);
}

#[test]
fn a_refusal_is_told_with_who_refused() {
    let mut world = with_dlq();
    world.set("q", "Policy", "").expect("taken away");
    world.facts();
    world.put("default", json!({}));
    match &world.facts()[..] {
        [
            Fact::Published { .. },
            Fact::Denied { queue, principal, .. },
            Fact::DeadLettered { attempts: 1, to, reason, given_id: Some(_), .. },
        ] => {
            assert_eq!((&**queue, &**principal, &**to), ("q", "events.amazonaws.com", "dlq"));
            assert_eq!(reason, "NO_PERMISSIONS: the queue's policy does not allow it");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(world.dead_letter()["ERROR_CODE"], "NO_PERMISSIONS");
}

#[test]
fn without_a_dead_letter_queue_the_event_is_dropped() {
    let mut world = world(json!({}));
    world.remove_queue("q");
    world.facts();
    world.put("default", json!({}));
    assert!(matches!(&world.facts()[1], Fact::Undelivered { reason, .. }
        if reason == "NO_RESOURCE: the queue does not exist"));
}

/// A public report: the queue is there, and nothing arrives.
#[test]
fn a_dead_letter_queue_without_a_policy_gets_nothing_and_is_counted() {
    let mut world = with_dlq();
    world.remove_queue("q");
    world.set("dlq", "Policy", "").expect("taken away");
    world.facts();
    world.put("default", json!({}));
    assert_eq!(world.depth("dlq"), (0, 0, 0));
    assert!(matches!(world.facts().last(), Some(Fact::Undelivered { reason, .. })
        if reason == "NO_RESOURCE: the queue does not exist; dead-letter queue: the queue's policy does not allow it"));
    world.pass(60);
    assert_eq!(world.rule_metric("InvocationsFailedToBeSentToDlq"), Some(1.0));
    assert_eq!(world.rule_metric("InvocationsSentToDlq"), None);
}

#[test]
fn the_policy_of_a_dead_letter_queue_must_name_the_rule() {
    let mut world = with_dlq();
    world.remove_queue("q");
    world.let_rules("dlq", "arn:aws:events:eu-central-1:123456789012:rule/other");
    world.put("default", json!({}));
    assert_eq!(world.depth("dlq"), (0, 0, 0));
    world.let_rules("dlq", DEFAULT_RULE);
    world.put("default", json!({}));
    assert_eq!(world.depth("dlq"), (1, 0, 0));
}

#[test]
fn each_target_has_a_dead_letter_queue_of_its_own() {
    let mut world = with_dlq();
    world.rule_queue("other-dlq");
    let other = json!({ "Id": "u", "Arn": arn("none"), "DeadLetterConfig": { "Arn": arn("other-dlq") } });
    world.target("default", "r", other);
    world.put("default", json!({}));
    assert_eq!(
        (world.depth("q"), world.depth("dlq"), world.depth("other-dlq")),
        ((1, 0, 0), (0, 0, 0), (1, 0, 0))
    );
}
