//! Dead-letter queues of schedules.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{ROLE, schedule_arn};
use crate::fact::Fact;
use crate::targets::Outage;
use crate::tests::{World, arn, text};

/// A one-time schedule with a dead-letter queue.
fn world(target: Value) -> World {
    let mut world = World::new();
    world.create("dlq", &[]);
    let mut members = json!({ "Target": { "DeadLetterConfig": { "Arn": arn("dlq") } } });
    super::merge(&mut members["Target"], target);
    world.schedule("at(2027-01-15T08:00:01)", "q", members);
    world
}

/// The body and the attributes of the one dead letter.
fn letter(world: &mut World) -> (String, BTreeMap<String, String>) {
    let members = json!({ "MessageAttributeNames": ["All"] });
    let message = world.answer("dlq", members)["Messages"][0].clone();
    let attributes = message["MessageAttributes"].as_object().expect("attributes");
    let attributes = attributes.iter().map(|(name, value)| (name.clone(), text(&value["StringValue"])));
    (text(&message["Body"]), attributes.collect())
}

#[test]
fn a_target_that_does_not_exist_is_told_at_once_in_the_service_s_words() {
    let mut world = world(json!({ "Input": "<aws.scheduler.scheduled-time>" }));
    world.pass(1);
    let (body, mut attributes) = letter(&mut world);
    assert_eq!(body, "2027-01-15T08:00:01Z");
    assert_eq!(attributes.remove("EXECUTION_ID").map(|id| id.len()), Some(16));
    let expected = [
        ("ERROR_CODE", "AWS.SimpleQueueService.NonExistentQueue"),
        ("ERROR_MESSAGE", "The specified queue does not exist for this wsdl version."),
        ("IS_PAYLOAD_TRUNCATED", "false"),
        ("RETRY_ATTEMPTS", "0"),
        ("SCHEDULED_TIME", "2027-01-15T08:00:01Z"),
        ("SCHEDULE_ARN", &schedule_arn("s")),
        ("TARGET_ARN", "arn:aws:scheduler:::aws-sdk:sqs:sendMessage"),
    ];
    let expected: BTreeMap<_, _> = expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    assert_eq!(attributes, expected);
    assert!(matches!(
        &world.facts()[..],
        [Fact::Published { .. }, Fact::DeadLettered { to, attempts: 1, .. }] if to == "dlq"
    ));
}

#[test]
fn a_retry_policy_that_is_used_up_is_told() {
    for (policy, condition, retries) in [
        (json!({ "MaximumRetryAttempts": 2 }), "MaximumRetryAttempts", 2..=2),
        (json!({ "MaximumEventAgeInSeconds": 60 }), "MaximumEventAgeInSeconds", 5..=6),
    ] {
        let mut world = world(json!({ "RetryPolicy": policy }));
        world.create("q", &[]);
        world.operate(|core, _| core.begin_outage(&arn("q"), Outage::Throttled));
        world.pass(61);
        let (_, attributes) = letter(&mut world);
        assert_eq!(attributes["EXHAUSTED_RETRY_CONDITION"], condition);
        assert_eq!(attributes["ERROR_CODE"], "RequestThrottled");
        let made: u32 = attributes["RETRY_ATTEMPTS"].parse().expect("a number");
        assert!(retries.contains(&made), "{made}");
    }
}

/// Semantics 3.8: nobody looked at the input when the schedule was made.
#[test]
fn a_universal_target_with_a_bad_request_fails_each_time() {
    let target = |input: &str| json!({ "Arn": "arn:aws:scheduler:::aws-sdk:sqs:sendMessage", "RoleArn": ROLE, "Input": input });
    for (input, code) in [
        ("no JSON", "InvalidParameterValue"),
        (r#"{"MessageBody":"x"}"#, "InvalidParameterValue"),
        (
            r#"{"MessageBody":"x","QueueUrl":"https://h/123456789012/q"}"#,
            "AWS.SimpleQueueService.NonExistentQueue",
        ),
    ] {
        let mut world = world(target(input));
        world.pass(1);
        let (body, attributes) = letter(&mut world);
        assert_eq!((&*body, &*attributes["ERROR_CODE"]), (input, code));
    }
}

#[test]
fn the_queue_s_policy_may_keep_the_role_out() {
    let mut world = world(json!({}));
    let deny = json!({ "Statement": [{
        "Effect": "Deny", "Principal": { "AWS": ROLE }, "Action": "sqs:SendMessage", "Resource": arn("dlq"),
    }] });
    world.set("dlq", "Policy", &deny.to_string()).expect("set");
    world.pass(1);
    assert_eq!(world.depth("dlq"), (0, 0, 0));
    let facts = world.facts();
    assert!(matches!(facts.last(), Some(Fact::Undelivered { .. })), "{facts:?}");
}
