//! DescribeAlarms and DescribeAlarmsForMetric.

use std::collections::BTreeSet;

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::alarm::{Alarm, AlarmKey};
use super::described::{CompositeAlarm, MetricAlarm};
use super::errors::validation;
use super::members::{Dimension, is_of_type, pairs};
use super::metric::MetricId;
use super::metric_rule::MetricRule;
use super::pages::page;
use super::spec::AlarmState;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct DescribeAlarms {
    alarm_names: Option<Vec<String>>,
    alarm_name_prefix: Option<String>,
    alarm_types: Option<Vec<String>>,
    children_of_alarm_name: Option<String>,
    parents_of_alarm_name: Option<String>,
    state_value: Option<String>,
    action_prefix: Option<String>,
    max_records: Option<i64>,
    next_token: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct DescribedAlarms {
    composite_alarms: Vec<CompositeAlarm>,
    metric_alarms: Vec<MetricAlarm>,
    /// There are none here, ever.
    log_alarms: Vec<()>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct DescribeAlarmsForMetric {
    metric_name: Option<String>,
    namespace: Option<String>,
    statistic: Option<String>,
    extended_statistic: Option<String>,
    dimensions: Vec<Dimension>,
    period: Option<i64>,
    unit: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct AlarmsForMetric {
    metric_alarms: Vec<MetricAlarm>,
}

impl Core {
    pub(crate) fn describe_alarms(
        &self,
        place: Place,
        input: DescribeAlarms,
    ) -> Result<DescribedAlarms, ServiceError> {
        let most = input.check()?;
        if input.children_of_alarm_name.is_some() || input.parents_of_alarm_name.is_some() {
            return self.relatives(place, &input, most);
        }
        let wanted = |(key, alarm): &(&AlarmKey, &Alarm)| input.wants(key, alarm);
        let alarms = self.cloudwatch.alarms.of(place).filter(wanted);
        let (alarms, next_token) = page(alarms, input.next_token.as_deref(), most)?;
        Ok(described(alarms, next_token, MetricAlarm::of, CompositeAlarm::of))
    }

    /// Children or parents, of which not everything is told.
    fn relatives(
        &self,
        place: Place,
        input: &DescribeAlarms,
        most: usize,
    ) -> Result<DescribedAlarms, ServiceError> {
        let alarms = &self.cloudwatch.alarms;
        let key = |name: &Option<String>| AlarmKey { place, name: name.clone().unwrap_or_default() };
        let children = input.children_of_alarm_name.is_some();
        let relatives: BTreeSet<AlarmKey> = if children {
            let parent = alarms.get(&key(&input.children_of_alarm_name));
            let composite = parent.and_then(Alarm::composite);
            composite.map(|composite| composite.children.iter().cloned().collect()).unwrap_or_default()
        } else {
            alarms.parents(&key(&input.parents_of_alarm_name))
        };
        let found = relatives.iter().filter_map(|key| Some((key, alarms.get(key)?)));
        let (found, next_token) = page(found, input.next_token.as_deref(), most)?;
        let answer = if children {
            described(found, next_token, MetricAlarm::as_child, CompositeAlarm::as_child)
        } else {
            described(found, next_token, MetricAlarm::as_parent, CompositeAlarm::as_parent)
        };
        Ok(answer)
    }

    pub(crate) fn describe_alarms_for_metric(
        &self,
        place: Place,
        input: DescribeAlarmsForMetric,
    ) -> Result<AlarmsForMetric, ServiceError> {
        let mut checks = Checks::default();
        checks.required_text("metricName", &input.metric_name, 1, 255);
        checks.required_text("namespace", &input.namespace, 1, 255);
        checks.dimensions("", &input.dimensions);
        checks.range("period", input.period, 1, i64::MAX);
        checks.unit("unit", input.unit.as_deref());
        checks.done(validation)?;
        let name = |text: &Option<String>| text.clone().unwrap_or_default();
        let metric =
            MetricId::new(&name(&input.namespace), &name(&input.metric_name), &pairs(&input.dimensions));
        let found = self.cloudwatch.alarms.of(place).filter(|(_, alarm)| {
            alarm.metric_rule().is_some_and(|rule| rule.metric == metric && input.wants(rule))
        });
        Ok(AlarmsForMetric { metric_alarms: found.map(|(key, alarm)| MetricAlarm::of(key, alarm)).collect() })
    }
}

fn described<'a>(
    alarms: impl IntoIterator<Item = (&'a AlarmKey, &'a Alarm)>,
    next_token: Option<String>,
    metric: fn(&AlarmKey, &Alarm) -> MetricAlarm,
    composite: fn(&AlarmKey, &Alarm) -> CompositeAlarm,
) -> DescribedAlarms {
    let (mut metric_alarms, mut composite_alarms) = (Vec::new(), Vec::new());
    for (key, alarm) in alarms {
        match alarm.composite() {
            Some(_) => composite_alarms.push(composite(key, alarm)),
            None => metric_alarms.push(metric(key, alarm)),
        }
    }
    DescribedAlarms { composite_alarms, metric_alarms, log_alarms: Vec::new(), next_token }
}

impl DescribeAlarms {
    /// How many alarms a page has.
    fn check(&self) -> Result<usize, ServiceError> {
        let mut checks = Checks::default();
        let names = self.alarm_names.as_deref().unwrap_or_default();
        checks.count("alarmNames", names, 100);
        checks.length("alarmNamePrefix", self.alarm_name_prefix.as_deref(), 1, 255);
        checks.length("actionPrefix", self.action_prefix.as_deref(), 1, 1024);
        checks.range("maxRecords", self.max_records, 1, 100);
        let states = AlarmState::ALL.map(AlarmState::as_str);
        checks.one_of("stateValue", self.state_value.as_deref(), &states, AlarmState::named);
        checks.alarm_types(&self.alarm_types);
        checks.done(validation)?;
        if self.alarm_names.is_some() && self.alarm_name_prefix.is_some() {
            return Err(validation("AlarmNamePrefix and AlarmNames are mutually exclusive"));
        }
        let relatives = [&self.children_of_alarm_name, &self.parents_of_alarm_name];
        let others = self.alarm_names.is_some()
            || self.alarm_name_prefix.is_some()
            || self.alarm_types.is_some()
            || self.state_value.is_some()
            || self.action_prefix.is_some();
        let asked = relatives.iter().filter(|name| name.is_some()).count();
        if asked == 2 || (asked == 1 && others) {
            let only = if self.children_of_alarm_name.is_some() { "Children" } else { "Parents" };
            return Err(validation(format!(
                "{only}OfAlarmName can be used with MaxRecords and NextToken only"
            )));
        }
        Ok(self.max_records.unwrap_or(50) as usize)
    }

    fn wants(&self, key: &AlarmKey, alarm: &Alarm) -> bool {
        let named = self.alarm_names.as_ref().filter(|names| !names.is_empty());
        let acts = |prefix: &String| {
            AlarmState::ALL
                .iter()
                .any(|state| alarm.actions.on(*state).iter().any(|arn| arn.starts_with(prefix)))
        };
        is_of_type(&self.alarm_types, alarm.type_name())
            && named.is_none_or(|names| names.contains(&key.name))
            && self.alarm_name_prefix.as_ref().is_none_or(|prefix| key.name.starts_with(prefix))
            && self.state_value.as_ref().is_none_or(|state| alarm.state.value.as_str() == state)
            && self.action_prefix.as_ref().is_none_or(acts)
    }
}

impl DescribeAlarmsForMetric {
    fn wants(&self, rule: &MetricRule) -> bool {
        let stat = self.statistic.as_ref().or(self.extended_statistic.as_ref());
        stat.is_none_or(|stat| rule.stat.as_str() == stat)
            && self.period.is_none_or(|period| rule.period.as_secs() == period as u64)
            && self.unit.as_deref().is_none_or(|unit| rule.unit.map(|unit| unit.as_str()) == Some(unit))
    }
}
