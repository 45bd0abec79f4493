//! Expectations.

use super::super::decode::{Given, Id, Sp, Whole};
use super::super::model::{Bound, Claim, Expectation};
use super::super::problem::Span;
use super::super::raw::{
    AlarmRaw, BoundRaw, ClaimRaw, DeadLetteredRaw, DepthRaw, EffectClaimRaw, RedeliveredRaw, ScenarioRaw,
    StaysRaw,
};
use super::Context;
use super::labels::Order;

/// When a claim is judged.
#[derive(Clone, Copy, Debug)]
pub(super) enum When {
    AtTheEnd,
    /// As a step of this order.
    Here(Order),
}

impl Context<'_, '_> {
    pub(super) fn lower_expect(&mut self, raw: &ScenarioRaw) -> Vec<Expectation> {
        let list = raw.expect.iter().flat_map(|list| &list.value.0);
        list.filter_map(|item| {
            let claim = self.lower_claim(&item.value.0, When::AtTheEnd)?;
            Some(Expectation { place: item.span.place, claim })
        })
        .collect()
    }

    pub(super) fn lower_claim(&mut self, raw: &ClaimRaw, when: When) -> Option<Claim> {
        match raw {
            ClaimRaw::DeadLettered(raw) => self.lower_dead_lettered(raw, when),
            ClaimRaw::Alarm(raw) => self.lower_alarm(raw),
            ClaimRaw::Redelivered(raw) => self.lower_redelivered(raw, when),
            ClaimRaw::Effect(raw) => self.lower_effect_claim(raw, when),
            ClaimRaw::NoEffect(raw) => {
                self.only_at_the_end("no_effect", raw.span, when)?;
                let effect = raw.effect.as_ref().map(|effect| self.effect(effect));
                let of = self.used_label(raw.of.as_ref(), when);
                let effect = match effect {
                    Some(effect) => Some(effect?),
                    None => None,
                };
                Some(Claim::NoEffect { of: of?, effect })
            }
            ClaimRaw::Depth(raw) => self.lower_depth(raw),
            ClaimRaw::Drained(raw) => {
                let queue = self.queue(raw.queue.as_ref())?;
                Some(Claim::Drained { queue, within: raw.within.as_ref().map(|within| within.0) })
            }
            ClaimRaw::Stays(raw) => self.lower_stays(raw, when),
        }
    }

    /// Claims about all of the run can only be judged at its end.
    fn only_at_the_end(&mut self, key: &str, span: Span, when: When) -> Option<()> {
        match when {
            When::AtTheEnd => Some(()),
            When::Here(_) => {
                let message = format!("`{key}` can only be judged at the end of the run");
                self.problem(span, message, "move it to `expect`");
                None
            }
        }
    }

    fn used_label(&mut self, id: Option<&Sp<Id>>, when: When) -> Option<String> {
        match when {
            When::AtTheEnd => self.label(id),
            When::Here(order) => self.label_before(id, order),
        }
    }

    fn lower_dead_lettered(&mut self, raw: &DeadLetteredRaw, when: When) -> Option<Claim> {
        let of = self.used_label(raw.of.as_ref(), when);
        let queue = self.dead_letter_queue(raw.queue.as_ref());
        Some(Claim::DeadLettered {
            of: of?,
            queue: queue?,
            receives: raw.receives.as_ref().map(|receives| receives.0),
            within: raw.within.as_ref().map(|within| within.0),
        })
    }

    fn lower_alarm(&mut self, raw: &AlarmRaw) -> Option<Claim> {
        let name = self.alarm(raw.name.as_ref());
        let notifies = match &raw.notifies {
            Some(topic) => Some(self.topic(Some(topic))?),
            None => None,
        };
        let after = raw.after.as_ref().map(|state| state.0);
        let reaches = raw.reaches.as_ref()?;
        if after == Some(reaches.0) {
            let message = format!("an alarm cannot reach `{}` right after being in it", reaches.0);
            self.problem(reaches.span, message, "`after` names another state");
            return None;
        }
        Some(Claim::Alarm {
            name: name?,
            reaches: reaches.0,
            after,
            notifies,
            within: raw.within.as_ref().map(|within| within.0),
        })
    }

    fn lower_redelivered(&mut self, raw: &RedeliveredRaw, when: When) -> Option<Claim> {
        let of = self.used_label(raw.of.as_ref(), when)?;
        let not_before = raw.not_before.as_ref().map(|span| span.0);
        let within = raw.within.as_ref().map(|span| span.0);
        if let (Some(not_before), Some(limit), Some(span)) = (not_before, within, &raw.within)
            && limit <= not_before
        {
            let message = format!("`within` ends before `not_before` ({not_before}) is over");
            self.problem(span.span, message, "make it longer");
            return None;
        }
        Some(Claim::Redelivered { of, not_before, within })
    }

    fn lower_effect_claim(&mut self, raw: &Sp<EffectClaimRaw>, when: When) -> Option<Claim> {
        let of = self.used_label(raw.of.as_ref(), when);
        let effect = match &raw.effect {
            Some(effect) => self.effect(effect),
            None => self.only_effect(raw.span, "in"),
        };
        Some(Claim::Effect {
            of: of?,
            effect: effect?,
            exactly: u64::from(raw.exactly.as_ref()?.0),
            within: raw.within.as_ref().map(|within| within.0),
        })
    }

    fn lower_depth(&mut self, raw: &Sp<DepthRaw>) -> Option<Claim> {
        let queue = self.queue(raw.queue.as_ref());
        let counts = [&raw.visible, &raw.in_flight, &raw.delayed];
        if !raw.has_more_than(&["queue", "within"]) {
            self.problem(raw.span, "`depth` names no count", "add `visible: { at_most: 0 }`, for example");
            return None;
        }
        let [visible, in_flight, delayed] =
            counts.map(|count| count.as_ref().and_then(|bound| self.lower_bound(bound)));
        Some(Claim::Depth {
            queue: queue?,
            visible,
            in_flight,
            delayed,
            within: raw.within.as_ref().map(|within| within.0),
        })
    }

    fn lower_bound(&mut self, raw: &Sp<BoundRaw>) -> Option<Bound> {
        let count =
            |value: &Option<Sp<Whole<0, { u32::MAX }>>>| value.as_ref().map(|value| u64::from(value.0));
        let (exactly, at_least, at_most) = (count(&raw.exactly), count(&raw.at_least), count(&raw.at_most));
        match (exactly, at_least, at_most) {
            (Some(number), None, None) => Some(Bound { at_least: Some(number), at_most: Some(number) }),
            (Some(_), ..) => {
                self.problem(raw.span, "`exactly` stands beside another bound", "keep one of them");
                None
            }
            (None, None, None) if raw.has_more_than(&[]) => None,
            (None, None, None) => {
                self.problem(raw.span, "this sets no bound", "`{ at_most: 0 }`, for example");
                None
            }
            (None, Some(low), Some(high)) if low > high => {
                self.problem(raw.span, "`at_least` is above `at_most`", "swap them");
                None
            }
            (None, at_least, at_most) => Some(Bound { at_least, at_most }),
        }
    }

    fn lower_stays(&mut self, raw: &Sp<StaysRaw>, when: When) -> Option<Claim> {
        self.only_at_the_end("stays", raw.span, when)?;
        let stays = raw.alarm.as_ref()?;
        let alarm = self.alarm(stays.name.as_ref());
        Some(Claim::Stays { alarm: alarm?, is: stays.is.as_ref()?.0 })
    }
}
