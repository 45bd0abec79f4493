//! `no_effect`: no marker of the label has an effect, in one sink or in any. An effect that could
//! not be tied to a message breaks it when its maker held nothing but messages of the label, and
//! keeps it from passing otherwise.

use super::Check;
use crate::check::finding::{Breach, Finding, Outcome, Wait, gather};
use crate::check::index::{EffectFact, Story, StrayEffect};
use crate::check::view::View;
use crate::check::{at_work, strays, words};
use crate::history::Attribution;
use crate::scenario::Claim;

struct NoEffect<'a> {
    of: &'a str,
    effect: Option<&'a str>,
}

pub(super) fn read(claim: &Claim) -> Option<Box<dyn Check + '_>> {
    let Claim::NoEffect { of, effect } = claim else { return None };
    Some(Box::new(NoEffect { of, effect: effect.as_deref() }))
}

impl Check for NoEffect<'_> {
    fn kind(&self) -> &'static str {
        "no_effect"
    }

    fn text(&self) -> String {
        let sink = self.effect.map_or_else(String::new, |effect| format!(" in {effect}"));
        format!("none of `{}` has an effect{sink}", self.of)
    }

    fn judged_at_end(&self) -> bool {
        true
    }

    fn look(&self, view: &View<'_>) -> Finding {
        if view.index.scenario.effects.is_empty() {
            return Finding::unclear("the scenario declares no effects, so none could be seen");
        }
        let stories = match view.set(self.of) {
            Ok(stories) => stories,
            Err(why) => return Finding::unclear(why),
        };
        let strays = strays::of(view, self.of, self.effect);
        let mut outcomes: Vec<Outcome> = stories.iter().map(|story| self.marker(story)).collect();
        let sure = strays.iter().find(|stray| strays::surely(view, stray, self.of));
        outcomes.extend(sure.map(|stray| Outcome::Broken(self.stray(view, stray))));
        let all = format!("none of the {} had an effect", stories.len());
        match gather(outcomes, Wait { deadline: None, ends_with_horizon: true }, all) {
            Finding::Holds { .. } if !strays.is_empty() => strays::unclear(&strays),
            Finding::Holds { reason, evidence } => {
                match at_work::on_any(view, &stories).or_else(|| at_work::untried(view, &stories)) {
                    Some((why, evidence)) => {
                        Finding::Unclear { reason: format!("{reason}, but {why}"), evidence }
                    }
                    None => view.unless_short(self.of, Finding::Holds { reason, evidence }),
                }
            }
            finding => finding,
        }
    }
}

impl NoEffect<'_> {
    fn marker(&self, story: &Story) -> Outcome {
        let counted =
            |fact: &&EffectFact| !fact.replay && self.effect.is_none_or(|effect| fact.effect == effect);
        let Some(made) = story.effects.iter().find(counted) else { return Outcome::Held(Vec::new()) };
        let zero = story.sends.first().map_or_else(Default::default, |send| send.when.at);
        let how = match made.attribution {
            Attribution::Exclusion => ", told by the only message that it held",
            Attribution::Key | Attribution::None => "",
        };
        let at = words::offset(made.when.at, zero);
        let reason = format!("{} had an effect in {} by {} at {at}{how}", story.marker, made.effect, made.by);
        let (evidence, marker) = (vec![made.when.seq], Some(story.marker.clone()));
        Outcome::Broken(Breach { reason, evidence, marker, seq: made.when.seq, ..Breach::default() })
    }

    fn stray(&self, view: &View<'_>, stray: &StrayEffect) -> Breach {
        let held: Vec<&Story> = stray.held.iter().flatten().map(|key| &view.index.stories[*key]).collect();
        let names: Vec<&str> = held.iter().take(5).map(|story| story.marker.as_str()).collect();
        let reason = format!(
            "{} made an effect in {} while it held nothing but `{}` ({})",
            stray.fact.by,
            stray.fact.effect,
            self.of,
            names.join(", "),
        );
        let marker = held.first().map(|story| story.marker.clone());
        let seq = stray.fact.when.seq;
        Breach { reason, evidence: vec![seq], marker, seq, ..Breach::default() }
    }
}
