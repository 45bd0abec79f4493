//! What an alarm publishes: the JSON of a notification (semantics 4.2). The order of members is
//! AWS's.

use serde::Serialize;
use serde_json::{Value, json};

use super::alarm::{Alarm, Kind};
use super::dates;
use super::metric_rule::{LowSamples, MetricRule};
use super::region::long_name;
use super::spec::{AlarmState, MissingData};
use super::stat::Stat;
use crate::place::PlaceName;

/// `ALARM: "name" in EU (Frankfurt)`; SNS takes no more than 100 characters.
pub(super) fn subject(place: &PlaceName, name: &str, alarm: &Alarm) -> String {
    let whole = |name: &str| format!("{}: \"{name}\" in {}", alarm.state.value, long_name(&place.region));
    let subject = whole(name);
    let excess = subject.chars().count().saturating_sub(MOST_SUBJECT);
    if excess == 0 {
        return subject;
    }
    let kept = name.chars().count().saturating_sub(excess + CUT.len());
    whole(&(name.chars().take(kept).collect::<String>() + CUT))
}

const MOST_SUBJECT: usize = 99;
const CUT: &str = "...";

pub(super) fn message(place: &PlaceName, name: &str, alarm: &Alarm) -> String {
    let region = long_name(&place.region);
    let old = alarm.old_value.as_str();
    let state = &alarm.state;
    let (ok, alarmed) = (alarm.actions.on(AlarmState::Ok), alarm.actions.on(AlarmState::Alarm));
    let insufficient = alarm.actions.on(AlarmState::InsufficientData);
    match &alarm.kind {
        Kind::Metric(rule) => json!({
            "AlarmName": name,
            "AlarmDescription": alarm.description,
            "AWSAccountId": &*place.account,
            "AlarmConfigurationUpdatedTimestamp": dates::iso(alarm.configured),
            "NewStateValue": state.value.as_str(),
            "NewStateReason": state.reason,
            "StateChangeTime": dates::iso(state.updated),
            "Region": region,
            "AlarmArn": alarm.arn,
            "OldStateValue": old,
            "OKActions": ok,
            "AlarmActions": alarmed,
            "InsufficientDataActions": insufficient,
            "ActionExecutedAfterMuteWindow": false,
            "Trigger": trigger(rule),
        }),
        Kind::Composite(composite) => json!({
            "AlarmName": name,
            "AlarmDescription": alarm.description,
            "AWSAccountId": &*place.account,
            "AlarmConfigurationUpdatedTimestamp": dates::iso(alarm.configured),
            "NewStateValue": state.value.as_str(),
            "NewStateReason": state.reason,
            "StateChangeTime": dates::iso(state.updated),
            "Region": region,
            "AlarmArn": alarm.arn,
            "OKActions": ok,
            "AlarmActions": alarmed,
            "InsufficientDataActions": insufficient,
            "ActionExecutedAfterMuteWindow": false,
            "OldStateValue": old,
            "AlarmRule": composite.text,
            "TriggeringChildren": triggering(state.reason_data.as_deref()),
        }),
    }
    .to_string()
}

/// The children of StateReasonData, in this JSON's spelling. A state that was set names none.
fn triggering(reason_data: Option<&str>) -> Value {
    let data: Value = reason_data.and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default();
    let child = |child: &Value| {
        let state = &child["state"];
        json!({ "Arn": child["arn"], "State": { "Value": state["value"], "Timestamp": state["timestamp"] } })
    };
    data["triggeringAlarms"].as_array().map_or_else(|| json!([]), |all| all.iter().map(child).collect())
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Trigger<'a> {
    metric_name: &'a str,
    namespace: &'a str,
    statistic_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistic: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extended_statistic: Option<&'a str>,
    unit: Option<&'static str>,
    dimensions: Vec<Value>,
    period: u64,
    evaluation_periods: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    datapoints_to_alarm: Option<u32>,
    comparison_operator: &'static str,
    threshold: f64,
    treat_missing_data: &'static str,
    evaluate_low_sample_count_percentile: &'static str,
}

fn trigger(rule: &MetricRule) -> Value {
    let (statistic, extended) = match &rule.stat {
        Stat::Simple(statistic) => (Some(statistic_name(statistic.as_str())), None),
        Stat::Extended(_) => (None, Some(rule.stat.as_str())),
    };
    json!(Trigger {
        metric_name: &rule.metric.metric,
        namespace: &rule.metric.namespace,
        statistic_type: if extended.is_some() { "ExtendedStatistic" } else { "Statistic" },
        statistic,
        extended_statistic: extended,
        unit: rule.unit.map(|unit| unit.as_str()),
        dimensions: rule
            .dimensions
            .iter()
            .map(|(name, value)| json!({ "value": value, "name": name }))
            .collect(),
        period: rule.period.as_secs(),
        evaluation_periods: rule.evaluation_periods,
        datapoints_to_alarm: rule.datapoints_to_alarm,
        comparison_operator: rule.comparison.as_str(),
        threshold: rule.threshold,
        treat_missing_data: rule.treat_missing_data.unwrap_or(MissingData::Missing).as_str(),
        evaluate_low_sample_count_percentile: rule.low_samples.map_or("", LowSamples::as_str),
    })
}

/// `AVERAGE`, `SAMPLE_COUNT`.
fn statistic_name(statistic: &str) -> String {
    let mut name = String::new();
    for letter in statistic.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}
