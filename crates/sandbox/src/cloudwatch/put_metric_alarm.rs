//! PutMetricAlarm.

use std::collections::BTreeMap;

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::actions_input::{check_actions, check_arns};
use super::alarm::{Actions, AlarmKey, Kind};
use super::double;
use super::errors::{unsupported, validation};
use super::members::{Dimension, Tag, pairs, tag_map};
use super::metric::MetricId;
use super::metric_rule::{LowSamples, MetricRule, WarmUp, Window};
use super::put::NewAlarm;
use super::spec::{Comparison, MissingData, Statistic};
use super::stat::{Extended, Stat};
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutMetricAlarm {
    alarm_name: Option<String>,
    alarm_description: Option<String>,
    actions_enabled: Option<bool>,
    #[serde(rename = "OKActions")]
    ok_actions: Vec<String>,
    alarm_actions: Vec<String>,
    insufficient_data_actions: Vec<String>,
    metric_name: Option<String>,
    namespace: Option<String>,
    statistic: Option<String>,
    extended_statistic: Option<String>,
    dimensions: Vec<Dimension>,
    period: Option<i64>,
    unit: Option<String>,
    evaluation_periods: Option<i64>,
    datapoints_to_alarm: Option<i64>,
    #[serde(deserialize_with = "double::optional")]
    threshold: Option<f64>,
    comparison_operator: Option<String>,
    treat_missing_data: Option<String>,
    evaluate_low_sample_count_percentile: Option<String>,
    metrics: Vec<Value>,
    tags: Vec<Tag>,
    threshold_metric_id: Option<String>,
    evaluation_window: Option<EvaluationWindow>,
    warm_up_configuration: Option<WarmUpConfiguration>,
    evaluation_criteria: Option<Value>,
    evaluation_interval: Option<i64>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct EvaluationWindow {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wall_clock_window: Option<WallClockWindow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sliding_window: Option<BTreeMap<String, Value>>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct WallClockWindow {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) timezone: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct WarmUpConfiguration {
    pub(super) warm_up_period_duration_in_minutes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) only_start_evaluating_after_warm_up_period_ends: Option<bool>,
}

/// As AWS's front end lists them.
const STATISTICS: [&str; 5] = ["Maximum", "SampleCount", "Sum", "Minimum", "Average"];

impl Core {
    pub(crate) fn put_metric_alarm(
        &mut self,
        now: StackTime,
        place: Place,
        input: PutMetricAlarm,
    ) -> Result<(), ServiceError> {
        let rule = input.rule()?;
        let actions = input.actions();
        check_arns(&actions, &self.places.name(place).region)?;
        let name = input.alarm_name.unwrap_or_default();
        let new = NewAlarm {
            key: AlarmKey { place, name },
            description: input.alarm_description,
            actions,
            kind: Kind::Metric(Box::new(rule)),
            tags: tag_map(input.tags),
        };
        self.save_alarm(now, new);
        Ok(())
    }
}

impl PutMetricAlarm {
    fn actions(&self) -> Actions {
        Actions {
            enabled: self.actions_enabled.unwrap_or(true),
            ok: self.ok_actions.clone(),
            alarm: self.alarm_actions.clone(),
            insufficient_data: self.insufficient_data_actions.clone(),
        }
    }

    fn rule(&self) -> Result<MetricRule, ServiceError> {
        let mut checks = Checks::default();
        checks.required_text("alarmName", &self.alarm_name, 1, 255);
        checks.length("alarmDescription", self.alarm_description.as_deref(), 0, 1024);
        checks.length("metricName", self.metric_name.as_deref(), 1, 255);
        checks.length("namespace", self.namespace.as_deref(), 1, 255);
        checks.dimensions("", &self.dimensions);
        checks.tags(&self.tags);
        checks.range("period", self.period, 1, i64::MAX);
        checks.range("evaluationPeriods", self.evaluation_periods, 1, i64::MAX);
        checks.range("datapointsToAlarm", self.datapoints_to_alarm, 1, i64::MAX);
        check_actions(&mut checks, &self.actions());
        let statistic = checks.one_of("statistic", self.statistic.as_deref(), &STATISTICS, Statistic::named);
        let unit = checks.unit("unit", self.unit.as_deref());
        let comparison = self.comparison(&mut checks);
        checks.done(validation)?;
        self.refuse_unbuilt()?;
        let stat = self.stat(statistic)?;
        let rule = MetricRule {
            metric: self.metric()?,
            dimensions: pairs(&self.dimensions),
            stat,
            unit,
            period: StackDuration::from_secs(
                self.period.ok_or_else(|| validation("Period must not be null"))? as u64,
            ),
            evaluation_periods: whole(self.evaluation_periods)
                .ok_or_else(|| validation("EvaluationPeriods must not be null"))?,
            datapoints_to_alarm: whole(self.datapoints_to_alarm),
            comparison: comparison.ok_or_else(|| validation("ComparisonOperator must not be null"))?,
            threshold: self.threshold.ok_or_else(|| validation("Threshold must not be null"))?,
            treat_missing_data: self.treat_missing_data()?,
            low_samples: self.low_samples()?,
            window: self.window()?,
            warm_up: self.warm_up()?,
        };
        rule.check()?;
        Ok(rule)
    }

    fn comparison(&self, checks: &mut Checks) -> Option<Comparison> {
        let mut all: Vec<_> = Comparison::ALL.iter().map(|comparison| comparison.as_str()).collect();
        all.extend(ANOMALIES);
        let known = |name: &str| match Comparison::named(name) {
            None if ANOMALIES.contains(&name) => Some(None),
            comparison => comparison.map(Some),
        };
        checks.one_of("comparisonOperator", self.comparison_operator.as_deref(), &all, known).flatten()
    }

    fn refuse_unbuilt(&self) -> Result<(), ServiceError> {
        let operator = self.comparison_operator.as_deref().unwrap_or_default();
        if ANOMALIES.contains(&operator) || self.threshold_metric_id.is_some() {
            return Err(unsupported("anomaly detection"));
        }
        if !self.metrics.is_empty() {
            return Err(unsupported("an alarm on a metric math expression (Metrics)"));
        }
        if self.evaluation_criteria.is_some() || self.evaluation_interval.is_some() {
            return Err(unsupported("an alarm on a PromQL query (EvaluationCriteria)"));
        }
        Ok(())
    }

    fn stat(&self, statistic: Option<Statistic>) -> Result<Stat, ServiceError> {
        match (statistic, &self.extended_statistic) {
            (Some(statistic), None) => Ok(Stat::Simple(statistic)),
            (None, Some(text)) => Extended::parse(text).map(Stat::Extended).ok_or_else(|| {
                validation(format!("The value {text} for parameter ExtendedStatistic is not supported."))
            }),
            (Some(_), Some(_)) => {
                Err(validation("Statistic and ExtendedStatistic are mutually exclusive; only one can be set"))
            }
            (None, None) => Err(validation(
                "Exactly one element from the following list must be specified for a single metric alarm: \
                 Statistic, ExtendedStatistic",
            )),
        }
    }

    fn metric(&self) -> Result<MetricId, ServiceError> {
        let namespace = self.namespace.as_deref().ok_or_else(|| validation("Namespace must not be null"))?;
        let metric = self.metric_name.as_deref().ok_or_else(|| validation("MetricName must not be null"))?;
        Ok(MetricId::new(namespace, metric, &pairs(&self.dimensions)))
    }

    fn treat_missing_data(&self) -> Result<Option<MissingData>, ServiceError> {
        let all: Vec<_> = MissingData::ALL.iter().map(|mode| mode.as_str()).collect();
        one_of("TreatMissingData", self.treat_missing_data.as_deref(), &all, MissingData::named)
    }

    fn low_samples(&self) -> Result<Option<LowSamples>, ServiceError> {
        let all = [LowSamples::Evaluate, LowSamples::Ignore];
        let named = |name: &str| all.into_iter().find(|mode| mode.as_str() == name);
        let text = self.evaluate_low_sample_count_percentile.as_deref();
        one_of("EvaluateLowSampleCountPercentile", text, &all.map(LowSamples::as_str), named)
    }

    fn window(&self) -> Result<Option<Window>, ServiceError> {
        let Some(window) = &self.evaluation_window else { return Ok(None) };
        match (&window.wall_clock_window, &window.sliding_window) {
            (Some(WallClockWindow { timezone }), None) => {
                let ahead_secs = timezone.as_deref().map_or(Ok(0), offset)?;
                Ok(Some(Window::WallClock { timezone: timezone.clone(), ahead_secs }))
            }
            (None, Some(_)) => Ok(Some(Window::Sliding)),
            _ => Err(validation("Exactly one of SlidingWindow and WallClockWindow must be set")),
        }
    }

    fn warm_up(&self) -> Result<Option<WarmUp>, ServiceError> {
        let Some(warm_up) = &self.warm_up_configuration else { return Ok(None) };
        let minutes = warm_up.warm_up_period_duration_in_minutes;
        let mut checks = Checks::default();
        let member = "warmUpConfiguration.warmUpPeriodDurationInMinutes";
        checks.required(member, &minutes);
        checks.range(member, minutes, 1, 2_880);
        checks.done(validation)?;
        let whole_period = warm_up.only_start_evaluating_after_warm_up_period_ends;
        Ok(whole(minutes).map(|minutes| WarmUp { minutes, whole: whole_period }))
    }
}

const ANOMALIES: [&str; 3] =
    ["LessThanLowerOrGreaterThanUpperThreshold", "LessThanLowerThreshold", "GreaterThanUpperThreshold"];

/// What was checked to be above 0; no period is so long as to need more.
fn whole(number: Option<i64>) -> Option<u32> {
    number.map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

fn one_of<T>(
    member: &str,
    text: Option<&str>,
    all: &[&str],
    named: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, ServiceError> {
    let Some(text) = text else { return Ok(None) };
    let refused = || {
        validation(format!(
            "The value {text} is not supported for parameter {member}. Supported values are {all:?}."
        ))
    };
    named(text).map(Some).ok_or_else(refused)
}

/// `UTC`, `+05:30` or `UTC+05:30`, in seconds ahead of UTC.
fn offset(text: &str) -> Result<i64, ServiceError> {
    let rest = text.strip_prefix("UTC").unwrap_or(text);
    let parsed = || {
        let sign = match rest.chars().next() {
            None => return Some(0),
            Some('+') => 1,
            Some('-') => -1,
            Some(_) => return None,
        };
        let (hours, minutes) = rest.get(1..)?.split_once(':')?;
        let (hours, minutes): (u8, u8) = (hours.parse().ok()?, minutes.parse().ok()?);
        let legal = hours <= 14 && minutes < 60 && minutes.is_multiple_of(5);
        legal.then(|| sign * (i64::from(hours) * 3_600 + i64::from(minutes) * 60))
    };
    parsed().ok_or_else(|| unsupported(format!("the time zone {text}: one that is no offset from UTC")))
}
