//! The incremental fold over the events of one attempt. It holds facts and no opinions: checkers,
//! the engine's waits and the horizon all read the same index.

mod beyond;
mod facts;
mod functions;
mod run;
mod traffic;
mod world;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_base::{RealDuration, StackDuration, StackTime};

use crate::history::{Event, Instance, Kind};
use crate::scenario::{Action, DimensionValue, MissingData, Scenario};

pub(crate) use facts::*;
pub(crate) use functions::SettledFact;
pub(crate) use run::Run;

/// What is known of one attempt so far.
#[derive(Debug)]
pub struct Index {
    pub(crate) scenario: Scenario,
    pub(crate) run: Run,
    /// One a marker, in the order of their first send.
    pub(crate) stories: Vec<Story>,
    pub(crate) messages: Vec<Message>,
    pub(crate) strays: Vec<StrayEffect>,
    pub(crate) processes: BTreeMap<Instance, Process>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) alarms: BTreeMap<String, AlarmFacts>,
    pub(crate) depths: BTreeMap<String, Vec<(When, Counts)>>,
    /// The first that a consumer did with the stack beyond the scenario.
    pub(crate) beyond: Option<(When, String)>,
    /// Messages with work left to do that only their bound had closed when the clock jumped.
    pub(crate) closed: Vec<ClosedFact>,
    pub(crate) functions: functions::Functions,
    by_marker: HashMap<Marker, StoryKey>,
    by_message: HashMap<MessageId, MessageKey>,
    by_receipt: HashMap<ReceiptHandle, (MessageKey, usize)>,
    in_queue: BTreeMap<String, BTreeSet<MessageKey>>,
    /// The longest real time from a receive to an effect or delete, by consumer.
    slowest: BTreeMap<String, RealDuration>,
    /// The longest real time between two acts of a holder on one message, by consumer.
    pub(crate) silences: BTreeMap<String, RealDuration>,
}

impl Index {
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            scenario: scenario.clone(),
            run: Run::default(),
            stories: Vec::new(),
            messages: Vec::new(),
            strays: Vec::new(),
            processes: BTreeMap::new(),
            faults: Vec::new(),
            alarms: BTreeMap::new(),
            depths: BTreeMap::new(),
            beyond: None,
            closed: Vec::new(),
            functions: functions::Functions::default(),
            by_marker: HashMap::new(),
            by_message: HashMap::new(),
            by_receipt: HashMap::new(),
            in_queue: BTreeMap::new(),
            slowest: BTreeMap::new(),
            silences: BTreeMap::new(),
        }
    }

    /// Takes in the next event of the attempt.
    pub fn apply(&mut self, event: &Event) {
        let when = When { seq: event.seq, at: event.at, real: event.real };
        if self.run.horizon.is_some() {
            self.run.late_acts.extend(actor(&event.kind).map(|by| (when, by.clone())));
            if !counts_after_horizon(&event.kind) {
                return;
            }
        }
        self.run.see(when, &event.kind);
        self.see_traffic(when, &event.kind);
        self.see_world(when, event.source, &event.kind);
        self.see_functions(when, &event.kind);
        self.see_beyond(when, &event.kind);
    }

    /// The queues in which messages of this marker are, dead-letter queues included.
    pub fn queues_of(&self, marker: &Marker) -> Vec<&str> {
        let Some(story) = self.story(marker) else { return Vec::new() };
        let places = story.messages.iter().map(|key| &self.messages[*key].place);
        let queues: BTreeSet<&str> = places
            .filter_map(|place| match place {
                Place::In(queue) => Some(queue.as_str()),
                _ => None,
            })
            .collect();
        queues.into_iter().collect()
    }

    /// The stack time of the latest event.
    pub fn now(&self) -> StackTime {
        self.run.last.at
    }

    pub(crate) fn story(&self, marker: &Marker) -> Option<&Story> {
        self.by_marker.get(marker).map(|key| &self.stories[*key])
    }

    /// Whether the clock jumped between these two events.
    pub(crate) fn jumped_between(&self, from: u64, to: u64) -> bool {
        let after = self.run.jumps.partition_point(|seq| *seq <= from);
        self.run.jumps.get(after).is_some_and(|seq| *seq < to)
    }

    fn message_key(&self, id: &MessageId) -> Option<MessageKey> {
        self.by_message.get(id).copied()
    }

    pub(crate) fn messages_of<'a>(&'a self, story: &'a Story) -> impl Iterator<Item = &'a Message> + 'a {
        story.messages.iter().map(|key| &self.messages[*key])
    }

    /// The queue of the stack that an alarm's dimension names.
    pub(crate) fn queue_named<'a>(&'a self, value: &'a DimensionValue) -> Option<&'a str> {
        match value {
            DimensionValue::QueueNameOf(queue) => Some(queue),
            DimensionValue::Literal(name) => {
                let mut queues = self.scenario.stack.queues.iter();
                queues.find(|(_, queue)| queue.name.as_ref() == Some(name)).map(|(id, _)| id.as_str())
            }
        }
    }

    /// All moves of messages into another queue.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &MoveFact> {
        self.messages.iter().flat_map(|message| &message.moves)
    }

    /// How many messages the history places in this queue.
    pub(crate) fn held_in(&self, queue: &str) -> usize {
        self.in_queue.get(queue).map_or(0, BTreeSet::len)
    }

    pub(crate) fn messages_in(&self, queue: &str) -> impl Iterator<Item = &Message> {
        self.in_queue.get(queue).into_iter().flatten().map(|key| &self.messages[*key])
    }

    /// A queue's counts now. A queue of our own starts empty, so on the sandbox silence means
    /// that nothing ever entered it; elsewhere it means that nobody looked.
    pub(crate) fn counts(&self, queue: &str) -> Option<(Option<When>, Counts)> {
        let seen = self.depths.get(queue).and_then(|seen| seen.last());
        match seen {
            Some((when, counts)) => Some((Some(*when), *counts)),
            None if self.starts_empty(queue) => Some((None, Counts::default())),
            None => None,
        }
    }

    pub(crate) fn starts_empty(&self, queue: &str) -> bool {
        let own = self.scenario.stack.queues.contains_key(queue);
        own && self.run.ready.is_some() && self.run.stack == "sandbox"
    }

    /// Whether the attempt ran on a stack that does not tell what it does: what is known of it was
    /// seen from outside.
    pub(crate) fn is_foreign(&self) -> bool {
        self.run.loaded.is_some() && self.run.stack != "sandbox"
    }

    /// Whether this stack is known to evaluate alarms from what happens in its queues. A foreign
    /// one must have shown it: many accept alarms and never look at them again, or give each the
    /// state that it has without data.
    pub fn evaluates_alarms(&self) -> bool {
        let by_data = |(id, facts): (&String, &AlarmFacts)| {
            let alarm = self.scenario.stack.alarms.get(id);
            alarm.is_some_and(|alarm| alarm.missing_data != MissingData::Breaching)
                && facts.changes.iter().any(|change| change.to == "ALARM")
        };
        !self.is_foreign() || self.alarms.iter().any(by_data)
    }

    /// When something last happened that can have moved a queue's counts.
    pub fn last_traffic(&self) -> StackTime {
        self.run.last_traffic
    }

    /// When the last holder of a message that is still in a queue loses it.
    pub fn held_until(&self) -> StackTime {
        let waiting = self.messages.iter().filter(|message| matches!(message.place, Place::In(_)));
        let until = waiting.filter_map(|message| message.receives.last()).map(|last| last.hidden_until);
        until.max().unwrap_or_default()
    }

    /// The longest visibility timeout of the queues that consumers read.
    pub fn longest_visibility(&self) -> StackDuration {
        let read = self.scenario.stack.queues.iter().filter(|(id, _)| self.is_consumed(id));
        read.map(|(_, queue)| queue.visibility_timeout).max().unwrap_or_default()
    }

    /// Whether a declared fault holds this process still.
    pub(crate) fn is_frozen(&self, by: &Instance) -> bool {
        let mut fired =
            self.faults.iter().filter(|fault| fault.ended.is_none()).flat_map(|fault| &fault.fired);
        fired.any(|fired| fired.is_signal && fired.by.as_ref() == Some(by))
    }

    /// Whether a consumer of the scenario reads this queue.
    pub(crate) fn is_consumed(&self, queue: &str) -> bool {
        let mut readers = self.scenario.consumers.values().flat_map(|consumer| &consumer.queues);
        readers.any(|read| read.value == queue)
    }

    /// The real time for which a message counts as open after its holder's last act (design
    /// section 6: given, or 4 x the slowest seen, at least 1 s).
    pub(crate) fn bound(&self, consumer: &str) -> RealDuration {
        let given = self.scenario.consumers.get(consumer).and_then(|consumer| consumer.bound);
        let seen = self.slowest.get(consumer).copied().unwrap_or(RealDuration::ZERO).times(4);
        given.unwrap_or(seen.max(RealDuration::from_secs(1)))
    }

    /// The delay that sends with this label ask for.
    fn delay_of(&self, queue: &str, label: Option<&str>) -> StackDuration {
        let steps = self.scenario.steady_state.iter().chain(&self.scenario.inject);
        let mut own = steps.filter_map(|step| match &step.action {
            Action::Send(send) if Some(send.label.as_str()) == label => send.delay,
            _ => None,
        });
        let of_queue = self.scenario.stack.queues.get(queue).map(|queue| queue.delay);
        own.next_back().or(of_queue).unwrap_or_default()
    }
}

/// Who did something about a message.
fn actor(kind: &Kind) -> Option<&Instance> {
    match kind {
        Kind::Effect { by, .. } | Kind::Deleted { by, .. } | Kind::Extended { by, .. } => Some(by),
        _ => None,
    }
}

/// After the horizon the stack is taken down, and what that does to queues and alarms is no part
/// of what is judged. Effects still count: a second charge is one, however late it comes.
fn counts_after_horizon(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Effect { .. }
            | Kind::FaultFired { .. }
            | Kind::FaultEnded { .. }
            | Kind::ClockOverran { .. }
            | Kind::HarnessError { .. }
            | Kind::HorizonReached { .. }
            | Kind::Interrupted {}
    )
}
