//! CloudWatch's operations, as callers see them (semantics 4, and responses recorded from AWS).

mod actions;
mod alarms;
mod composites;
mod errors;
mod events;
mod history;
mod http;
mod metric_data;
mod model;
mod queries;
mod suppression;

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{World, value};
use crate::core::Core;
use crate::place::Place;
use crate::sqs::parse;

impl World {
    /// Does an operation with these members.
    fn cw<I: DeserializeOwned, O: Serialize>(
        &mut self,
        members: Value,
        operation: impl FnOnce(&mut Core, StackTime, I) -> Result<O, ServiceError>,
    ) -> Result<Value, ServiceError> {
        let input = parse(members)?;
        self.operate(|core, now| operation(core, now, input)).map(value)
    }

    fn put_data(&mut self, namespace: &str, data: Value) -> Result<Value, ServiceError> {
        let members = json!({ "Namespace": namespace, "MetricData": data });
        self.cw(members, |core, now, input| core.put_metric_data(now, Place::HOME, input))
    }

    fn put_metric_alarm(&mut self, members: Value) -> Result<Value, ServiceError> {
        self.cw(members, |core, now, input| core.put_metric_alarm(now, Place::HOME, input))
    }

    fn put_composite(&mut self, members: Value) -> Result<Value, ServiceError> {
        self.cw(members, |core, now, input| core.put_composite_alarm(now, Place::HOME, input))
    }

    fn describe(&mut self, members: Value) -> Value {
        self.try_describe(members).expect("alarms are described")
    }

    fn try_describe(&mut self, members: Value) -> Result<Value, ServiceError> {
        self.cw(members, |core, _, input| core.describe_alarms(Place::HOME, input))
    }

    /// The alarm of this name, whatever its kind.
    fn alarm(&mut self, name: &str) -> Value {
        let types = ["MetricAlarm", "CompositeAlarm"];
        let found = self.describe(json!({ "AlarmNames": [name], "AlarmTypes": types }));
        let all = ["MetricAlarms", "CompositeAlarms"].map(|kind| found[kind].as_array().cloned());
        all.into_iter().flatten().flatten().next().expect("the alarm exists")
    }

    fn state(&mut self, name: &str) -> String {
        super::text(&self.alarm(name)["StateValue"])
    }

    fn set_state(&mut self, name: &str, state: &str) {
        let members =
            json!({ "AlarmName": name, "StateValue": state, "StateReason": format!("{name} is set") });
        self.try_set_state(members).expect("it is set");
    }

    fn try_set_state(&mut self, members: Value) -> Result<Value, ServiceError> {
        self.cw(members, |core, now, input| core.set_alarm_state(now, Place::HOME, input))
    }

    fn delete_alarms(&mut self, names: &[&str]) -> Result<Value, ServiceError> {
        let members = json!({ "AlarmNames": names });
        self.cw(members, |core, now, input| core.delete_alarms(now, Place::HOME, input))
    }

    fn history(&mut self, members: Value) -> Vec<Value> {
        let found = self.cw(members, |core, _, input| core.describe_alarm_history(Place::HOME, input));
        found.expect("there is a history")["AlarmHistoryItems"].as_array().cloned().expect("a list")
    }

    /// The actions that alarms carried out, or tried to, oldest first: `alarm state`.
    fn actions(&mut self) -> Vec<String> {
        let types = ["MetricAlarm", "CompositeAlarm"];
        let members =
            json!({ "AlarmTypes": types, "HistoryItemType": "Action", "ScanBy": "TimestampAscending" });
        let items = self.history(members);
        let action = |item: &Value| {
            let data: Value = serde_json::from_str(item["HistoryData"].as_str()?).ok()?;
            let published: Value = serde_json::from_str(data["publishedMessage"].as_str()?).ok()?;
            let message: Value = serde_json::from_str(published["default"].as_str()?).ok()?;
            Some(format!("{} {}", item["AlarmName"].as_str()?, message["NewStateValue"].as_str()?))
        };
        items.iter().filter_map(action).collect()
    }

    fn action_topic(&mut self, name: &str) -> String {
        self.operate(|core, now| core.create_topic(now, Place::HOME, name)).expect("it is created")
    }

    fn get_data(&mut self, members: Value) -> Result<Value, ServiceError> {
        self.cw(members, |core, _, input| core.get_metric_data(Place::HOME, input))
    }

    fn statistics(&mut self, members: Value) -> Result<Value, ServiceError> {
        self.cw(members, |core, _, input| core.get_metric_statistics(Place::HOME, input))
    }

    fn listed(&mut self, members: Value) -> Vec<String> {
        let found = self.cw(members, |core, now, input| core.list_metrics(now, Place::HOME, input));
        let found = found.expect("metrics are listed");
        let metrics = found["Metrics"].as_array().expect("a list");
        metrics.iter().map(|metric| super::text(&metric["MetricName"])).collect()
    }
}

/// The start of each world, on a full minute.
const START: u64 = 1_800_000_000;

/// An alarm on a metric that callers put, with these members besides.
fn on_custom(name: &str, members: &Value) -> Value {
    let mut alarm = json!({
        "AlarmName": name,
        "Namespace": "Custom",
        "MetricName": "m",
        "Statistic": "Sum",
        "Period": 60,
        "EvaluationPeriods": 1,
        "Threshold": 10.0,
        "ComparisonOperator": "GreaterThanThreshold",
    });
    for (member, value) in members.as_object().expect("members") {
        alarm[member] = value.clone();
    }
    alarm
}

fn message(refused: Result<Value, ServiceError>) -> String {
    refused.expect_err("it is refused").message
}
