//! Scheduled rules: a rule with a schedule has a timer for its next time. Then it runs by itself, with an
//! event that no other rule sees. Rates and cron expressions are in UTC, and a rate begins to count when
//! the rule is put or enabled.

use std::sync::Arc;

use havoq_base::StackTime;
use serde_json::json;

use super::event::{Contents, Event};
use super::names::RuleKey;
use crate::core::Core;
use crate::fact::Fact;
use crate::timers::{Timer, TimerKey};

/// One rule's schedule, in its lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RuleTimerId(u64);

/// The timers that rules have.
#[derive(Debug, Default)]
pub(super) struct RuleTimers {
    set_so_far: u64,
    all: std::collections::BTreeMap<RuleKey, (RuleTimerId, TimerKey)>,
}

impl RuleTimers {
    fn rule_of(&self, id: RuleTimerId) -> Option<RuleKey> {
        self.all.iter().find(|(_, (own, _))| *own == id).map(|(rule, _)| rule.clone())
    }
}

impl Core {
    /// Sets a rule's timer anew, or takes it back if there is nothing to wait for.
    pub(super) fn arm_rule(&mut self, now: StackTime, key: &RuleKey) {
        if let Some((_, timer)) = self.events.rule_timers.all.remove(key) {
            self.timers.cancel(timer);
        }
        let rule = self.events.rule(key).ok().filter(|rule| rule.is_enabled());
        let schedule = rule.and_then(|rule| rule.schedule.as_ref());
        let Some(next) = schedule.and_then(|schedule| schedule.parsed.next_after(now)) else { return };
        let timers = &mut self.events.rule_timers;
        timers.set_so_far += 1;
        let id = RuleTimerId(timers.set_so_far);
        let timer = self.timers.set(next, Timer::RuleDue { rule: id });
        timers.all.insert(key.clone(), (id, timer));
    }

    /// A rule's time has come.
    pub(crate) fn rule_due(&mut self, now: StackTime, id: RuleTimerId) {
        let Some(key) = self.events.rule_timers.rule_of(id) else { return };
        self.arm_rule(now, &key);
        let Ok(rule) = self.events.rule(&key) else { return };
        let resources = [rule.arn.to_string()];
        let message_id = self.new_message_id();
        let name = self.places.name(key.bus.place);
        let contents = Contents {
            detail_type: "Scheduled Event",
            source: "aws.events",
            account: &name.account,
            region: &name.region,
            time: now,
            resources: &resources,
            detail: json!({}),
        };
        let event = Arc::new(Event::new(now, message_id.clone(), contents));
        self.emit(now, Fact::Published { channel: key.bus.name.to_string(), message_id });
        self.run_rule(now, &key, &event);
    }
}
