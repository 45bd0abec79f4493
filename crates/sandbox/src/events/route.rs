//! From a bus to the rules that take an event, and to their targets.

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use serde_json::Value;

use super::event::{Contents, Event};
use super::invocation::Invocation;
use super::names::{BusKey, RuleKey};
use super::rule::Rule;
use crate::acting::Acting;
use crate::core::Core;
use crate::fact::Fact;
use crate::place::Place;
use crate::targets::TargetError;

/// An event of a service, such as CloudWatch.
#[derive(Debug)]
pub(crate) struct AwsEvent<'a> {
    /// Such as `aws.cloudwatch`.
    pub(crate) source: &'a str,
    pub(crate) detail_type: &'a str,
    pub(crate) resources: &'a [String],
    pub(crate) detail: Value,
}

impl Core {
    /// Puts an event of a service onto the default bus of a place.
    pub(crate) fn put_aws_event(&mut self, now: StackTime, place: Place, event: AwsEvent<'_>) {
        self.keep_default_bus(place);
        let bus = BusKey::default_of(place);
        let event = self.event_of(now, place, event);
        self.archive_event(now, &bus, &event);
        // What a service tells of its own accord is no news where nobody listens.
        let mut rules = self.events.bus(&bus).into_iter().flat_map(|bus| bus.rules.values());
        if rules.any(|rule| rule.takes(&event.document)) {
            self.give_to_rules(now, &bus, &event, |_| true);
        }
    }

    /// Puts an event of a service onto a bus that must let it, and gives the event's id.
    pub(crate) fn put_event_on(
        &mut self,
        now: StackTime,
        bus_arn: &str,
        acting: Acting<'_>,
        event: AwsEvent<'_>,
    ) -> Result<MessageId, TargetError> {
        let key = self.bus_for(bus_arn, acting)?;
        let event = self.event_of(now, key.place, event);
        let id = event.id.clone();
        self.put_on_bus(now, &key, event);
        Ok(id)
    }

    fn event_of(&mut self, now: StackTime, place: Place, event: AwsEvent<'_>) -> Arc<Event> {
        let AwsEvent { source, detail_type, resources, detail } = event;
        let id = self.new_message_id();
        let name = self.places.name(place);
        let (account, region) = (&*name.account, &*name.region);
        let contents = Contents { detail_type, source, account, region, time: now, resources, detail };
        Arc::new(Event::new(now, id, contents))
    }

    /// An event reaches a bus: it goes to the rules, and into the archives.
    pub(super) fn put_on_bus(&mut self, now: StackTime, bus: &BusKey, event: Arc<Event>) {
        self.archive_event(now, bus, &event);
        self.give_to_rules(now, bus, &event, |_| true);
    }

    /// Gives an event to all rules of a bus that are meant and take it. Where there is no such bus,
    /// nobody does.
    pub(super) fn give_to_rules(
        &mut self,
        now: StackTime,
        bus: &BusKey,
        event: &Arc<Event>,
        is_meant: impl Fn(&RuleKey) -> bool,
    ) {
        let (channel, message_id) = (bus.name.to_string(), event.id.clone());
        let Ok(bus) = self.events.bus(bus) else {
            return self.emit(now, Fact::Unmatched { channel, message_id });
        };
        let taking = bus.rules.values().filter(|rule| is_meant(&rule.key) && rule.takes(&event.document));
        let taking: Vec<_> = taking.map(|rule| rule.key.clone()).collect();
        self.emit(now, Fact::Published { channel: channel.clone(), message_id: message_id.clone() });
        if taking.is_empty() {
            self.emit(now, Fact::Unmatched { channel, message_id });
        }
        for rule in taking {
            self.run_rule(now, &rule, event);
        }
    }

    /// Calls all targets of a rule. A rule that has sent this event on before does not run again, or
    /// the event would go round for ever; those calls are counted (semantics 3.6).
    pub(super) fn run_rule(&mut self, now: StackTime, key: &RuleKey, event: &Arc<Event>) {
        let Ok(Rule { arn, targets, .. }) = self.events.rule(key) else { return };
        let (rule_arn, targets) = (Arc::clone(arn), targets.values().cloned().collect::<Vec<_>>());
        let counters = self.events.counters_of(key);
        if event.passed.contains(key) {
            counters.stopped += targets.len() as u64;
            let stopped = targets.iter().map(|target| Fact::Undelivered {
                channel: key.bus.name.to_string(),
                subscription: target.subscription(&rule_arn),
                message_id: event.id.clone(),
                attempts: 0,
                reason: "the same rule would run again".to_owned(),
            });
            return stopped.for_each(|fact| self.emit(now, fact));
        }
        counters.matched += 1;
        for target in targets {
            let (rule, rule_arn, event) = (key.clone(), Arc::clone(&rule_arn), Arc::clone(event));
            let invocation = Invocation::new(now, rule, rule_arn, target, event);
            self.events.invocations.push(now, invocation, &mut self.timers);
        }
    }
}
