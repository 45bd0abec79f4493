//! The event of a change of state that EventBridge gets, whatever the alarm's actions are (semantics
//! 4.2; CWUG:cloudwatch-and-eventbridge has the shapes).

use havoq_base::StackTime;
use serde_json::{Map, Value, json};

use super::alarm::{Alarm, AlarmKey, Kind, State};
use super::composite::Composite;
use super::dates;
use super::metric_rule::MetricRule;
use crate::core::Core;
use crate::events::AwsEvent;

impl Core {
    /// Puts the event onto the default bus of the alarm's place.
    pub(super) fn tell_bus(&mut self, now: StackTime, key: &AlarmKey, before: &State) {
        let id = self.new_id();
        let Some(alarm) = self.cloudwatch.alarms.get(key) else { return };
        let detail = match &alarm.kind {
            Kind::Metric(rule) => json!({
                "alarmName": key.name,
                "configuration": configuration(alarm, [("metrics", metrics(rule, &id))]),
                "previousState": state(before),
                "state": state(&alarm.state),
            }),
            Kind::Composite(composite) => {
                let mut state_now = state(&alarm.state);
                state_now.extend(suppression(composite));
                json!({
                    "alarmName": key.name,
                    "state": state_now,
                    "previousState": state(before),
                    "configuration": configuration(alarm, of_composite(composite)),
                })
            }
        };
        let resources = [alarm.arn.clone()];
        let (source, detail_type) = ("aws.cloudwatch", "CloudWatch Alarm State Change");
        self.put_aws_event(now, key.place, AwsEvent { source, detail_type, resources: &resources, detail });
    }
}

fn state(state: &State) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("reason".to_owned(), json!(state.reason));
    if let Some(data) = &state.reason_data {
        members.insert("reasonData".to_owned(), json!(data));
    }
    members.insert("timestamp".to_owned(), json!(dates::iso(state.updated)));
    members.insert("value".to_owned(), json!(state.value.as_str()));
    members
}

fn configuration(alarm: &Alarm, own: impl IntoIterator<Item = (&'static str, Value)>) -> Map<String, Value> {
    let description = alarm.description.as_ref().map(|description| ("description", json!(description)));
    let members = description.into_iter().chain(own);
    members.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn metrics(rule: &MetricRule, id: &str) -> Value {
    let dimensions: Map<_, _> =
        rule.dimensions.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let mut stat = json!({
        "metric": {
            "dimensions": dimensions,
            "name": rule.metric.metric,
            "namespace": rule.metric.namespace,
        },
        "period": rule.period.as_secs(),
        "stat": rule.stat.as_str(),
    });
    if let Some(unit) = rule.unit {
        stat["unit"] = json!(unit.as_str());
    }
    json!([{ "id": id, "metricStat": stat, "returnData": true }])
}

/// What holds the actions back, if anything does.
fn suppression(composite: &Composite) -> impl Iterator<Item = (String, Value)> {
    let by = composite.phase.map(|phase| phase.as_str());
    let members = by.map(|by| {
        let reason = format!("Actions suppressed by {by}");
        [("actionsSuppressedBy".to_owned(), json!(by)), ("actionsSuppressedReason".to_owned(), json!(reason))]
    });
    members.into_iter().flatten()
}

fn of_composite(composite: &Composite) -> Vec<(&'static str, Value)> {
    let mut members = vec![("alarmRule", json!(composite.text))];
    if let Some(suppressor) = &composite.suppressor {
        members.push(("actionsSuppressor", json!(suppressor.text)));
        members.push(("actionsSuppressorWaitPeriod", json!(suppressor.wait.as_secs())));
        members.push(("actionsSuppressorExtensionPeriod", json!(suppressor.extension.as_secs())));
    }
    members
}
