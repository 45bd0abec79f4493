//! Alarms there: made from the template, and looked at.

use aws_sdk_cloudwatch::types::{ComparisonOperator, Dimension, MetricAlarm, Statistic};

use super::errors::Failed;
use super::{Foreign, Made};
use crate::guard::Permit;
use crate::scenario::{self, Alarm, Comparison, DimensionValue, MissingData};
use crate::stack::StackError;

impl Foreign {
    pub(super) async fn make_alarm(
        &mut self,
        permit: &Permit,
        id: &str,
        alarm: &Alarm,
    ) -> Result<(), StackError> {
        let name = self.directory.name_of(id).to_owned();
        permit.covers(&name)?;
        self.note(Made::Alarm { name: name.clone() });
        let put = self.clients.cloudwatch.put_metric_alarm().alarm_name(&name);
        let put = put
            .namespace(&alarm.namespace)
            .metric_name(&alarm.metric)
            .set_dimensions(Some(self.dimensions(alarm)))
            .statistic(statistic(alarm.statistic))
            .period(alarm.period.as_secs() as i32)
            .evaluation_periods(alarm.evaluation_periods as i32)
            .datapoints_to_alarm(alarm.datapoints_to_alarm as i32)
            .comparison_operator(comparison(alarm.comparison))
            .threshold(alarm.threshold)
            .treat_missing_data(missing_data(alarm.missing_data))
            .actions_enabled(alarm.actions_enabled)
            .set_alarm_actions(Some(self.targets(&alarm.alarm_actions)))
            .set_ok_actions(Some(self.targets(&alarm.ok_actions)))
            .set_insufficient_data_actions(Some(self.targets(&alarm.insufficient_data_actions)));
        let failed = Failed { call: "PutMetricAlarm", resource: id };
        put.send().await.map_err(|error| self.not_made(failed, error))?;
        let (call, resource) = ("PutMetricAlarm", id.to_owned());
        let there = self
            .describe(vec![name.clone()])
            .await?
            .iter()
            .any(|alarm| alarm.alarm_name.as_ref() == Some(&name));
        if !there {
            let reason = "it was accepted, and the alarm is not there".to_owned();
            return Err(StackError::Refused { call, resource, reason });
        }
        let arn = format!("arn:aws:cloudwatch:{}:{}:alarm:{name}", crate::aws::REGION, self.account);
        self.made(id, "AWS::CloudWatch::Alarm", &name, arn);
        Ok(())
    }

    fn dimensions(&self, alarm: &Alarm) -> Vec<Dimension> {
        let dimension = |(name, value): &(String, DimensionValue)| {
            let value = match value {
                DimensionValue::QueueNameOf(queue) => self.directory.name_of(queue).to_owned(),
                DimensionValue::Literal(text) => text.clone(),
            };
            Dimension::builder().name(name).value(value).build()
        };
        alarm.dimensions.iter().map(dimension).collect()
    }

    fn targets(&self, actions: &[String]) -> Vec<String> {
        actions.iter().map(|action| self.arn_of(action).unwrap_or(action).to_owned()).collect()
    }

    /// The state and its reason, of every alarm that was made, by logical id.
    pub async fn alarm_states(&self) -> Result<Vec<(String, String, String)>, StackError> {
        let made = self.resources.iter().filter(|resource| resource.r#type == "AWS::CloudWatch::Alarm");
        let names: Vec<String> = made.map(|resource| resource.name.clone()).collect();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let states = self.describe(names).await?.into_iter().filter_map(|alarm| {
            let id = self.directory.id_of(&alarm.alarm_name?);
            Some((id, alarm.state_value?.as_str().to_owned(), alarm.state_reason.unwrap_or_default()))
        });
        Ok(states.collect())
    }

    async fn describe(&self, names: Vec<String>) -> Result<Vec<MetricAlarm>, StackError> {
        let described = self.clients.cloudwatch.describe_alarms().set_alarm_names(Some(names)).send().await;
        let failed = Failed { call: "DescribeAlarms", resource: "the alarms" };
        let described = described.map_err(|error| self.failed(failed, &error))?;
        Ok(described.metric_alarms.unwrap_or_default())
    }
}

fn statistic(statistic: scenario::Statistic) -> Statistic {
    match statistic {
        scenario::Statistic::SampleCount => Statistic::SampleCount,
        scenario::Statistic::Average => Statistic::Average,
        scenario::Statistic::Sum => Statistic::Sum,
        scenario::Statistic::Minimum => Statistic::Minimum,
        scenario::Statistic::Maximum => Statistic::Maximum,
    }
}

fn comparison(comparison: Comparison) -> ComparisonOperator {
    match comparison {
        Comparison::GreaterThanOrEqualToThreshold => ComparisonOperator::GreaterThanOrEqualToThreshold,
        Comparison::GreaterThanThreshold => ComparisonOperator::GreaterThanThreshold,
        Comparison::LessThanThreshold => ComparisonOperator::LessThanThreshold,
        Comparison::LessThanOrEqualToThreshold => ComparisonOperator::LessThanOrEqualToThreshold,
    }
}

fn missing_data(missing: MissingData) -> &'static str {
    match missing {
        MissingData::Missing => "missing",
        MissingData::Ignore => "ignore",
        MissingData::Breaching => "breaching",
        MissingData::NotBreaching => "notBreaching",
    }
}
