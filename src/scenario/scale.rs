//! `--scale`: the durations of stack and scenario, shortened for stacks whose clock is real.
//!
//! What a service measures is rounded up to what it takes. Where that changes a consumer's queue,
//! the scenario no longer tells the same story, and `unfit` says so. Real work is never scaled.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use havoq_base::StackDuration;
use havoq_fault::FaultSpec;

use super::model::{Action, Claim, Restart, Scenario, Step};

/// What durations are multiplied by: above 0, at most 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    numerator: u64,
    denominator: u64,
}

/// That a scenario was scaled, and what of it does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scaled {
    pub scale: Scale,
    /// One line each; while there are any, nothing can be judged.
    pub unfit: Vec<String>,
}

/// The shortest retention that SQS takes.
const LEAST_RETENTION: StackDuration = StackDuration::from_secs(60);

impl Scale {
    fn of(self, span: StackDuration) -> StackDuration {
        let micros = u128::from(span.as_micros()) * u128::from(self.numerator) / u128::from(self.denominator);
        StackDuration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
    }

    /// As it was before.
    pub fn undo(self, span: StackDuration) -> StackDuration {
        let micros = u128::from(span.as_micros()) * u128::from(self.denominator) / u128::from(self.numerator);
        StackDuration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
    }

    /// In whole seconds, as SQS counts, and not zero where it was not.
    fn seconds(self, span: StackDuration) -> StackDuration {
        let scaled = self.of(span);
        let seconds = scaled.as_micros().div_ceil(1_000_000).max(u64::from(span > StackDuration::ZERO));
        StackDuration::from_secs(seconds)
    }

    /// A period that CloudWatch takes: 10 s, 20 s, 30 s or whole minutes.
    fn period(self, span: StackDuration) -> StackDuration {
        let seconds = self.seconds(span).as_secs();
        let fitting = [10, 20, 30].into_iter().find(|period| seconds <= *period);
        StackDuration::from_secs(fitting.unwrap_or_else(|| seconds.div_ceil(60) * 60))
    }
}

impl Scenario {
    /// The scenario with its durations multiplied.
    pub fn scaled_by(mut self, scale: Scale) -> Self {
        // Nothing that the stack times fits into a deadline below this, so it is about real work.
        let shortest = self.shortest_span();
        let unfit = self.scale_stack(scale);
        for consumer in self.consumers.values_mut() {
            scale_restart(&mut consumer.restart, scale);
        }
        let within = |span: &mut StackDuration| {
            if *span > shortest {
                *span = scale.of(*span);
            }
        };
        for step in self.steady_state.iter_mut().chain(&mut self.inject) {
            scale_step(step, scale, &within);
        }
        for expectation in &mut self.expect {
            scale_claim(&mut expectation.claim, scale, &within);
        }
        self.scaled = Some(Scaled { scale, unfit });
        self
    }

    /// The shortest visibility timeout or delay of a queue that consumers read.
    fn shortest_span(&self) -> StackDuration {
        let queues = self.stack.queues.iter().filter(|(id, _)| self.is_read(id)).map(|(_, queue)| queue);
        let spans = queues.flat_map(|queue| [queue.visibility_timeout, queue.delay]);
        spans.filter(|span| *span > StackDuration::ZERO).min().unwrap_or_default()
    }

    fn is_read(&self, queue: &str) -> bool {
        let mut read = self.consumers.values().flat_map(|consumer| &consumer.queues);
        read.any(|read| read.value == queue)
    }

    fn scale_stack(&mut self, scale: Scale) -> Vec<String> {
        let mut unfit = Vec::new();
        let read: BTreeMap<String, bool> =
            self.stack.queues.keys().map(|id| (id.clone(), self.is_read(id))).collect();
        for (id, queue) in &mut self.stack.queues {
            let spans = [("visibility timeout", &mut queue.visibility_timeout), ("delay", &mut queue.delay)];
            for (what, span) in spans {
                let (exact, taken) = (scale.of(*span), scale.seconds(*span));
                if exact != taken && read[id] {
                    unfit.push(format!(
                        "the {what} of {id} would be {exact}, and SQS takes whole seconds from 1s"
                    ));
                }
                *span = taken;
            }
            queue.retention = scale.of(queue.retention).max(LEAST_RETENTION.min(queue.retention));
        }
        for alarm in self.stack.alarms.values_mut() {
            alarm.period = scale.period(alarm.period).min(alarm.period);
        }
        unfit
    }
}

fn scale_restart(restart: &mut Restart, scale: Scale) {
    if let Restart::After(pause) = restart {
        *pause = scale.of(*pause);
    }
}

fn scale_step(step: &mut Step, scale: Scale, within: &impl Fn(&mut StackDuration)) {
    match &mut step.action {
        Action::Send(send) => send.delay = send.delay.map(|delay| scale.seconds(delay)),
        Action::Duplicate(duplicate) => duplicate.gap = scale.of(duplicate.gap),
        Action::Fault(faults) => {
            let scaled = |fault: &FaultSpec| fault.clone().with_spans(|span| scale.of(span));
            *faults = faults.iter().map(scaled).collect();
        }
        Action::Kill(kill) => {
            kill.resume = kill.resume.map(|resume| scale.of(resume));
            if let Some(restart) = &mut kill.restart {
                scale_restart(restart, scale);
            }
        }
        Action::Wait(span) => *span = scale.of(*span),
        Action::Await(claim) => scale_claim(claim, scale, within),
        Action::Poison(_) | Action::Restart { .. } | Action::Swap { .. } | Action::Redrive(_) => {}
    }
}

fn scale_claim(claim: &mut Claim, scale: Scale, within: &impl Fn(&mut StackDuration)) {
    match claim {
        // Alarms take their own time, however long messages do.
        Claim::Alarm { within: span, .. } => *span = span.map(|span| scale.of(span)),
        Claim::Redelivered { not_before, within: span, .. } => {
            *not_before = not_before.map(|bound| scale.of(bound));
            span.iter_mut().for_each(within);
        }
        Claim::DeadLettered { within: span, .. }
        | Claim::Effect { within: span, .. }
        | Claim::Depth { within: span, .. }
        | Claim::Drained { within: span, .. } => span.iter_mut().for_each(within),
        Claim::NoEffect { .. } | Claim::Stays { .. } => {}
    }
}

impl FromStr for Scale {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("`{text}` is no scale\nhint: above 0 and at most 1, such as 1/60 or 0.1");
        let (numerator, denominator) = match text.split_once('/') {
            Some((numerator, denominator)) => (whole(numerator), whole(denominator)),
            None => decimal(text),
        };
        match (numerator, denominator) {
            (Some(numerator), Some(denominator)) if 0 < numerator && numerator <= denominator => {
                Ok(Self { numerator, denominator })
            }
            _ => Err(wrong()),
        }
    }
}

fn whole(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// `0.25` as 25/100.
fn decimal(text: &str) -> (Option<u64>, Option<u64>) {
    let (before, behind) = text.split_once('.').unwrap_or((text, ""));
    let digits = u32::try_from(behind.len()).ok().filter(|digits| *digits <= 9);
    (whole(&format!("{before}{behind}")), digits.map(|digits| 10_u64.pow(digits)))
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}
