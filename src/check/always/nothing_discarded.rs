//! `nothing_discarded`: no marker was deleted by a consumer without any effect. `allow:
//! [discarded]` lifts it.

use super::{Always, stray_effects};
use crate::check::fate::Ended;
use crate::check::finding::{Breach, Finding, Outcome, Wait, gather};
use crate::check::index::Index;
use crate::check::verdict::Fate;
use crate::check::words;

pub(super) const CLAIM: Always =
    Always { name: "nothing_discarded", text: "no message is deleted without an effect", look };

fn look(index: &Index, fates: &[Ended]) -> Option<Finding> {
    if index.scenario.allow_discarded {
        return None;
    }
    if fates.is_empty() {
        return Some(Finding::unclear("no message was sent, so none could be discarded"));
    }
    if index.scenario.effects.is_empty() {
        return Some(Finding::holds(
            "the scenario declares no effects, so deleted means processed",
            Vec::new(),
        ));
    }
    let discarded: Vec<&Ended> = fates.iter().filter(|ended| ended.fate == Fate::Discarded).collect();
    let strays = stray_effects(index);
    if !discarded.is_empty() && strays.len() >= discarded.len() {
        let reason = format!(
            "{} without an effect, but {} could not be tied to a message",
            words::counted(discarded.len() as u64, "message"),
            words::counted(strays.len() as u64, "effect")
        );
        return Some(Finding::Unclear { reason, evidence: strays });
    }
    let outcomes = discarded.into_iter().map(|ended| Outcome::Broken(breach(ended))).collect();
    let wait = Wait { deadline: None, ends_with_horizon: true };
    Some(gather(outcomes, wait, "every message that was deleted had an effect".to_owned()))
}

fn breach(ended: &Ended) -> Breach {
    Breach {
        reason: format!("{} is discarded: {}", ended.marker, ended.why),
        evidence: ended.evidence.clone(),
        marker: Some(ended.marker.clone()),
        seq: ended.evidence.first().copied().unwrap_or(0),
        ..Breach::default()
    }
}
