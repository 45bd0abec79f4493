//! One standard queue: its messages and the moves between their states. It knows no other queue
//! and no API; each change of state goes through here, so that counts and timers stay true.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};

use super::handle::{Handle, Handles};
use super::message::{Delivery, Message, State};
use super::poll::Parked;
use super::queue_attributes::QueueAttributes;
use super::{QueueId, Seq};
use crate::cloudwatch::Stats;
use crate::fact::Depth;
use crate::place::Place;
use crate::timers::{Timer, TimerKey, Timers};

/// What happened in a queue since the last sample of its metrics (semantics 1.16).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counters {
    pub(crate) sent: u64,
    pub(crate) received: u64,
    pub(crate) deleted: u64,
    pub(crate) empty_receives: u64,
    pub(crate) sent_size: Option<Stats>,
}

#[derive(Debug)]
pub(crate) struct Queue {
    pub(crate) id: QueueId,
    pub(crate) place: Place,
    pub(crate) name: Arc<str>,
    pub(crate) arn: Arc<str>,
    pub(crate) created: StackTime,
    pub(crate) modified: StackTime,
    pub(crate) attributes: QueueAttributes,
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) polls: VecDeque<Parked>,
    pub(crate) last_purge: Option<StackTime>,
    /// The last call on it, even a refused one (semantics 1.16).
    pub(crate) last_action: StackTime,
    pub(crate) counters: Counters,
    /// The counts that were last made known.
    pub(crate) reported: Depth,
    /// By arrival, and so by age.
    messages: BTreeMap<Seq, Message>,
    /// The visible ones, by their place in line.
    line: BTreeMap<u64, Seq>,
    /// By the time that retention counts from, which in a dead-letter queue is not the arrival.
    by_sent: BTreeSet<(StackTime, Seq)>,
    in_flight: u64,
    delayed: u64,
    /// The next sequence number and the next place at the back of the line, in one count.
    next: u64,
    retention_timer: Option<(StackTime, TimerKey)>,
}

impl Queue {
    pub(crate) fn new(
        id: QueueId,
        place: Place,
        name: &str,
        arn: String,
        attributes: QueueAttributes,
        now: StackTime,
    ) -> Self {
        Self {
            id,
            place,
            name: Arc::from(name),
            arn: Arc::from(arn),
            created: now,
            modified: now,
            attributes,
            tags: BTreeMap::new(),
            polls: VecDeque::new(),
            last_purge: None,
            last_action: now,
            counters: Counters::default(),
            reported: Depth::default(),
            messages: BTreeMap::new(),
            line: BTreeMap::new(),
            by_sent: BTreeSet::new(),
            in_flight: 0,
            delayed: 0,
            next: 0,
            retention_timer: None,
        }
    }

    pub(crate) fn depth(&self) -> Depth {
        Depth { visible: self.line.len() as u64, in_flight: self.in_flight, delayed: self.delayed }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub(crate) fn get(&self, message: Seq) -> Option<&Message> {
        self.messages.get(&message)
    }

    /// The first message of the line.
    pub(crate) fn first_visible(&self) -> Option<Seq> {
        self.line.first_key_value().map(|(_, message)| *message)
    }

    /// Takes a message in; it is hidden while `delay` lasts.
    pub(crate) fn put(&mut self, mut message: Message, delay: StackDuration, timers: &mut Timers) {
        let seq = Seq(self.advance());
        self.by_sent.insert((message.sent, seq));
        if delay == StackDuration::ZERO {
            message.state = State::Visible { place: seq.0 };
            self.line.insert(seq.0, seq);
        } else {
            let until = timers.set(message.arrived + delay, Timer::Reveal { queue: self.id, message: seq });
            message.state = State::Delayed { until };
            self.delayed += 1;
        }
        self.messages.insert(seq, message);
    }

    /// Takes a message out, whatever state it is in.
    pub(crate) fn remove(&mut self, seq: Seq, timers: &mut Timers) -> Option<Message> {
        let message = self.messages.remove(&seq)?;
        self.by_sent.remove(&(message.sent, seq));
        match message.state {
            State::Visible { place } => {
                self.line.remove(&place);
            }
            State::Delayed { until } => {
                self.delayed -= 1;
                timers.cancel(until);
            }
            State::InFlight { until, .. } => {
                self.in_flight -= 1;
                timers.cancel(until);
            }
        }
        Some(message)
    }

    /// Hands a visible message out, hidden until `now + visibility`; with none, a due timer makes
    /// it visible again (semantics 1.1: that counts as a receive all the same).
    pub(crate) fn hand_out(
        &mut self,
        seq: Seq,
        now: StackTime,
        visibility: StackDuration,
        timers: &mut Timers,
        handles: &Handles,
    ) -> Option<Delivery> {
        let message = self.messages.get_mut(&seq)?;
        if let State::Visible { place } = message.state {
            self.line.remove(&place);
            self.in_flight += 1;
        }
        let until = timers.set(now + visibility, Timer::Reveal { queue: self.id, message: seq });
        message.state = State::InFlight { since: now, until };
        message.receives += 1;
        let first_received = *message.first_received.get_or_insert(now);
        Some(Delivery {
            id: message.id.clone(),
            handle: handles.write(Handle { queue: self.id, message: seq, receive: message.receives }),
            content: Arc::clone(&message.content),
            sent: message.sent,
            receives: message.receives,
            first_received,
            dead_letter_source: message.dead_letter_source.clone(),
        })
    }

    /// Moves the end of a message's time in flight; none is left when it is not in flight.
    pub(crate) fn hide_until(&mut self, seq: Seq, at: StackTime, timers: &mut Timers) {
        let Some(message) = self.messages.get_mut(&seq) else { return };
        if let State::InFlight { since, until } = message.state {
            timers.cancel(until);
            let until = timers.set(at, Timer::Reveal { queue: self.id, message: seq });
            message.state = State::InFlight { since, until };
        }
    }

    /// Makes a hidden message visible: in its old place in line, or at the back of it when it is
    /// taken for a poison pill (semantics 1.10).
    pub(crate) fn reveal(&mut self, seq: Seq, timers: &mut Timers) {
        let back = self.advance();
        let sends_back = self.sends_poison_back();
        let Some(message) = self.messages.get_mut(&seq) else { return };
        match message.state {
            State::Visible { .. } => return,
            State::Delayed { until } => {
                self.delayed -= 1;
                timers.cancel(until);
            }
            State::InFlight { until, .. } => {
                self.in_flight -= 1;
                timers.cancel(until);
            }
        }
        let place = if sends_back && message.receives >= POISON_RECEIVES { back } else { seq.0 };
        message.state = State::Visible { place };
        self.line.insert(place, seq);
    }

    /// The poison-pill rule holds only with a redrive policy of more than 3 receives.
    fn sends_poison_back(&self) -> bool {
        self.attributes.redrive.as_ref().is_some_and(|policy| policy.max_receive_count > POISON_RECEIVES)
    }

    /// ApproximateAgeOfOldestMessage: since its arrival, poison pills aside (semantics 1.10, 1.16).
    pub(crate) fn age_of_oldest(&self, now: StackTime) -> StackDuration {
        let skips_poison = self.sends_poison_back();
        let mut messages = self.messages.values();
        let oldest = messages.find(|message| !(skips_poison && message.receives >= POISON_RECEIVES));
        oldest.map_or(StackDuration::ZERO, |message| now.since(message.arrived))
    }

    /// The messages whose retention is over, in flight or not (semantics 1.2).
    pub(crate) fn outdated(&self, now: StackTime) -> Vec<Seq> {
        let old = self.by_sent.iter().take_while(|(sent, _)| *sent + self.attributes.retention <= now);
        old.map(|(_, seq)| *seq).collect()
    }

    pub(crate) fn all(&self) -> Vec<Seq> {
        self.messages.keys().copied().collect()
    }

    /// Sets the one retention timer to when the oldest message's retention ends.
    pub(crate) fn arm_retention(&mut self, now: StackTime, timers: &mut Timers) {
        let oldest = self.by_sent.first().map(|(sent, _)| (*sent + self.attributes.retention).max(now));
        if oldest == self.retention_timer.map(|(at, _)| at) {
            return;
        }
        self.disarm_retention(timers);
        self.retention_timer = oldest.map(|at| (at, timers.set(at, Timer::Retention { queue: self.id })));
    }

    /// Takes the retention timer back, or forgets that it fired.
    pub(crate) fn disarm_retention(&mut self, timers: &mut Timers) {
        if let Some((_, key)) = self.retention_timer.take() {
            timers.cancel(key);
        }
    }

    fn advance(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

/// From how many receives on a message is taken for a poison pill.
const POISON_RECEIVES: u32 = 3;
