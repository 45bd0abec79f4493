//! The tick, once a virtual minute while there are alarms: it samples the metrics that alarms
//! watch, evaluates the alarms, and carries their actions out (semantics 4.1, 4.2).

use std::collections::BTreeMap;

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;

use super::evaluate::{SPARE_PERIODS, evaluate};
use super::metric::{DIMENSION, Metric, NAMESPACE};
use super::reason::reason;
use super::series::Series;
use super::spec::{AlarmSpec, AlarmState};
use crate::core::Core;
use crate::fact::Fact;
use crate::place::Place;
use crate::sqs::Counters;
use crate::timers::{Timer, TimerKey};

/// The alarms, by name, and the metrics that they watch.
#[derive(Debug, Default)]
pub(crate) struct CloudWatch {
    alarms: BTreeMap<String, Alarm>,
    /// By metric and queue name.
    series: BTreeMap<(Metric, String), Series>,
    tick: Option<TimerKey>,
}

#[derive(Debug)]
struct Alarm {
    spec: AlarmSpec,
    state: AlarmState,
}

const MINUTE: StackDuration = StackDuration::from_secs(60);

impl Core {
    /// A new alarm starts without enough data; an update keeps the state.
    pub(crate) fn put_alarm(&mut self, now: StackTime, spec: AlarmSpec) -> Result<String, ServiceError> {
        spec.check()?;
        if self.cloudwatch.alarms.is_empty() {
            // Nobody has sampled so far: counting begins now.
            self.reset_counters();
        }
        if let Some(watched) = watched(&spec) {
            let kept = spec.period.times(u64::from(spec.evaluation_periods + SPARE_PERIODS));
            let series = self.cloudwatch.series.entry(watched).or_default();
            series.kept = series.kept.max(kept);
        }
        let arn = self.places.arn(Place::HOME, "cloudwatch", &format!("alarm:{}", spec.name));
        let before = self.cloudwatch.alarms.get(&spec.name);
        let state = before.map_or(AlarmState::InsufficientData, |alarm| alarm.state);
        self.cloudwatch.alarms.insert(spec.name.clone(), Alarm { spec, state });
        self.arm_tick(now);
        Ok(arn)
    }

    /// At the next full minute, or the next full 10 s when an alarm is evaluated that often.
    fn arm_tick(&mut self, now: StackTime) {
        if let Some(key) = self.cloudwatch.tick.take() {
            self.timers.cancel(key);
        }
        let cadences = self.cloudwatch.alarms.values().map(|alarm| alarm.spec.cadence());
        let step = cadences.min().unwrap_or(MINUTE).min(MINUTE).as_micros();
        let next = StackTime::from_micros((now.as_micros() / step + 1) * step);
        self.cloudwatch.tick = Some(self.timers.set(next, Timer::Tick));
    }

    pub(crate) fn tick(&mut self, now: StackTime) {
        if falls_on(now, MINUTE) {
            self.sample(now);
        }
        self.evaluate_alarms(now);
        self.arm_tick(now);
    }

    fn sample(&mut self, now: StackTime) {
        let mut facts = Vec::new();
        for ((metric, queue), series) in &mut self.cloudwatch.series {
            let Some(id) = self.queues.find(Place::HOME, queue) else { continue };
            let Some(stats) = self.queues.get(id).ok().and_then(|queue| metric.sample(queue, now)) else {
                continue;
            };
            series.push(now, stats);
            // Of several samples in one datapoint, which only sizes have, the mean stands for all.
            let value = stats.sum / stats.count;
            if series.reported.replace(value) != Some(value) {
                facts.push(Fact::Metric {
                    namespace: NAMESPACE.to_owned(),
                    metric: metric.name().to_owned(),
                    dimension: queue.clone(),
                    value,
                });
            }
        }
        facts.into_iter().for_each(|fact| self.emit(now, fact));
        self.reset_counters();
    }

    fn reset_counters(&mut self) {
        self.queues.iter_mut().for_each(|queue| queue.counters = Counters::default());
    }

    fn evaluate_alarms(&mut self, now: StackTime) {
        let mut facts = Vec::new();
        let CloudWatch { alarms, series, .. } = &mut self.cloudwatch;
        let nothing = Series::default();
        for (name, alarm) in alarms {
            let Alarm { spec, state } = alarm;
            if !falls_on(now, spec.cadence()) {
                continue;
            }
            let series = watched(spec).and_then(|watched| series.get(&watched)).unwrap_or(&nothing);
            let periods = spec.evaluation_periods + SPARE_PERIODS;
            let evaluation = evaluate(spec, &series.datapoints(spec.statistic, spec.period, periods, now));
            let Some(to) = evaluation.state.filter(|to| to != state) else { continue };
            let from = std::mem::replace(state, to);
            let reason = reason(spec, to, &evaluation);
            facts.push(Fact::AlarmChanged { alarm: name.clone(), from, to, reason });
            let actions = if spec.actions_enabled { spec.actions(to) } else { &[] };
            facts.extend(
                actions.iter().filter(|arn| self.topics.contains(*arn)).map(|arn| Fact::AlarmAction {
                    alarm: name.clone(),
                    state: to,
                    target_arn: arn.clone(),
                }),
            );
        }
        facts.into_iter().for_each(|fact| self.emit(now, fact));
    }
}

/// The metric that an alarm watches, if it is one that queues emit. Any other has no data.
fn watched(spec: &AlarmSpec) -> Option<(Metric, String)> {
    match spec.dimensions.as_slice() {
        [(dimension, queue)] if spec.namespace == NAMESPACE && dimension == DIMENSION => {
            Some((Metric::named(&spec.metric)?, queue.clone()))
        }
        _ => None,
    }
}

fn falls_on(now: StackTime, step: StackDuration) -> bool {
    now.as_micros().is_multiple_of(step.as_micros())
}
