//! `stays`: the alarm is in one state from the start of the injection to the end.
//!
//! Under a clock that jumps consumers are infinitely fast, so that the alarm of a queue which they
//! drain stayed OK proves nothing about real time (design section 6, Rates). That it did not, does.

use super::Check;
use super::alarm::{start, state_at};
use crate::check::afar;
use crate::check::finding::{Breach, Finding};
use crate::check::index::AlarmFacts;
use crate::check::view::View;
use crate::check::words;
use crate::scenario::{AlarmState, Claim, DimensionValue};

struct Stays<'a> {
    alarm: &'a str,
    is: AlarmState,
}

pub(super) fn read(claim: &Claim) -> Option<Box<dyn Check + '_>> {
    let Claim::Stays { alarm, is } = claim else { return None };
    Some(Box::new(Stays { alarm, is: *is }))
}

impl Check for Stays<'_> {
    fn kind(&self) -> &'static str {
        "stays"
    }

    fn text(&self) -> String {
        format!("{} stays {}", self.alarm, words::state(self.is))
    }

    fn judged_at_end(&self) -> bool {
        true
    }

    fn look(&self, view: &View<'_>) -> Finding {
        let Some(start) = start(view) else { return Finding::unclear("the history is empty") };
        let none = AlarmFacts::default();
        let facts = view.index.alarms.get(self.alarm).unwrap_or(&none);
        let wanted = words::state(self.is);
        let (at_start, seq) = state_at(facts, start.seq);
        // Not evaluated yet when the injection began: its first evaluation is no departure.
        let unevaluated = seq == 0 && at_start != wanted;
        let mut later = facts.changes.iter().filter(|change| change.when.seq > start.seq);
        if let Some(change) =
            later.find(|change| change.to != wanted && !(unevaluated && change.to == at_start))
        {
            let at = words::offset(change.when.at, start.at);
            let reason = format!("{} went from {} to {} at {at}", self.alarm, change.from, change.to);
            let seq = change.when.seq;
            return Finding::Broken(Breach { reason, evidence: vec![seq], marker: None, seq, idle: None });
        }
        match (unevaluated, at_start == wanted) {
            (true, _) => Finding::unclear(format!(
                "{} had not been evaluated when the injection began; let the steady state wait for {wanted}",
                self.alarm
            )),
            (false, true) => self.stayed(view, wanted, seq),
            (false, false) => {
                let reason = format!("{} was {at_start} when the injection began", self.alarm);
                Finding::Broken(Breach { reason, evidence: vec![seq], marker: None, seq, idle: None })
            }
        }
    }
}

impl Stays<'_> {
    fn stayed(&self, view: &View<'_>, wanted: &str, seq: u64) -> Finding {
        if let Some(why) = afar::alarms(view.index) {
            return Finding::unclear(format!("{} was {wanted} throughout, but {why}", self.alarm));
        }
        match self.drained_queue(view) {
            Some(queue) if self.is == AlarmState::Ok && jumped(view) => Finding::unclear(format!(
                "{} stayed OK, but the clock jumped, so its consumers drained {queue} infinitely fast; run with `--clock real` to judge it",
                self.alarm
            )),
            _ => Finding::holds(
                format!("{} was {wanted} throughout", self.alarm),
                Vec::from_iter((seq > 0).then_some(seq)),
            ),
        }
    }

    /// The queue whose gauge the alarm watches, when a consumer drains it.
    fn drained_queue<'v>(&self, view: &'v View<'_>) -> Option<&'v str> {
        let alarm = view.index.scenario.stack.alarms.get(self.alarm)?;
        if !alarm.metric.starts_with("Approximate") {
            return None;
        }
        let mut queues = alarm.dimensions.iter().filter_map(|(_, value)| match value {
            DimensionValue::QueueNameOf(queue) => Some(queue.as_str()),
            DimensionValue::Literal(name) => queue_named(view, name),
        });
        queues.find(|queue| view.index.is_consumed(queue))
    }
}

fn queue_named<'v>(view: &'v View<'_>, name: &str) -> Option<&'v str> {
    let queues = &view.index.scenario.stack.queues;
    let named = queues.iter().find(|(_, queue)| queue.name.as_deref() == Some(name));
    named.map(|(id, _)| id.as_str())
}

/// Whether the clock jumped since the injection began.
fn jumped(view: &View<'_>) -> bool {
    view.index.run.last_jump.is_some_and(|jump| jump.seq > view.since())
}
