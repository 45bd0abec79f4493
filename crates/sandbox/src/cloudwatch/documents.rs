//! The JSON that goes along with states: StateReasonData, and what the history keeps. The order of
//! members is AWS's.

use havoq_base::StackTime;
use serde::Serialize;
use serde_json::{Value, json};

use super::alarm::{Alarm, Kind, State};
use super::dates;
use super::evaluate::Evaluation;
use super::metric_rule::MetricRule;
use super::series::Datapoint;
use super::spec::AlarmState;

/// StateReasonData of a metric alarm that was evaluated (semantics 4.2).
pub(super) fn metric_reason_data(rule: &MetricRule, evaluation: &Evaluation, now: StackTime) -> String {
    let point = |point: &Datapoint| EvaluatedDatapoint {
        timestamp: dates::iso(point.start),
        sample_count: point.value.map(|_| point.samples),
        value: point.value,
    };
    let data = MetricReasonData {
        version: "1.0",
        query_date: dates::iso(now),
        start_date: evaluation.judged.first().map(|point| dates::iso(point.start)),
        unit: rule.unit.map(|unit| unit.as_str()),
        statistic: rule.stat.as_str(),
        period: rule.period.as_secs(),
        recent_datapoints: evaluation.judged.iter().filter_map(|point| point.value).collect(),
        threshold: rule.threshold,
        evaluated_datapoints: evaluation.evaluated.iter().map(point).collect(),
    };
    json!(data).to_string()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MetricReasonData<'a> {
    version: &'static str,
    query_date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    statistic: &'a str,
    period: u64,
    recent_datapoints: Vec<f64>,
    threshold: f64,
    evaluated_datapoints: Vec<EvaluatedDatapoint>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EvaluatedDatapoint {
    timestamp: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample_count: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
}

/// StateReasonData of a composite alarm: its children and their states.
pub(super) fn composite_reason_data<'a>(children: impl Iterator<Item = &'a Alarm>) -> String {
    let child = |child: &Alarm| {
        let state = json!({
            "value": child.state.value.as_str(),
            "timestamp": dates::iso(child.state.updated),
        });
        json!({ "arn": child.arn, "state": state })
    };
    json!({ "triggeringAlarms": children.map(child).collect::<Vec<_>>() }).to_string()
}

/// HistoryData of a change of state.
pub(super) fn state_update(before: &State, after: &State) -> String {
    json!({ "version": "1.0", "oldState": state(before), "newState": state(after) }).to_string()
}

fn state(state: &State) -> Value {
    let mut json = json!({ "stateValue": state.value.as_str(), "stateReason": state.reason });
    if let Some(data) = &state.reason_data {
        // What a caller set may be any text.
        json["stateReasonData"] = serde_json::from_str(data).unwrap_or_else(|_| json!(data));
    }
    json
}

/// HistoryData of an action.
pub(super) fn action(arn: &str, at: StackTime, published: Option<&str>, error: Option<&str>) -> String {
    json!({
        "actionState": if error.is_none() { "Succeeded" } else { "Failed" },
        "stateUpdateTimestamp": at.as_millis(),
        "notificationResource": arn,
        "publishedMessage": published,
        "error": error,
    })
    .to_string()
}

/// HistoryData of an alarm that was made, changed or deleted.
pub(super) fn configuration(change: &str, name: &str, alarm: &Alarm) -> String {
    let member = match change {
        "Create" => "createdAlarm",
        "Delete" => "deletedAlarm",
        _ => "updatedAlarm",
    };
    json!({ "version": "1.0", "type": change, member: described(name, alarm) }).to_string()
}

fn described(name: &str, alarm: &Alarm) -> Value {
    let mut json = json!({ "alarmName": name });
    if let Some(description) = &alarm.description {
        json["alarmDescription"] = json!(description);
    }
    json["alarmArn"] = json!(alarm.arn);
    json["alarmConfigurationUpdatedTimestamp"] = json!(dates::iso(alarm.configured));
    match &alarm.kind {
        Kind::Metric(rule) => describe_rule(&mut json, rule),
        Kind::Composite(composite) => json["alarmRule"] = json!(composite.text),
    }
    json["stateValue"] = json!(alarm.state.value.as_str());
    json["stateUpdatedTimestamp"] = json!(dates::iso(alarm.state.updated));
    json["actionsEnabled"] = json!(alarm.actions.enabled);
    json["alarmActions"] = json!(alarm.actions.on(AlarmState::Alarm));
    json["insufficientDataActions"] = json!(alarm.actions.on(AlarmState::InsufficientData));
    json["okactions"] = json!(alarm.actions.on(AlarmState::Ok));
    json
}

fn describe_rule(json: &mut Value, rule: &MetricRule) {
    let dimension = |(name, value): &(String, String)| json!({ "value": value, "name": name });
    json["namespace"] = json!(rule.metric.namespace);
    json["metricName"] = json!(rule.metric.metric);
    json["statistic"] = json!(rule.stat.as_str());
    json["period"] = json!(rule.period.as_secs());
    json["dimensions"] = rule.dimensions.iter().map(dimension).collect();
    if let Some(unit) = rule.unit {
        json["unit"] = json!(unit.as_str());
    }
    json["threshold"] = json!(rule.threshold);
    json["comparisonOperator"] = json!(rule.comparison.as_str());
    json["evaluationPeriods"] = json!(rule.evaluation_periods);
    if let Some(needed) = rule.datapoints_to_alarm {
        json["datapointsToAlarm"] = json!(needed);
    }
    if let Some(mode) = rule.treat_missing_data {
        json["treatMissingData"] = json!(mode.as_str());
    }
}
