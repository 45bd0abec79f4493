//! Asynchronous invocation: the queue of events that Lambda keeps (semantics 5.6).
//!
//! ```text
//! accepted -> attempt -> succeeded -----------------------------> destination
//!                     -> throttled --> after 1 s to 5 min --.
//!                     -> failed -----> after 1 min, 2 min --+--> attempt ...
//!                                                           '--> given up -> dead letters, destination
//! ```

use std::collections::BTreeMap;

use havoq_base::{StackDuration, StackTime};
use havoq_lambda::Returned;

use super::FunctionId;
use super::event_invoke::EventInvoke;
use super::running::{Call, Origin};
use crate::core::Core;
use crate::fact::Fact;
use crate::timers::{Timer, Timers};

/// One event that waits, or is being tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EventId(u64);

/// An event as it comes.
#[derive(Debug)]
pub(super) struct NewEvent {
    pub(super) function: FunctionId,
    pub(super) call: Call,
}

#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) function: FunctionId,
    /// The function's, which may be gone when the event comes to its end.
    name: String,
    pub(super) call: Call,
    accepted: StackTime,
    /// How often the function ran for it.
    pub(super) attempts: u32,
    /// How often it was throttled since then.
    throttles: u32,
}

#[derive(Debug, Default)]
pub(super) struct Events {
    so_far: u64,
    all: BTreeMap<EventId, Event>,
}

/// How an event came to its end: the words of destinations' records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Success,
    RetriesExhausted,
    EventAgeExceeded,
    ZeroReservedConcurrency,
    /// havoq's word: there is nobody left to tell.
    FunctionDeleted,
}

const MINUTE: StackDuration = StackDuration::from_secs(60);
const LONGEST_BACKOFF: StackDuration = StackDuration::from_secs(300);

impl Core {
    /// Takes an event. It is tried at once.
    pub(super) fn accept_event(&mut self, now: StackTime, event: NewEvent) {
        let NewEvent { function, call } = event;
        let Some(of) = self.lambda.functions.get_mut(function) else { return };
        of.counters.events_received += 1;
        let name = of.spec.name.clone();
        let events = &mut self.lambda.events;
        events.so_far += 1;
        let id = EventId(events.so_far);
        events.all.insert(id, Event { function, name, call, accepted: now, attempts: 0, throttles: 0 });
        schedule(&mut self.timers, now, id);
    }

    /// An event's next attempt is due.
    pub(crate) fn attempt_event(&mut self, now: StackTime, id: EventId) {
        let Some(event) = self.lambda.events.all.get(&id) else { return };
        let Some(function) = self.lambda.functions.get(event.function) else {
            return self.give_up_event(now, id, Condition::FunctionDeleted, None);
        };
        if function.reserved == Some(0) {
            return self.give_up_event(now, id, Condition::ZeroReservedConcurrency, None);
        }
        let (function, call) = (event.function, event.call.clone());
        if self.begin_invocation(now, function, call, Origin::Event(id)).is_err() {
            self.event_throttled(now, id);
        }
    }

    /// It goes back to the queue, for as long as an event may grow old: by default 6 hours.
    fn event_throttled(&mut self, now: StackTime, id: EventId) {
        let Some(event) = self.lambda.events.all.get_mut(&id) else { return };
        let wait = StackDuration::from_secs(1 << event.throttles.min(16)).min(LONGEST_BACKOFF);
        event.throttles += 1;
        self.try_event_later(now, id, now + wait, "throttled", None);
    }

    /// Goes on after the function ran for an event.
    pub(super) fn event_ended(&mut self, now: StackTime, id: EventId, returned: &Returned) {
        let Some(event) = self.lambda.events.all.get_mut(&id) else { return };
        event.attempts += 1;
        event.throttles = 0;
        let (made, function) = (event.attempts, event.function);
        if !returned.is_error() {
            return self.event_succeeded(now, id, returned);
        }
        if made > self.event_invoke(function).retries() {
            return self.give_up_event(now, id, Condition::RetriesExhausted, Some(returned));
        }
        let reason = returned.error_type().unwrap_or_default();
        self.try_event_later(now, id, now + MINUTE.times(made.into()), &reason, Some(returned));
    }

    /// Sets the next attempt. One that would come when the event is too old is not waited for.
    fn try_event_later(
        &mut self,
        now: StackTime,
        id: EventId,
        next: StackTime,
        reason: &str,
        returned: Option<&Returned>,
    ) {
        let Some(event) = self.lambda.events.all.get(&id) else { return };
        if next.since(event.accepted) >= self.event_invoke(event.function).age() {
            return self.give_up_event(now, id, Condition::EventAgeExceeded, returned);
        }
        if self.lambda.functions.get(event.function).is_none() {
            return self.give_up_event(now, id, Condition::FunctionDeleted, returned);
        }
        let fact = Fact::EventRetried {
            function: event.name.clone(),
            request_id: event.call.request_id.clone(),
            attempts: event.attempts,
            reason: reason.to_owned(),
            next,
        };
        schedule(&mut self.timers, next, id);
        self.emit(now, fact);
    }

    fn event_succeeded(&mut self, now: StackTime, id: EventId, returned: &Returned) {
        let Some(event) = self.lambda.events.all.remove(&id) else { return };
        if let Some(function) = self.lambda.functions.get_mut(event.function) {
            function.counters.age(now.since(event.accepted));
        }
        self.tell_destination(now, &event, Condition::Success, Some(returned));
    }

    /// The event leaves the queue: to the function's dead letters and its destination, or for good.
    fn give_up_event(
        &mut self,
        now: StackTime,
        id: EventId,
        condition: Condition,
        returned: Option<&Returned>,
    ) {
        let Some(event) = self.lambda.events.all.remove(&id) else { return };
        if let Some(function) = self.lambda.functions.get_mut(event.function) {
            function.counters.events_dropped += 1;
            function.counters.age(now.since(event.accepted));
        }
        let fact = Fact::EventGivenUp {
            function: event.name.clone(),
            request_id: event.call.request_id.clone(),
            attempts: event.attempts,
            condition: condition.word(),
        };
        self.emit(now, fact);
        self.tell_destination(now, &event, condition, returned);
        self.dead_letter_event(now, &event, condition, returned);
    }

    fn event_invoke(&self, function: FunctionId) -> EventInvoke {
        let config = self.lambda.functions.get(function).and_then(|function| function.event_invoke.clone());
        config.unwrap_or_default()
    }
}

impl Condition {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Success => "Success",
            Self::RetriesExhausted => "RetriesExhausted",
            Self::EventAgeExceeded => "EventAgeExceeded",
            Self::ZeroReservedConcurrency => "ZeroReservedConcurrency",
            Self::FunctionDeleted => "FunctionDeleted",
        }
    }
}

fn schedule(timers: &mut Timers, at: StackTime, event: EventId) {
    timers.set(at, Timer::LambdaEvent { event });
}
