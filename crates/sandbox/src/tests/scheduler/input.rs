//! What CreateSchedule refuses, in AWS's words.

use serde_json::{Value, json};

use super::{ROLE, schedule};
use crate::tests::{World, arn};

fn refusal(members: Value) -> String {
    let (code, text) = World::new().scheduler_error("CreateSchedule", members);
    assert!(matches!(&*code, "ValidationException" | "NotImplementedException"), "{code}: {text}");
    text
}

fn with(more: Value) -> String {
    refusal(schedule("s", "rate(1 hour)", "q", more))
}

#[test]
fn an_expression_that_is_none_is_repeated() {
    for expression in ["cron(0 1 * * * *)", "rate(10 seconds)", " rate(10 minutes)", "at(2021-12-31)"] {
        let text = refusal(schedule("s", expression, "q", json!({})));
        assert_eq!(text, format!("Invalid Schedule Expression {expression}."));
    }
}

#[test]
fn the_members_are_checked_all_at_once() {
    let text = refusal(json!({ "Name": "a b", "State": "ON", "Target": { "RoleArn": "r" } }));
    for part in [
        "6 validation errors detected: ",
        "Value 'a b' at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: [0-9a-zA-Z-_.]+",
        "Value null at 'scheduleExpression' failed to satisfy constraint: Member must not be null",
        "Value 'ON' at 'state' failed to satisfy constraint: Member must satisfy enum value set: [ENABLED, DISABLED]",
        "Value null at 'flexibleTimeWindow' failed to satisfy constraint: Member must not be null",
        "Value null at 'target.arn' failed to satisfy constraint: Member must not be null",
        "Value 'r' at 'target.roleArn' failed to satisfy constraint: Member must satisfy regular expression pattern: ",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_target_and_its_parameters_fit_each_other() {
    let fifo = json!({ "Target": { "Arn": arn("q.fifo") } });
    assert_eq!(with(fifo), "Parameters SqsParameters must be specified.");
    let group = json!({ "Target": { "SqsParameters": { "MessageGroupId": "g" } } });
    assert_eq!(with(group), "Parameters MessageGroupId not valid for the target.");
    let ecs = json!({ "Target": { "EcsParameters": { "TaskDefinitionArn": "t" } } });
    assert_eq!(with(ecs), "Parameters EcsParameters not supported for the target.");
    let bus = "arn:aws:events:eu-central-1:123456789012:event-bus/default";
    let bus = json!({ "Target": { "Arn": bus, "Input": "{}" } });
    assert_eq!(with(bus), "Parameters EventBridgeParameters must be specified.");
    let function = "arn:aws:lambda:eu-central-1:123456789012:function:f";
    assert_eq!(with(json!({ "Target": { "Arn": function } })), "JSON syntax error in input for the target.");
    let elsewhere = "arn:aws:sqs:us-east-1:123456789012:q";
    assert_eq!(
        with(json!({ "Target": { "Arn": elsewhere } })),
        "The target ARN provided does not match the current region eu-central-1."
    );
    let rds = "arn:aws:rds:eu-central-1:123456789012:db:d";
    assert_eq!(with(json!({ "Target": { "Arn": rds } })), "rds is not a supported service for a target.");
    let states = "arn:aws:states:eu-central-1:123456789012:stateMachine:m";
    assert_eq!(
        with(json!({ "Target": { "Arn": states } })),
        "a target of the service states is not implemented in havoq's sandbox yet"
    );
}

#[test]
fn universal_targets_need_an_input_and_an_operation_that_changes_something() {
    let universal = |action: &str, input: Value| {
        let arn = format!("arn:aws:scheduler:::aws-sdk:{action}");
        refusal(json!({
            "Name": "s",
            "ScheduleExpression": "rate(1 hour)",
            "FlexibleTimeWindow": { "Mode": "OFF" },
            "Target": { "Arn": arn, "RoleArn": ROLE, "Input": input },
        }))
    };
    assert_eq!(
        universal("sqs:sendMessage", Value::Null),
        "You must provide an input to set this target for your schedule."
    );
    assert_eq!(universal("sqs:getQueueUrl", json!("{}")), "getQueueUrl API is not supported.");
    assert_eq!(
        universal("ec2:startInstances", json!("{}")),
        "the universal target ec2:startInstances is not implemented in havoq's sandbox yet"
    );
}

#[test]
fn a_window_has_a_length_if_it_is_flexible_and_only_then() {
    let window = |mode: &str, minutes: Value| {
        with(json!({ "FlexibleTimeWindow": { "Mode": mode, "MaximumWindowInMinutes": minutes } }))
    };
    assert_eq!(
        window("OFF", json!(5)),
        "MaximumWindowInMinutes must not be provided when FlexibleTimeWindowMode is set to OFF."
    );
    assert!(window("FLEXIBLE", Value::Null).starts_with("MaximumWindowInMinutes must be provided"));
    assert!(window("FLEXIBLE", json!(1_441)).contains("less than or equal to 1440"));
}

#[test]
fn dates_come_in_their_order_and_a_start_is_not_long_over() {
    let start_end = |start: u64, end: u64| with(json!({ "StartDate": start, "EndDate": end }));
    assert_eq!(
        start_end(1_800_000_900, 1_800_000_900),
        "The StartDate you specify must come before the EndDate."
    );
    assert_eq!(
        with(json!({ "StartDate": 1_800_000_000 - 301 })),
        "The StartDate you specify cannot be earlier than 5 minutes ago."
    );
    let mut world = World::new();
    world.schedule("rate(1 hour)", "q", json!({ "StartDate": 1_800_000_000 - 300 }));
}

#[test]
fn a_time_zone_is_one_of_iana() {
    let text = with(json!({ "ScheduleExpressionTimezone": "Mars/Olympus_Mons" }));
    assert_eq!(text, "Invalid ScheduleExpressionTimezone.");
}

#[test]
fn a_dead_letter_queue_is_a_standard_one_and_a_retry_policy_has_limits() {
    let text = with(json!({ "Target": { "DeadLetterConfig": { "Arn": arn("dlq.fifo") } } }));
    assert!(text.contains("'target.deadLetterConfig.arn' failed to satisfy constraint"), "{text}");
    let policy = json!({ "MaximumRetryAttempts": 186, "MaximumEventAgeInSeconds": 59 });
    let text = with(json!({ "Target": { "RetryPolicy": policy } }));
    assert!(text.starts_with("2 validation errors detected"), "{text}");
}
