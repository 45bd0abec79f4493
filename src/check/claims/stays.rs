//! `stays`: the alarm is in one state from the start of the injection to the end.

use super::Check;
use super::alarm::{start, state_at};
use super::rates;
use crate::check::afar;
use crate::check::finding::{Breach, Finding};
use crate::check::index::AlarmFacts;
use crate::check::view::View;
use crate::check::words;
use crate::scenario::{AlarmState, Claim};

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
            return Finding::Broken(Breach { reason, evidence: vec![seq], seq, ..Breach::default() });
        }
        match (unevaluated, at_start == wanted) {
            (true, _) => Finding::unclear(format!(
                "{} had not been evaluated when the injection began; let the steady state wait for {wanted}",
                self.alarm
            )),
            (false, true) => self.stayed(view, wanted, seq),
            (false, false) => {
                let reason = format!("{} was {at_start} when the injection began", self.alarm);
                Finding::Broken(Breach { reason, evidence: vec![seq], seq, ..Breach::default() })
            }
        }
    }
}

impl Stays<'_> {
    fn stayed(&self, view: &View<'_>, wanted: &str, seq: u64) -> Finding {
        let untold = afar::alarms(view.index);
        match untold.or_else(|| rates::untold(view, self.alarm, self.is)) {
            Some(why) => Finding::unclear(format!("{} was {wanted} throughout, but {why}", self.alarm)),
            None => Finding::holds(
                format!("{} was {wanted} throughout", self.alarm),
                Vec::from_iter((seq > 0).then_some(seq)),
            ),
        }
    }
}
