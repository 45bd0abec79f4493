//! Alarms as DescribeAlarms shows them: members that were not given are left out.

use serde::Serialize;

use super::alarm::{Alarm, AlarmKey};
use super::dates::epoch;
use super::members::{Dimension, dimensions};
use super::metric_rule::{LowSamples, MetricRule, Window};
use super::put_metric_alarm::{EvaluationWindow, WallClockWindow, WarmUpConfiguration};
use super::spec::AlarmState;
use super::stat::Stat;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct MetricAlarm {
    alarm_name: String,
    alarm_arn: String,
    #[serde(flatten)]
    common: Option<Common>,
    #[serde(flatten)]
    state: Option<ShortState>,
    #[serde(flatten)]
    rule: Option<Rule>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct CompositeAlarm {
    alarm_name: String,
    alarm_arn: String,
    #[serde(flatten)]
    common: Option<Common>,
    #[serde(flatten)]
    state: Option<ShortState>,
    #[serde(flatten)]
    rule: Option<CompositeRule>,
}

/// What both kinds have.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Common {
    #[serde(skip_serializing_if = "Option::is_none")]
    alarm_description: Option<String>,
    alarm_configuration_updated_timestamp: f64,
    actions_enabled: bool,
    #[serde(rename = "OKActions")]
    ok_actions: Vec<String>,
    alarm_actions: Vec<String>,
    insufficient_data_actions: Vec<String>,
    state_reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    state_reason_data: Option<String>,
    state_transitioned_timestamp: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct ShortState {
    state_value: &'static str,
    state_updated_timestamp: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Rule {
    metric_name: String,
    namespace: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistic: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extended_statistic: Option<String>,
    dimensions: Vec<Dimension>,
    period: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    evaluation_periods: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    datapoints_to_alarm: Option<u32>,
    threshold: f64,
    comparison_operator: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    treat_missing_data: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluate_low_sample_count_percentile: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation_window: Option<EvaluationWindow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warm_up_configuration: Option<WarmUpConfiguration>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct CompositeRule {
    alarm_rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions_suppressed_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions_suppressed_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions_suppressor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions_suppressor_wait_period: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions_suppressor_extension_period: Option<u64>,
}

impl MetricAlarm {
    pub(super) fn of(key: &AlarmKey, alarm: &Alarm) -> Self {
        let common = Some(Common::of(alarm));
        Self { common, rule: alarm.metric_rule().map(Rule::of), ..Self::as_child(key, alarm) }
    }

    pub(super) fn as_child(key: &AlarmKey, alarm: &Alarm) -> Self {
        Self { state: Some(ShortState::of(alarm)), ..Self::as_parent(key, alarm) }
    }

    pub(super) fn as_parent(key: &AlarmKey, alarm: &Alarm) -> Self {
        Self { alarm_name: key.name.clone(), alarm_arn: alarm.arn.clone(), ..Self::default() }
    }
}

impl CompositeAlarm {
    pub(super) fn of(key: &AlarmKey, alarm: &Alarm) -> Self {
        let (common, rule) = (Some(Common::of(alarm)), CompositeRule::of(alarm));
        Self { common, rule, ..Self::as_child(key, alarm) }
    }

    pub(super) fn as_child(key: &AlarmKey, alarm: &Alarm) -> Self {
        Self { state: Some(ShortState::of(alarm)), ..Self::as_parent(key, alarm) }
    }

    pub(super) fn as_parent(key: &AlarmKey, alarm: &Alarm) -> Self {
        Self { alarm_name: key.name.clone(), alarm_arn: alarm.arn.clone(), ..Self::default() }
    }
}

impl Common {
    fn of(alarm: &Alarm) -> Self {
        let actions = |state| alarm.actions.on(state).to_vec();
        Self {
            alarm_description: alarm.description.clone(),
            alarm_configuration_updated_timestamp: epoch(alarm.configured),
            actions_enabled: alarm.actions.enabled,
            ok_actions: actions(AlarmState::Ok),
            alarm_actions: actions(AlarmState::Alarm),
            insufficient_data_actions: actions(AlarmState::InsufficientData),
            state_reason: alarm.state.reason.clone(),
            state_reason_data: alarm.state.reason_data.clone(),
            state_transitioned_timestamp: epoch(alarm.state.updated),
        }
    }
}

impl ShortState {
    fn of(alarm: &Alarm) -> Self {
        let state = &alarm.state;
        Self { state_value: state.value.as_str(), state_updated_timestamp: epoch(state.updated) }
    }
}

impl Rule {
    fn of(rule: &MetricRule) -> Self {
        let (statistic, extended_statistic) = match &rule.stat {
            Stat::Simple(statistic) => (Some(statistic.as_str()), None),
            Stat::Extended(_) => (None, Some(rule.stat.as_str().to_owned())),
        };
        Self {
            metric_name: rule.metric.metric.clone(),
            namespace: rule.metric.namespace.clone(),
            statistic,
            extended_statistic,
            dimensions: dimensions(&rule.dimensions),
            period: rule.period.as_secs(),
            unit: rule.unit.map(|unit| unit.as_str()),
            evaluation_periods: rule.evaluation_periods,
            datapoints_to_alarm: rule.datapoints_to_alarm,
            threshold: rule.threshold,
            comparison_operator: rule.comparison.as_str(),
            treat_missing_data: rule.treat_missing_data.map(|mode| mode.as_str()),
            evaluate_low_sample_count_percentile: rule.low_samples.map(LowSamples::as_str),
            evaluation_window: rule.window.as_ref().map(window),
            warm_up_configuration: rule.warm_up.map(|warm_up| WarmUpConfiguration {
                warm_up_period_duration_in_minutes: Some(warm_up.minutes.into()),
                only_start_evaluating_after_warm_up_period_ends: warm_up.whole,
            }),
        }
    }
}

fn window(window: &Window) -> EvaluationWindow {
    match window {
        Window::Sliding => {
            EvaluationWindow { sliding_window: Some(Default::default()), wall_clock_window: None }
        }
        Window::WallClock { timezone, .. } => EvaluationWindow {
            sliding_window: None,
            wall_clock_window: Some(WallClockWindow { timezone: timezone.clone() }),
        },
    }
}

impl CompositeRule {
    fn of(alarm: &Alarm) -> Option<Self> {
        let composite = alarm.composite()?;
        let by = composite.phase.map(|phase| phase.as_str());
        let suppressor = composite.suppressor.as_ref();
        Some(Self {
            alarm_rule: composite.text.clone(),
            actions_suppressed_by: by,
            actions_suppressed_reason: by.map(|by| format!("Actions suppressed by {by}")),
            actions_suppressor: suppressor.map(|suppressor| suppressor.text.clone()),
            actions_suppressor_wait_period: suppressor.map(|suppressor| suppressor.wait.as_secs()),
            actions_suppressor_extension_period: suppressor.map(|suppressor| suppressor.extension.as_secs()),
        })
    }
}
