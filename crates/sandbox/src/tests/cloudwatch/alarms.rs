//! Metric alarms through their API (semantics 4.1, 4.3).

use serde_json::{Value, json};

use super::{START, World, message, on_custom};

fn put(world: &mut World, value: f64) {
    world.put_data("Custom", json!([{ "MetricName": "m", "Value": value }])).expect("it is put");
}

#[test]
fn an_alarm_is_described_as_it_was_put_and_no_more() {
    let mut world = World::new();
    world.put_metric_alarm(on_custom("a", &json!({}))).expect("it is put");
    assert_eq!(
        world.alarm("a"),
        json!({
            "AlarmName": "a",
            "AlarmArn": "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:a",
            "AlarmConfigurationUpdatedTimestamp": START as f64,
            "ActionsEnabled": true,
            "OKActions": [],
            "AlarmActions": [],
            "InsufficientDataActions": [],
            "StateReason": "Unchecked: Initial alarm creation",
            "StateTransitionedTimestamp": START as f64,
            "StateValue": "INSUFFICIENT_DATA",
            "StateUpdatedTimestamp": START as f64,
            "MetricName": "m",
            "Namespace": "Custom",
            "Statistic": "Sum",
            "Dimensions": [],
            "Period": 60,
            "EvaluationPeriods": 1,
            "Threshold": 10.0,
            "ComparisonOperator": "GreaterThanThreshold",
        })
    );
}

#[test]
fn all_members_come_back() {
    let mut world = World::new();
    let members = json!({
        "AlarmDescription": "why",
        "ActionsEnabled": false,
        "OKActions": ["arn:aws:sns:eu-central-1:123456789012:ok"],
        "Statistic": Value::Null,
        "ExtendedStatistic": "p99.9",
        "Dimensions": [{ "Name": "z", "Value": "1" }, { "Name": "a", "Value": "2" }],
        "Unit": "Seconds",
        "EvaluationPeriods": 3,
        "DatapointsToAlarm": 2,
        "TreatMissingData": "breaching",
        "EvaluateLowSampleCountPercentile": "ignore",
        "EvaluationWindow": { "WallClockWindow": { "Timezone": "+02:00" } },
        "WarmUpConfiguration": { "WarmUpPeriodDurationInMinutes": 5 },
    });
    world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
    let described = world.alarm("a");
    for (member, value) in members.as_object().expect("members") {
        assert_eq!(&described[member], value, "{member}");
    }
}

/// Case C2: a gauge at v over 300 s has a Sum of 5v (semantics 4.3).
#[test]
fn sum_over_300_s_of_a_gauge_is_5_times_the_gauge() {
    let mut world = World::new();
    world.create("dlq", &[]);
    ["a", "b"].into_iter().for_each(|body| {
        world.send("dlq", body);
    });
    for (name, statistic) in [("sum", "Sum"), ("average", "Average"), ("maximum", "Maximum")] {
        let members = json!({
            "Namespace": "AWS/SQS",
            "MetricName": "ApproximateNumberOfMessagesVisible",
            "Dimensions": [{ "Name": "QueueName", "Value": "dlq" }],
            "Statistic": statistic,
            "Period": 300,
            "Threshold": 9.0,
        });
        world.put_metric_alarm(on_custom(name, &members)).expect("it is put");
    }
    world.pass(300);
    assert_eq!(["sum", "average", "maximum"].map(|name| world.state(name)), ["ALARM", "OK", "OK"]);
    let reason = super::super::text(&world.alarm("sum")["StateReason"]);
    assert!(reason.starts_with("Threshold Crossed: 1 datapoint [10.0 ("), "{reason}");
}

/// Case C5: a consumer that holds a dead letter hides it from the alarm (semantics 4.3).
#[test]
fn a_dead_letter_in_flight_is_not_visible_to_the_alarm() {
    let mut world = World::new();
    world.create("dlq", &[("VisibilityTimeout", "600")]);
    let members = json!({
        "Namespace": "AWS/SQS",
        "MetricName": "ApproximateNumberOfMessagesVisible",
        "Dimensions": [{ "Name": "QueueName", "Value": "dlq" }],
        "Statistic": "Maximum",
        "Threshold": 0.0,
        "TreatMissingData": "notBreaching",
    });
    world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
    world.send("dlq", "a");
    world.pass(60);
    assert_eq!(world.state("a"), "ALARM");
    world.one("dlq");
    world.pass(60);
    assert_eq!(world.state("a"), "OK");
}

/// Case C3: without enough data a dead-letter queue that is quiet has none (semantics 4.3).
#[test]
fn a_quiet_dead_letter_queue_goes_without_data_by_default() {
    let mut world = World::new();
    world.create("dlq", &[]);
    let members = json!({
        "Namespace": "AWS/SQS",
        "MetricName": "ApproximateNumberOfMessagesVisible",
        "Dimensions": [{ "Name": "QueueName", "Value": "dlq" }],
        "Threshold": 0.0,
    });
    world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
    world.pass(60);
    assert_eq!(world.state("a"), "OK");
    world.pass(7 * 3_600);
    assert_eq!(world.state("a"), "INSUFFICIENT_DATA");
    assert_eq!(world.alarm("a")["StateReason"], "Insufficient Data: 1 datapoint was unknown.");
}

/// Case C1: the move to a dead-letter queue counts as no send (semantics 1.16).
#[test]
fn an_alarm_on_messages_sent_misses_dead_letters() {
    let mut world = World::with_dlq(1);
    for metric in ["NumberOfMessagesSent", "ApproximateNumberOfMessagesVisible"] {
        let members = json!({
            "Namespace": "AWS/SQS",
            "MetricName": metric,
            "Dimensions": [{ "Name": "QueueName", "Value": "dlq" }],
            "Threshold": 0.0,
            "Statistic": "Maximum",
        });
        world.put_metric_alarm(on_custom(metric, &members)).expect("it is put");
    }
    world.send("q", "poison");
    world.one("q");
    world.pass(40);
    world.receive("q");
    world.pass(20);
    assert_eq!(world.state("NumberOfMessagesSent"), "OK");
    assert_eq!(world.state("ApproximateNumberOfMessagesVisible"), "ALARM");
}

#[test]
fn a_state_that_was_set_goes_back_at_the_next_evaluation() {
    let mut world = World::new();
    world
        .put_metric_alarm(on_custom("a", &json!({ "TreatMissingData": "notBreaching" })))
        .expect("it is put");
    world.pass(60);
    assert_eq!(world.state("a"), "OK");
    world.pass(10);
    world.set_state("a", "ALARM");
    assert_eq!(world.state("a"), "ALARM");
    assert_eq!(world.alarm("a")["StateReason"], "a is set");
    world.pass(50);
    assert_eq!(world.state("a"), "OK");
}

#[test]
fn percentile_alarms_can_keep_their_state_when_samples_are_few() {
    for (mode, state) in [("ignore", "INSUFFICIENT_DATA"), ("evaluate", "ALARM")] {
        let mut world = World::new();
        let members = json!({
            "Statistic": Value::Null,
            "ExtendedStatistic": "p90",
            "EvaluateLowSampleCountPercentile": mode,
        });
        world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
        put(&mut world, 50.0);
        world.pass(60);
        assert_eq!(world.state("a"), state, "{mode}");
        let many: Vec<f64> = vec![50.0; 101];
        world.put_data("Custom", json!([{ "MetricName": "m", "Values": many }])).expect("it is put");
        world.pass(60);
        assert_eq!(world.state("a"), "ALARM", "{mode}");
    }
}

#[test]
fn a_warm_up_delays_the_first_evaluation() {
    for (whole, state) in [(true, "INSUFFICIENT_DATA"), (false, "ALARM")] {
        let mut world = World::new();
        let warm_up = json!({
            "WarmUpPeriodDurationInMinutes": 5,
            "OnlyStartEvaluatingAfterWarmUpPeriodEnds": whole,
        });
        let members = json!({ "WarmUpConfiguration": warm_up, "TreatMissingData": "breaching" });
        world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
        world.pass(60);
        assert_eq!(world.state("a"), "INSUFFICIENT_DATA");
        put(&mut world, 50.0);
        world.pass(60);
        assert_eq!(world.state("a"), state, "whole: {whole}");
        world.pass(180);
        assert_eq!(world.state("a"), "ALARM");
    }
}

#[test]
fn a_wall_clock_window_sees_whole_periods_of_the_clock() {
    let mut world = World::new();
    let window = json!({ "WallClockWindow": {} });
    let members = json!({ "Period": 300, "EvaluationWindow": window, "TreatMissingData": "notBreaching" });
    world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
    world.pass(70);
    put(&mut world, 50.0);
    world.pass(170);
    assert_eq!(world.state("a"), "OK", "the period goes on");
    world.pass(60);
    assert_eq!(world.state("a"), "ALARM");
}

#[test]
fn alarms_are_found_by_name_prefix_state_action_and_metric() {
    let mut world = World::new();
    let topic = "arn:aws:sns:eu-central-1:123456789012:t";
    world.put_metric_alarm(on_custom("one", &json!({ "AlarmActions": [topic] }))).expect("it is put");
    world
        .put_metric_alarm(on_custom("other", &json!({ "Unit": "Count", "Period": 120 })))
        .expect("it is put");
    world.put_composite(json!({ "AlarmName": "os", "AlarmRule": "ALARM(one)" })).expect("it is put");
    world.set_state("other", "ALARM");
    let mut names = |members: Value| -> String {
        let found = world.describe(members);
        let all = ["MetricAlarms", "CompositeAlarms"].map(|kind| found[kind].as_array().cloned());
        let names = all.into_iter().flatten().flatten().map(|alarm| super::super::text(&alarm["AlarmName"]));
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(json!({})), "one other");
    assert_eq!(names(json!({ "AlarmNames": ["other", "none"] })), "other");
    assert_eq!(names(json!({ "AlarmNamePrefix": "on" })), "one");
    assert_eq!(names(json!({ "StateValue": "ALARM" })), "other");
    assert_eq!(names(json!({ "ActionPrefix": "arn:aws:sns:" })), "one");
    assert_eq!(names(json!({ "AlarmTypes": ["CompositeAlarm"] })), "os");
    assert_eq!(names(json!({ "AlarmTypes": ["CompositeAlarm", "MetricAlarm"] })), "one other os");
    assert_eq!(names(json!({ "ChildrenOfAlarmName": "os" })), "one");
    assert_eq!(names(json!({ "ParentsOfAlarmName": "one" })), "os");
    let children = world.describe(json!({ "ChildrenOfAlarmName": "os" }));
    assert_eq!(children["MetricAlarms"][0].as_object().map(serde_json::Map::len), Some(4));
    let parents = world.describe(json!({ "ParentsOfAlarmName": "one" }));
    assert_eq!(parents["CompositeAlarms"][0].as_object().map(serde_json::Map::len), Some(2));
    let first = world.describe(json!({ "MaxRecords": 1 }));
    assert_eq!(first["MetricAlarms"][0]["AlarmName"], "one");
    let second = world.describe(json!({ "MaxRecords": 1, "NextToken": first["NextToken"] }));
    assert_eq!(second["MetricAlarms"][0]["AlarmName"], "other");
    assert_eq!(second["NextToken"], Value::Null);
}

#[test]
fn the_alarms_of_a_metric() {
    let mut world = World::new();
    world.put_metric_alarm(on_custom("one", &json!({}))).expect("it is put");
    world
        .put_metric_alarm(on_custom("other", &json!({ "Unit": "Count", "Period": 120 })))
        .expect("it is put");
    let mut count = |more: Value| {
        let mut members = json!({ "Namespace": "Custom", "MetricName": "m" });
        more.as_object().into_iter().flatten().for_each(|(member, value)| members[member] = value.clone());
        let found = world
            .cw(members, |core, _, input| core.describe_alarms_for_metric(crate::place::Place::HOME, input));
        found.expect("alarms")["MetricAlarms"].as_array().map(Vec::len)
    };
    assert_eq!(count(json!({})), Some(2));
    assert_eq!(count(json!({ "Unit": "Count" })), Some(1));
    assert_eq!(count(json!({ "Period": 60, "Statistic": "Sum" })), Some(1));
    assert_eq!(count(json!({ "Statistic": "Average" })), Some(0));
    assert_eq!(count(json!({ "Dimensions": [{ "Name": "a", "Value": "b" }] })), Some(0));
}

#[test]
fn alarms_are_deleted_and_names_of_none_are_passed_over() {
    let mut world = World::new();
    world.put_metric_alarm(on_custom("a", &json!({}))).expect("it is put");
    world.put_metric_alarm(on_custom("b", &json!({}))).expect("it is put");
    world.put_composite(json!({ "AlarmName": "c", "AlarmRule": "ALARM(a) OR ALARM(b)" })).expect("it is put");
    assert_eq!(
        message(world.delete_alarms(&["a"])),
        "Cannot delete a as there are composite alarm(s) depending on it."
    );
    assert_eq!(
        message(world.delete_alarms(&["a", "b"])),
        "Cannot delete a,b as there are composite alarm(s) depending on them."
    );
    world.delete_alarms(&["a", "c", "none"]).expect("they are deleted");
    assert_eq!(world.describe(json!({}))["MetricAlarms"].as_array().map(Vec::len), Some(1));
    world.delete_alarms(&["b"]).expect("it is deleted");
    world.pass(600);
    assert_eq!(world.core.timers.next(), None, "ticks wake nobody any more");
}

#[test]
fn tags_are_put_with_an_alarm_and_by_themselves() {
    let mut world = World::new();
    let tag = |key: &str, value: &str| json!({ "Key": key, "Value": value });
    let arn = "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:a";
    let home = crate::place::Place::HOME;
    world.put_metric_alarm(on_custom("a", &json!({ "Tags": [tag("k", "v")] }))).expect("it is put");
    let members = json!({ "ResourceARN": arn, "Tags": [tag("l", "w")] });
    let done = world.cw(members.clone(), |core, _, input| core.tag_alarm(home, input));
    assert_eq!(done, Ok(json!({})));
    let listed = |world: &mut World| {
        let members = json!({ "ResourceARN": arn });
        world.cw(members, |core, _, input| core.list_alarm_tags(home, input)).expect("tags")["Tags"].clone()
    };
    assert_eq!(listed(&mut world), json!([tag("k", "v"), tag("l", "w")]));
    let keys = json!({ "ResourceARN": arn, "TagKeys": ["k"] });
    world.cw(keys, |core, _, input| core.untag_alarm(home, input)).expect("it is untagged");
    assert_eq!(listed(&mut world), json!([tag("l", "w")]));
    world.delete_alarms(&["a"]).expect("it is deleted");
    assert_eq!(listed(&mut world), json!([]));
    assert!(world.cw(members, |core, _, input| core.tag_alarm(home, input)).is_err());
}
