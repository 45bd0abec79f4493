//! What is refused, and how (responses recorded from AWS where they are known).

use serde_json::{Value, json};

use super::{World, message, on_custom};

#[test]
fn setting_the_state_of_an_alarm() {
    let mut world = World::new();
    let members = json!({ "AlarmName": "none", "StateValue": "INVALID", "StateReason": "r" });
    let refused = world.try_set_state(members).expect_err("it is refused");
    assert_eq!(
        refused.message,
        "1 validation error detected: Value 'INVALID' at 'stateValue' failed to satisfy constraint: Member must \
         satisfy enum value set: [INSUFFICIENT_DATA, ALARM, OK]"
    );
    assert_eq!(
        (&*refused.shape, &*refused.query_code),
        ("com.amazon.coral.validate#ValidationException", "ValidationError")
    );
    let members = json!({ "AlarmName": "none", "StateValue": "OK", "StateReason": "r" });
    let refused = world.try_set_state(members).expect_err("it is refused");
    assert_eq!(refused.shape, "com.amazonaws.cloudwatch.v2010_08_01#ResourceNotFound");
    assert_eq!((refused.status.as_u16(), &*refused.message), (404, ""));
    world.put_metric_alarm(on_custom("a", &json!({}))).expect("it is put");
    let members = json!({ "AlarmName": "a", "StateValue": "OK", "StateReason": "r", "StateReasonData": "{" });
    assert_eq!(world.try_set_state(members).expect_err("it is refused").query_code, "InvalidFormat");
}

#[test]
fn what_is_wrong_with_a_metric_alarm() {
    let mut world = World::new();
    let mut refused = |members: Value| message(world.put_metric_alarm(on_custom("a", &members)));
    for (members, text) in [
        (json!({ "Period": 15 }), "Period must be 10, 20, 30 or a multiple of 60"),
        (
            json!({ "DatapointsToAlarm": 2 }),
            "DatapointsToAlarm must be less than or equal to EvaluationPeriods",
        ),
        (
            json!({ "EvaluationPeriods": 1_441 }),
            "Metrics cannot be checked across more than a day (EvaluationPeriods * Period must be <= 86400) for \
             alarms using period < 3600",
        ),
        (
            json!({ "Period": 86_400, "EvaluationPeriods": 8 }),
            "Metrics cannot be checked across more than a week (EvaluationPeriods * Period must be <= 604800) for \
             alarms using period >= 3600",
        ),
        (
            json!({ "Period": 0 }),
            "1 validation error detected: Value '0' at 'period' failed to satisfy constraint: Member must have value \
             greater than or equal to 1",
        ),
        (
            json!({ "Statistic": "Median" }),
            "1 validation error detected: Value 'Median' at 'statistic' failed to satisfy constraint: Member must \
             satisfy enum value set: [Maximum, SampleCount, Sum, Minimum, Average]",
        ),
        (
            json!({ "AlarmName": Value::Null }),
            "1 validation error detected: Value null at 'alarmName' failed to satisfy constraint: Member must not be \
             null",
        ),
    ] {
        assert_eq!(refused(members.clone()), text, "{members}");
    }
    for members in [
        json!({ "ExtendedStatistic": "p90" }),
        json!({ "Statistic": Value::Null }),
        json!({ "Statistic": Value::Null, "ExtendedStatistic": "q90" }),
        json!({ "TreatMissingData": "maybe" }),
        json!({ "Threshold": Value::Null }),
        json!({ "Threshold": "NaN" }),
        json!({ "Threshold": "-Infinity" }),
        json!({ "MetricName": Value::Null }),
        json!({ "ComparisonOperator": "Equal" }),
        json!({ "EvaluationWindow": {} }),
        json!({ "EvaluationWindow": { "WallClockWindow": {} }, "Period": 120 }),
        json!({ "WarmUpConfiguration": { "WarmUpPeriodDurationInMinutes": 2_881 } }),
        json!({ "AlarmActions": ["1", "2", "3", "4", "5", "6"] }),
    ] {
        refused(members);
    }
    assert_eq!(world.describe(json!({}))["MetricAlarms"], json!([]));
}

#[test]
fn actions_are_arns_and_topics_are_in_the_alarms_region() {
    let mut world = World::new();
    for (action, text) in [
        ("foo", "Invalid arn syntax: foo"),
        ("arn:aws:sns:eu-central-1", "Invalid arn syntax: arn:aws:sns:eu-central-1"),
        (
            "arn:aws:sns:eu-west-1:123456789012:t",
            "Invalid region eu-west-1 specified. Only eu-central-1 is supported.",
        ),
    ] {
        for member in ["AlarmActions", "OKActions", "InsufficientDataActions"] {
            let members = json!({ member: [action] });
            let refused = world.put_metric_alarm(on_custom("a", &members)).expect_err("it is refused");
            assert_eq!((&*refused.query_code, &*refused.message), ("ValidationError", text));
        }
        let composite = json!({ "AlarmName": "c", "AlarmRule": "TRUE", "AlarmActions": [action] });
        assert_eq!(message(world.put_composite(composite)), text);
    }
    let elsewhere = json!({ "AlarmActions": ["arn:aws:automate:eu-west-1:ec2:stop"] });
    world.put_metric_alarm(on_custom("a", &elsewhere)).expect("it is put");
}

#[test]
fn what_is_not_built_is_refused_by_name() {
    let mut world = World::new();
    let mut refused = |members: Value| message(world.put_metric_alarm(on_custom("a", &members)));
    for (members, name) in [
        (json!({ "Metrics": [{ "Id": "m1" }] }), "metric math"),
        (json!({ "ComparisonOperator": "LessThanLowerThreshold" }), "anomaly detection"),
        (json!({ "EvaluationCriteria": {} }), "PromQL"),
        (
            json!({ "EvaluationWindow": { "WallClockWindow": { "Timezone": "Europe/Berlin" } } }),
            "Europe/Berlin",
        ),
    ] {
        let text = refused(members);
        assert!(text.contains(name) && text.ends_with("is not implemented in havoq's sandbox yet"), "{text}");
    }
}

#[test]
fn describing_alarms() {
    let mut world = World::new();
    for members in [
        json!({ "AlarmNames": ["a"], "AlarmNamePrefix": "a" }),
        json!({ "ChildrenOfAlarmName": "a", "StateValue": "OK" }),
        json!({ "ChildrenOfAlarmName": "a", "ParentsOfAlarmName": "a" }),
        json!({ "StateValue": "FINE" }),
        json!({ "AlarmTypes": ["Other"] }),
        json!({ "MaxRecords": 101 }),
    ] {
        assert_eq!(world.try_describe(members).expect_err("it is refused").query_code, "ValidationError");
    }
    let refused = world.try_describe(json!({ "NextToken": "nonsense" })).expect_err("it is refused");
    assert_eq!(refused.query_code, "InvalidNextToken");
}
