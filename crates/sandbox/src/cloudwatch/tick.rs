//! The tick, once a virtual minute: it samples the metrics of all services and evaluates the metric
//! alarms (semantics 4.1). Without alarms nobody wakes up for it; it is made up for when something
//! else happens.

use havoq_base::{StackDuration, StackTime};

use super::CloudWatch;
use super::alarm::{AlarmKey, Kind, State};
use super::documents::metric_reason_data;
use super::evaluate::{Evaluation, SPARE_PERIODS, evaluate};
use super::metric_rule::MetricRule;
use super::reason::reason;
use crate::core::Core;
use crate::timers::Timer;

const MINUTE: StackDuration = StackDuration::from_secs(60);

impl Core {
    /// At the next full minute, or the next full 10 s when an alarm is evaluated that often.
    pub(super) fn arm_tick(&mut self, now: StackTime) {
        if let Some(key) = self.cloudwatch.tick.take() {
            self.timers.cancel(key);
        }
        let rules = self.cloudwatch.alarms.all.values().filter_map(|alarm| alarm.metric_rule());
        let cadence = rules.map(MetricRule::cadence).min();
        let step = cadence.unwrap_or(MINUTE).min(MINUTE).as_micros();
        let next = StackTime::from_micros((now.as_micros() / step + 1) * step);
        let timer = if cadence.is_some() { Timer::Tick } else { Timer::Sample };
        self.cloudwatch.tick = Some(self.timers.set(next, timer));
    }

    /// Ticks stop when there is nothing to sample; anything that happens may change that.
    pub(crate) fn keep_sampling(&mut self, now: StackTime) {
        if self.cloudwatch.tick.is_none() {
            self.arm_tick(now);
        }
    }

    pub(crate) fn tick(&mut self, now: StackTime) {
        self.cloudwatch.tick = None;
        if falls_on(now, MINUTE) {
            self.cloudwatch.has_recorded = false;
            self.sample_sqs(now);
            self.sample_sns(now);
            self.sample_lambda(now);
            self.sample_events(now);
            self.sample_scheduler(now);
            self.sample_pipes(now);
            self.tell_news(now);
        }
        self.evaluate_alarms(now);
        let has_alarms = self.cloudwatch.alarms.all.values().any(|alarm| alarm.metric_rule().is_some());
        if self.cloudwatch.has_recorded || has_alarms {
            self.arm_tick(now);
        }
    }

    fn evaluate_alarms(&mut self, now: StackTime) {
        let CloudWatch { alarms, metrics, .. } = &mut self.cloudwatch;
        let mut changes: Vec<(AlarmKey, State)> = Vec::new();
        for (key, alarm) in &mut alarms.all {
            let Kind::Metric(rule) = &alarm.kind else { continue };
            if !falls_on(now, rule.cadence()) {
                continue;
            }
            let Some(series) = metrics.find(key.place, &rule.metric) else { continue };
            let periods = rule.evaluation_periods + SPARE_PERIODS;
            let until = rule.window_end(now);
            let evaluation =
                evaluate(rule, &series.datapoints(&rule.stat, rule.unit, rule.period, periods, until));
            alarm.is_warm = alarm.is_warm || is_warm(rule, &evaluation, now.since(alarm.created));
            if !alarm.is_warm || has_few_samples(rule, &evaluation) {
                continue;
            }
            let Some(value) = evaluation.state.filter(|value| *value != alarm.state.value) else { continue };
            let reason = reason(rule, value, &evaluation);
            let reason_data = Some(metric_reason_data(rule, &evaluation, now));
            changes.push((key.clone(), State { value, reason, reason_data, updated: now }));
        }
        for (key, state) in changes {
            self.change_state(now, &key, state, &mut Vec::new());
        }
    }
}

/// Whether the warm-up is over: its time is, or there is enough data if that is enough.
fn is_warm(rule: &MetricRule, evaluation: &Evaluation, age: StackDuration) -> bool {
    rule.warm_up.is_none_or(|warm_up| {
        let is_full = evaluation.missing == 0 && warm_up.whole != Some(true);
        is_full || age >= MINUTE.times(warm_up.minutes.into())
    })
}

/// Whether the newest period has too few samples for a percentile (EvaluateLowSampleCountPercentile).
fn has_few_samples(rule: &MetricRule, evaluation: &Evaluation) -> bool {
    let newest = evaluation.judged.last();
    rule.fewest_samples().zip(newest).is_some_and(|(fewest, newest)| newest.samples < fewest)
}

fn falls_on(now: StackTime, step: StackDuration) -> bool {
    now.as_micros().is_multiple_of(step.as_micros())
}
