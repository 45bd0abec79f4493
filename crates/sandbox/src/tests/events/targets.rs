//! PutTargets, RemoveTargets and ListTargetsByRule.

use serde_json::{Value, json};

use super::bus_arn;
use crate::tests::{World, arn};

const ROLE: &str = "arn:aws:iam::123456789012:role/r";

fn world() -> World {
    let mut world = World::new();
    world.rule("default", "r");
    world
}

fn put(targets: Value) -> Value {
    json!({ "Rule": "r", "Targets": targets })
}

/// What one more target is refused with.
fn refused(world: &mut World, more: Value) -> String {
    let target = super::with(json!({ "Id": "t", "Arn": arn("q") }), more);
    let error = world.events_error("PutTargets", put(json!([target])));
    assert_eq!(world.events_ok("ListTargetsByRule", json!({ "Rule": "r" })), json!({ "Targets": [] }));
    error.strip_prefix("ValidationException: ").unwrap_or(&error).to_owned()
}

#[test]
fn a_target_is_shown_as_it_was_given_and_replaced_by_its_id() {
    let mut world = world();
    let target = json!({
        "Id": "t",
        "Arn": arn("q.fifo"),
        "RoleArn": ROLE,
        "InputTransformer": { "InputPathsMap": { "a": "$.detail.a" }, "InputTemplate": "\"<a>\"" },
        "SqsParameters": { "MessageGroupId": "g" },
        "DeadLetterConfig": { "Arn": arn("dlq") },
        "RetryPolicy": { "MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60 },
    });
    let answer = json!({ "FailedEntryCount": 0, "FailedEntries": [] });
    assert_eq!(world.events_ok("PutTargets", put(json!([target]))), answer);
    assert_eq!(world.events_ok("ListTargetsByRule", json!({ "Rule": "r" })), json!({ "Targets": [target] }));
    let other = json!({ "Id": "t", "Arn": arn("q") });
    world.events_ok("PutTargets", put(json!([other])));
    assert_eq!(world.events_ok("ListTargetsByRule", json!({ "Rule": "r" })), json!({ "Targets": [other] }));
}

#[test]
fn a_rule_has_at_most_five_targets() {
    let mut world = world();
    let targets: Vec<_> = (0..6).map(|n| json!({ "Id": n.to_string(), "Arn": arn("q") })).collect();
    assert_eq!(
        world.events_error("PutTargets", put(json!(targets))),
        "LimitExceededException: The requested resource exceeds the maximum number allowed."
    );
    world.events_ok("PutTargets", put(json!(targets[..5])));
    // One that is there already is not one more.
    world.events_ok("PutTargets", put(json!(targets[..1])));
    assert!(world.events("PutTargets", put(json!(targets[5..]))).is_err());
}

#[test]
fn targets_are_removed_by_id_and_an_unknown_id_fails_alone() {
    let mut world = world();
    world.events_ok(
        "PutTargets",
        put(json!([{ "Id": "a", "Arn": arn("q") }, { "Id": "b", "Arn": arn("q") }])),
    );
    let removed = world.events_ok("RemoveTargets", json!({ "Rule": "r", "Ids": ["none", "a"] }));
    assert_eq!(
        (&removed["FailedEntryCount"], &removed["FailedEntries"][0]["TargetId"]),
        (&json!(1), &json!("none"))
    );
    assert_eq!(removed["FailedEntries"][0]["ErrorCode"], "ResourceNotFoundException");
    let left = world.events_ok("ListTargetsByRule", json!({ "Rule": "r" }));
    assert_eq!(left, json!({ "Targets": [{ "Id": "b", "Arn": arn("q") }] }));
}

#[test]
fn ids_and_policies_have_limits() {
    let mut world = world();
    assert_eq!(
        refused(&mut world, json!({ "Id": "!@" })),
        "1 validation error detected: Value '!@' at 'targets.1.member.id' failed to satisfy constraint: Member \
         must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+"
    );
    let long = "x".repeat(65);
    assert_eq!(
        refused(&mut world, json!({ "Id": long })),
        format!(
            "1 validation error detected: Value '{long}' at 'targets.1.member.id' failed to satisfy constraint: \
             Member must have length less than or equal to 64"
        )
    );
    let retry = |policy: Value| json!({ "RetryPolicy": policy });
    for policy in [
        json!({ "MaximumRetryAttempts": 186 }),
        json!({ "MaximumRetryAttempts": -1 }),
        json!({ "MaximumEventAgeInSeconds": 59 }),
        json!({ "MaximumEventAgeInSeconds": 86_401 }),
    ] {
        let error = refused(&mut world, retry(policy));
        assert!(error.contains("at 'targets.1.member.retryPolicy.maximum"), "{error}");
    }
    let group = json!({ "SqsParameters": { "MessageGroupId": "x".repeat(101) } });
    assert!(refused(&mut world, group).contains("'targets.1.member.sqsParameters.messageGroupId'"));
}

#[test]
fn an_id_must_not_come_twice() {
    let mut world = world();
    let targets = json!([{ "Id": "a", "Arn": arn("q") }, { "Id": "a", "Arn": arn("p") }]);
    assert_eq!(
        world.events_error("PutTargets", put(targets)),
        "ValidationException: Parameter targets is not valid. Reason: More than one target with Id 'a' is provided."
    );
}

#[test]
fn what_is_no_arn_or_no_target_is_refused() {
    let mut world = world();
    assert_eq!(
        refused(&mut world, json!({ "Arn": "q" })),
        "Parameter q is not valid. Reason: Provided Arn is not in correct format."
    );
    let states = json!({ "Arn": "arn:aws:states:eu-central-1:123456789012:stateMachine:s" });
    assert_eq!(
        refused(&mut world, states),
        "NotImplementedException: a target of the service states is not implemented in havoq's sandbox yet"
    );
}

#[test]
fn a_fifo_queue_needs_a_message_group_id() {
    let mut world = world();
    assert_eq!(
        refused(&mut world, json!({ "Arn": arn("q.fifo") })),
        "Parameter(s) SqsParameters must be specified for target: t."
    );
}

#[test]
fn a_bus_needs_a_role_and_takes_events_as_they_are() {
    let mut world = world();
    let bus = bus_arn("other");
    assert_eq!(refused(&mut world, json!({ "Arn": bus })), format!("RoleArn is required for target {bus}."));
    let shaped = json!({ "Arn": bus, "RoleArn": ROLE, "InputPath": "$.detail" });
    assert!(refused(&mut world, shaped).starts_with("NotImplementedException"));
}

#[test]
fn a_dead_letter_queue_is_a_standard_queue_of_the_same_region() {
    let mut world = world();
    let dlq = |arn: &str| json!({ "DeadLetterConfig": { "Arn": arn } });
    for (arn, error) in [
        (arn("q.fifo"), "SQS FIFO is not supported by Dead Letter Queues."),
        (super::super::sns::topic_arn("t"), "sns is not supported as a dead letter resource."),
    ] {
        assert_eq!(refused(&mut world, dlq(&arn)), error);
    }
    let elsewhere = "arn:aws:sqs:us-east-1:123456789012:q";
    assert!(refused(&mut world, dlq(elsewhere)).ends_with("is not in the same Region."));
}

#[test]
fn of_input_path_and_transformer_there_is_one_and_a_sound_one() {
    let mut world = world();
    let transformer = |template: &str| json!({ "InputTransformer": { "InputPathsMap": { "a": "$.detail.a" }, "InputTemplate": template } });
    for (more, error) in [
        (
            super::with(transformer("\"<a>\""), json!({ "InputPath": "$.detail" })),
            "Only one of Input, InputPath, or InputTransformer must be provided for target t.",
        ),
        (json!({ "Input": "bare" }), "JSON syntax error in input for target t."),
        (json!({ "InputPath": "$.detail['a']" }), "InputPath for target t is invalid."),
        (json!({ "InputPath": "detail" }), "InputPath for target t is invalid."),
        (transformer("\"<b>\""), "InputTemplate for target t contains invalid placeholder b."),
        (
            transformer("\"<aws.events.event.json>\""),
            "InputTemplate for target t contains placeholder aws.events.event.json valid only for JSON template.",
        ),
    ] {
        assert_eq!(refused(&mut world, more), error);
    }
    assert!(refused(&mut world, transformer("{<a>: 1}")).starts_with("Invalid InputTemplate for target t"));
    assert!(refused(&mut world, transformer(&"x".repeat(8_193))).contains("inputTemplate"));
    let paths: serde_json::Map<_, _> = (0..101).map(|n| (format!("p{n}"), json!("$.id"))).collect();
    let many = json!({ "InputTransformer": { "InputPathsMap": paths, "InputTemplate": "\"x\"" } });
    assert!(refused(&mut world, many).contains("Member must have length less than or equal to 100"));
}

#[test]
fn targets_are_those_of_a_rule_that_exists() {
    let mut world = World::new();
    for operation in ["PutTargets", "RemoveTargets", "ListTargetsByRule"] {
        assert_eq!(
            world.events_error(operation, json!({ "Rule": "r" })),
            "ResourceNotFoundException: Rule r does not exist on EventBus default."
        );
    }
}
