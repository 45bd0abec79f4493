//! What alarms do when their state changes (semantics 4.2).

use serde_json::{Value, json};

use super::{START, World, on_custom};
use crate::cloudwatch::AlarmState;
use crate::fact::Fact;

const TOPIC: &str = "arn:aws:sns:eu-central-1:123456789012:oncall";

fn world(members: Value) -> World {
    let mut world = World::new();
    assert_eq!(world.action_topic("oncall"), TOPIC);
    let mut all =
        json!({ "AlarmActions": [TOPIC], "OKActions": [TOPIC], "TreatMissingData": "notBreaching" });
    members.as_object().into_iter().flatten().for_each(|(member, value)| all[member] = value.clone());
    world.put_metric_alarm(on_custom("a", &all)).expect("it is put");
    world
}

/// The texts that were published last, by protocol.
fn published(world: &mut World) -> Value {
    let types = ["MetricAlarm", "CompositeAlarm"];
    let items = world.history(json!({ "HistoryItemType": "Action", "AlarmTypes": types }));
    let data: Value = serde_json::from_str(items[0]["HistoryData"].as_str().expect("a text")).expect("JSON");
    serde_json::from_str(data["publishedMessage"].as_str().expect("a text")).expect("JSON")
}

#[test]
fn the_notification_of_a_metric_alarm_has_aws_s_members_in_aws_s_order() {
    let mut world = world(json!({
        "AlarmDescription": "why",
        "Unit": "Seconds",
        "Statistic": "SampleCount",
        "Threshold": 0.0,
        "Dimensions": [{ "Name": "InstanceId", "Value": "abc" }],
    }));
    let dimensions = json!([{ "Name": "InstanceId", "Value": "abc" }]);
    let datum = json!([{ "MetricName": "m", "Value": 1.0, "Unit": "Seconds", "Dimensions": dimensions }]);
    world.put_data("Custom", datum).expect("it is put");
    world.pass(60);
    let texts = published(&mut world);
    assert_eq!(texts["sms"], "ALARM: \"a\" in EU (Frankfurt)");
    let expected = json!({
        "AlarmName": "a",
        "AlarmDescription": "why",
        "AWSAccountId": "123456789012",
        "AlarmConfigurationUpdatedTimestamp": "2027-01-15T08:00:00.000+0000",
        "NewStateValue": "ALARM",
        "NewStateReason":
            "Threshold Crossed: 1 datapoint [1.0 (15/01/27 08:00:00)] was greater than the threshold (0.0).",
        "StateChangeTime": "2027-01-15T08:01:00.000+0000",
        "Region": "EU (Frankfurt)",
        "AlarmArn": "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:a",
        "OldStateValue": "INSUFFICIENT_DATA",
        "OKActions": [TOPIC],
        "AlarmActions": [TOPIC],
        "InsufficientDataActions": [],
        "ActionExecutedAfterMuteWindow": false,
        "Trigger": {
            "MetricName": "m",
            "Namespace": "Custom",
            "StatisticType": "Statistic",
            "Statistic": "SAMPLE_COUNT",
            "Unit": "Seconds",
            "Dimensions": [{ "value": "abc", "name": "InstanceId" }],
            "Period": 60,
            "EvaluationPeriods": 1,
            "ComparisonOperator": "GreaterThanThreshold",
            "Threshold": 0.0,
            "TreatMissingData": "notBreaching",
            "EvaluateLowSampleCountPercentile": "",
        },
    });
    // As texts, because the order counts.
    assert_eq!(texts["default"].as_str(), Some(expected.to_string().as_str()));
}

#[test]
fn the_notification_of_a_composite_alarm_tells_its_rule_and_the_children_that_changed() {
    let mut world = world(json!({}));
    let composite = json!({ "AlarmName": "c", "AlarmRule": "ALARM(a)", "AlarmActions": [TOPIC] });
    world.put_composite(composite).expect("it is put");
    world.pass(10);
    world.set_state("a", "ALARM");
    let texts = published(&mut world);
    let message: Value = serde_json::from_str(texts["default"].as_str().expect("a text")).expect("JSON");
    assert_eq!(message["AlarmRule"], "ALARM(a)");
    assert_eq!(message["OldStateValue"], "OK");
    let arn = "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:a";
    assert_eq!(
        message["NewStateReason"],
        format!("{arn} transitioned to ALARM at Friday 15 January, 2027 08:00:10 UTC")
    );
    let state = json!({ "Value": "ALARM", "Timestamp": "2027-01-15T08:00:10.000+0000" });
    assert_eq!(message["TriggeringChildren"], json!([{ "Arn": arn, "State": state }]));
    assert_eq!(message["Trigger"], Value::Null);
}

/// Case C4: while ALARM lasts nothing is repeated (semantics 4.2).
#[test]
fn a_second_dead_letter_while_in_alarm_sends_no_second_action() {
    let mut world = World::new();
    world.action_topic("oncall");
    world.create("dlq", &[]);
    let members = json!({
        "Namespace": "AWS/SQS",
        "MetricName": "ApproximateNumberOfMessagesVisible",
        "Dimensions": [{ "Name": "QueueName", "Value": "dlq" }],
        "Statistic": "Maximum",
        "Threshold": 0.0,
        "AlarmActions": [TOPIC],
    });
    world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
    for body in ["first", "second", "third"] {
        world.send("dlq", body);
        world.pass(120);
    }
    assert_eq!(world.actions(), ["a ALARM"]);
    let facts = world.facts();
    let actions = facts.iter().filter(|fact| matches!(fact, Fact::AlarmAction { .. })).count();
    assert_eq!(actions, 1);
}

#[test]
fn actions_are_for_the_new_state_and_only_if_they_are_enabled() {
    let mut world = world(json!({}));
    let switch = |world: &mut World, enabled: bool| {
        let members = json!({ "AlarmNames": ["a"] });
        let done = world.cw(members, |core, now, input| {
            core.switch_alarm_actions(now, crate::place::Place::HOME, input, enabled)
        });
        done.expect("they are switched");
    };
    world.set_state("a", "ALARM");
    world.set_state("a", "ALARM");
    world.set_state("a", "OK");
    assert_eq!(world.actions(), ["a ALARM", "a OK"]);
    switch(&mut world, false);
    world.set_state("a", "ALARM");
    assert_eq!(world.alarm("a")["ActionsEnabled"], false);
    assert_eq!(world.state("a"), "ALARM", "the state moves all the same");
    switch(&mut world, true);
    world.set_state("a", "OK");
    assert_eq!(world.actions(), ["a ALARM", "a OK", "a OK"]);
}

#[test]
fn an_action_that_fails_is_in_the_history_and_no_fact() {
    let mut world = World::new();
    let none = "arn:aws:sns:eu-central-1:123456789012:none";
    let lambda = "arn:aws:lambda:eu-central-1:123456789012:function:f";
    let members = json!({ "AlarmActions": [none, lambda] });
    world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
    world.set_state("a", "ALARM");
    let items = world.history(json!({ "HistoryItemType": "Action", "ScanBy": "TimestampAscending" }));
    let summaries: Vec<_> = items.iter().map(|item| super::super::text(&item["HistorySummary"])).collect();
    assert!(summaries[0].starts_with(&format!("Failed to execute action {none}. Received error: ")));
    assert!(summaries[1].contains("not implemented"), "{}", summaries[1]);
    let data: Value = serde_json::from_str(items[0]["HistoryData"].as_str().expect("a text")).expect("JSON");
    assert_eq!(data["actionState"], "Failed");
    assert_eq!(data["stateUpdateTimestamp"], START * 1_000);
    assert_eq!(data["publishedMessage"], Value::Null);
    assert!(matches!(&world.facts()[..], [Fact::AlarmChanged { to: AlarmState::Alarm, .. }]));
}

#[test]
fn a_subject_is_cut_to_what_sns_takes() {
    let mut world = World::new();
    world.action_topic("oncall");
    let name = "n".repeat(200);
    world.put_metric_alarm(on_custom(&name, &json!({ "AlarmActions": [TOPIC] }))).expect("it is put");
    world.set_state(&name, "ALARM");
    let subject = super::super::text(&published(&mut world)["sms"]);
    assert!(subject.len() < 100 && subject.ends_with("...\" in EU (Frankfurt)"), "{subject}");
}
