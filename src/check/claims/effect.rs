//! `effect`: each marker of the label has exactly n effects in the sink. Replays under the same
//! Idempotency-Key are recorded and not counted. More than n is a counterexample at once; n itself
//! is judged at the horizon, and `within` limits when the n-th came.

use havoq_base::StackDuration;

use super::Check;
use crate::check::finding::{Breach, Finding, Outcome, gather};
use crate::check::index::{EffectFact, Story};
use crate::check::view::View;
use crate::check::{at_work, lapse, strays, words};
use crate::scenario::Claim;

struct Exactly<'a> {
    of: &'a str,
    effect: &'a str,
    exactly: u64,
    within: Option<StackDuration>,
}

pub(super) fn read(claim: &Claim) -> Option<Box<dyn Check + '_>> {
    let Claim::Effect { of, effect, exactly, within } = claim else { return None };
    Some(Box::new(Exactly { of, effect, exactly: *exactly, within: *within }))
}

impl Check for Exactly<'_> {
    fn kind(&self) -> &'static str {
        "effect"
    }

    fn text(&self) -> String {
        let effects = words::counted(self.exactly, "effect");
        let within = words::within(self.within);
        format!("each of `{}` has exactly {effects} in {}{within}", self.of, self.effect)
    }

    fn judged_at_end(&self) -> bool {
        true
    }

    fn look(&self, view: &View<'_>) -> Finding {
        let stories = match view.set(self.of) {
            Ok(stories) => stories,
            Err(why) => return Finding::unclear(why),
        };
        let strays = strays::of(view, self.of, Some(self.effect));
        let lacking: u64 = stories.iter().map(|story| self.lacking(story)).sum();
        // What could not be tied to a message may be the missing effects.
        let explained = !strays.is_empty() && strays.len() as u64 >= lacking;
        let judged = stories.iter().filter(|story| !explained || self.lacking(story) == 0);
        let outcomes = judged.map(|story| self.marker(view, story)).collect();
        let all = format!("all {} had {}", stories.len(), words::counted(self.exactly, "effect"));
        match gather(outcomes, view.wait(self.within), all) {
            Finding::Holds { .. } if !strays.is_empty() => strays::unclear(&strays),
            finding => view.unless_short(self.of, self.unless_more_may_come(view, &stories, finding)),
        }
    }
}

impl Exactly<'_> {
    fn lacking(&self, story: &Story) -> u64 {
        self.exactly.saturating_sub(counted_in(story, self.effect).len() as u64)
    }

    fn marker(&self, view: &View<'_>, story: &Story) -> Outcome {
        let made = counted_in(story, self.effect);
        let count = made.len() as u64;
        let evidence: Vec<u64> = made.iter().map(|fact| fact.when.seq).collect();
        let breach = |seq, reason, idle| Breach {
            also: Vec::new(),
            reason,
            evidence: evidence.clone(),
            marker: Some(story.marker.clone()),
            seq,
            idle,
        };
        if let Some(extra) = made.get(self.exactly as usize) {
            return Outcome::Broken(breach(extra.when.seq, self.too_many(story, &made), None));
        }
        if count < self.exactly {
            let reason = format!(
                "{} had {} in {}, not {}",
                story.marker,
                words::counted(count, "effect"),
                self.effect,
                self.exactly
            );
            return Outcome::Missing(breach(0, reason, view.left_lying(story)));
        }
        match made.last().filter(|last| !view.in_time(last.when, self.within)) {
            Some(late) => {
                let at = words::offset(late.when.at, view.from);
                let reason = format!(
                    "{}'s effect in {} came only at {at}, after the deadline",
                    story.marker, self.effect
                );
                Outcome::Missing(breach(late.when.seq, reason, view.was_left(story)))
            }
            None => Outcome::Held(evidence),
        }
    }

    /// Exactly n is an absence too: of one more.
    fn unless_more_may_come(&self, view: &View<'_>, stories: &[&Story], finding: Finding) -> Finding {
        let Finding::Holds { reason, evidence } = finding else { return finding };
        let why = at_work::on_any(view, stories).or_else(|| lapse::of_any(view, stories, self.effect));
        let untried = || at_work::untried(view, stories).filter(|_| self.exactly == 0);
        match why.or_else(untried) {
            Some((why, evidence)) => Finding::Unclear { reason: format!("{reason}, but {why}"), evidence },
            None => Finding::Holds { reason, evidence },
        }
    }

    /// `healthy-7 had 2 effects in charges: one by fulfilment-0-1 at +0.2s, one by ... at +180.1s`.
    fn too_many(&self, story: &Story, made: &[&EffectFact]) -> String {
        let zero = story.sends.first().map_or_else(Default::default, |send| send.when.at);
        let each = made
            .iter()
            .take(5)
            .map(|fact| format!("one by {} at {}", fact.by, words::offset(fact.when.at, zero)));
        let each: Vec<String> = each.collect();
        let count = words::counted(made.len() as u64, "effect");
        format!("{} had {count} in {}: {}", story.marker, self.effect, each.join(", "))
    }
}

/// The marker's effects in one sink, without replays.
pub(super) fn counted_in<'a>(story: &'a Story, effect: &str) -> Vec<&'a EffectFact> {
    story.effects.iter().filter(|fact| fact.effect == effect && !fact.replay).collect()
}
