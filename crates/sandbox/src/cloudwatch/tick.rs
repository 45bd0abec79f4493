//! The tick, once a virtual minute: it samples the metrics of all services, evaluates the alarms,
//! and carries their actions out (semantics 4.1, 4.2). Without alarms nobody wakes up for it; it is
//! made up for when something else happens.

use std::collections::BTreeMap;

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;

use super::evaluate::{SPARE_PERIODS, evaluate};
use super::metric::MetricId;
use super::reason::reason;
use super::spec::{AlarmSpec, AlarmState};
use super::stat::Stat;
use super::store::{Metrics, News};
use crate::core::Core;
use crate::fact::Fact;
use crate::place::Place;
use crate::timers::{Timer, TimerKey};

/// The metrics, and the alarms by name.
#[derive(Debug, Default)]
pub(crate) struct CloudWatch {
    pub(super) metrics: Metrics,
    /// What is to be made known of watched metrics.
    pub(super) news: Vec<News>,
    /// Whether anything was recorded since the last tick.
    pub(super) has_recorded: bool,
    alarms: BTreeMap<String, Alarm>,
    tick: Option<TimerKey>,
}

#[derive(Debug)]
struct Alarm {
    spec: AlarmSpec,
    metric: MetricId,
    stat: Stat,
    state: AlarmState,
}

const MINUTE: StackDuration = StackDuration::from_secs(60);

impl Core {
    /// A new alarm starts without enough data; an update keeps the state.
    pub(crate) fn put_alarm(&mut self, now: StackTime, spec: AlarmSpec) -> Result<String, ServiceError> {
        spec.check()?;
        let metric = MetricId::new(&spec.namespace, &spec.metric, &spec.dimensions);
        self.cloudwatch.metrics.series(Place::HOME, &metric).watched = true;
        let arn = self.places.arn(Place::HOME, "cloudwatch", &format!("alarm:{}", spec.name));
        let before = self.cloudwatch.alarms.get(&spec.name);
        let state = before.map_or(AlarmState::InsufficientData, |alarm| alarm.state);
        let stat = Stat::Simple(spec.statistic);
        self.cloudwatch.alarms.insert(spec.name.clone(), Alarm { spec, metric, stat, state });
        self.arm_tick(now);
        Ok(arn)
    }

    /// At the next full minute, or the next full 10 s when an alarm is evaluated that often.
    fn arm_tick(&mut self, now: StackTime) {
        if let Some(key) = self.cloudwatch.tick.take() {
            self.timers.cancel(key);
        }
        let cadences = self.cloudwatch.alarms.values().map(|alarm| alarm.spec.cadence());
        let cadence = cadences.min();
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
            self.tell_news(now);
        }
        self.evaluate_alarms(now);
        if self.cloudwatch.has_recorded || !self.cloudwatch.alarms.is_empty() {
            self.arm_tick(now);
        }
    }

    fn evaluate_alarms(&mut self, now: StackTime) {
        let mut facts = Vec::new();
        let CloudWatch { alarms, metrics, .. } = &mut self.cloudwatch;
        for (name, alarm) in alarms {
            let Alarm { spec, metric, stat, state } = alarm;
            if !falls_on(now, spec.cadence()) {
                continue;
            }
            let Some(series) = metrics.find(Place::HOME, metric) else { continue };
            let periods = spec.evaluation_periods + SPARE_PERIODS;
            let evaluation = evaluate(spec, &series.datapoints(stat, None, spec.period, periods, now));
            let Some(to) = evaluation.state.filter(|to| to != state) else { continue };
            let from = std::mem::replace(state, to);
            let reason = reason(spec, to, &evaluation);
            facts.push(Fact::AlarmChanged { alarm: name.clone(), from, to, reason });
            let actions = if spec.actions_enabled { spec.actions(to) } else { &[] };
            facts.extend(
                actions.iter().filter(|arn| self.topics.contains(arn)).map(|arn| Fact::AlarmAction {
                    alarm: name.clone(),
                    state: to,
                    target_arn: arn.clone(),
                }),
            );
        }
        facts.into_iter().for_each(|fact| self.emit(now, fact));
    }
}

fn falls_on(now: StackTime, step: StackDuration) -> bool {
    now.as_micros().is_multiple_of(step.as_micros())
}
