//! Mutations of the stack: the calls that make them, in the API's names. Nothing is called here.

use havoq_wire::Service;
use serde_json::{Value, json};

use crate::aws::ACCOUNT;
use crate::scenario::{Alarm, DimensionValue, Scenario};
use crate::stack::{Change, Stack};

/// A scenario and its stack.
pub(super) struct Site<'a> {
    pub scenario: &'a Scenario,
    pub stack: &'a Stack,
}

impl Site<'_> {
    fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.stack.directory().name_of(id)
    }

    /// The ARN behind a logical id; the text itself where it is one already.
    fn arn<'a>(&'a self, id: &'a str) -> &'a str {
        let mut resources = self.stack.resources().iter();
        resources.find(|resource| resource.id == id).map_or(id, |resource| &resource.arn)
    }

    /// The host of a queue's URL does not matter to a sandbox (semantics 8.3).
    fn url(&self, queue: &str) -> String {
        format!("http://localhost/{ACCOUNT}/{}", self.name(queue))
    }

    fn attribute(&self, queue: &str, name: &str, value: String) -> Change {
        Change {
            service: Service::Sqs,
            operation: "SetQueueAttributes",
            input: json!({ "QueueUrl": self.url(queue), "Attributes": { name: value } }),
            resource: queue.to_owned(),
        }
    }

    /// A call about all alarms.
    fn alarms(&self, operation: &'static str) -> Vec<Change> {
        let alarms = self.scenario.stack.alarms.keys();
        let change = |id: &String| Change {
            service: Service::CloudWatch,
            operation,
            input: json!({ "AlarmNames": [self.name(id)] }),
            resource: id.clone(),
        };
        alarms.map(change).collect()
    }
}

pub(super) fn dead_letter_early(site: &Site<'_>) -> Vec<Change> {
    let queues = site.scenario.stack.queues.iter();
    let redriven = queues.filter_map(|(id, queue)| Some((id, queue.redrive.as_ref()?)));
    let early = redriven.map(|(id, redrive)| {
        let policy = json!({ "deadLetterTargetArn": site.arn(&redrive.to), "maxReceiveCount": 1 });
        site.attribute(id, "RedrivePolicy", policy.to_string())
    });
    early.collect()
}

pub(super) fn never_dead_letter(site: &Site<'_>) -> Vec<Change> {
    let queues = site.scenario.stack.queues.iter().filter(|(_, queue)| queue.redrive.is_some());
    // An empty policy takes the policy away (semantics 1.9).
    queues.map(|(id, _)| site.attribute(id, "RedrivePolicy", String::new())).collect()
}

pub(super) fn redeliver_early(site: &Site<'_>) -> Vec<Change> {
    let queues = site.scenario.stack.queues.keys();
    queues.map(|id| site.attribute(id, "VisibilityTimeout", "1".to_owned())).collect()
}

pub(super) fn alarm_silenced(site: &Site<'_>) -> Vec<Change> {
    site.alarms("DisableAlarmActions")
}

pub(super) fn alarm_gone(site: &Site<'_>) -> Vec<Change> {
    site.alarms("DeleteAlarms")
}

/// The same alarms with a threshold that every datapoint breaches, and its absence too.
pub(super) fn alarm_stuck(site: &Site<'_>) -> Vec<Change> {
    let alarms = site.scenario.stack.alarms.iter();
    alarms.map(|(id, alarm)| site.stuck(id, alarm)).collect()
}

impl Site<'_> {
    fn stuck(&self, id: &str, alarm: &Alarm) -> Change {
        let dimension = |(name, value): &(String, DimensionValue)| {
            let value = match value {
                DimensionValue::QueueNameOf(queue) => self.name(queue),
                DimensionValue::Literal(text) => text,
            };
            json!({ "Name": name, "Value": value })
        };
        let dimensions: Vec<Value> = alarm.dimensions.iter().map(dimension).collect();
        let targets = |actions: &[String]| -> Vec<String> {
            actions.iter().map(|action| self.arn(action).to_owned()).collect()
        };
        let input = json!({
            "AlarmName": self.name(id),
            "Namespace": alarm.namespace,
            "MetricName": alarm.metric,
            "Dimensions": dimensions,
            "Statistic": "Maximum",
            "Period": alarm.period.as_secs(),
            "EvaluationPeriods": alarm.evaluation_periods,
            "DatapointsToAlarm": alarm.datapoints_to_alarm,
            "ComparisonOperator": "GreaterThanThreshold",
            "Threshold": f64::from(i32::MIN),
            "TreatMissingData": "breaching",
            "ActionsEnabled": alarm.actions_enabled,
            "AlarmActions": targets(&alarm.alarm_actions),
            "OKActions": targets(&alarm.ok_actions),
            "InsufficientDataActions": targets(&alarm.insufficient_data_actions),
        });
        let (service, operation) = (Service::CloudWatch, "PutMetricAlarm");
        Change { service, operation, input, resource: id.to_owned() }
    }
}
