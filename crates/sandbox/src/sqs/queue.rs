//! One queue: its messages and the moves between their states. It knows no other queue and no API;
//! each change of state goes through here, so that counts, lines and timers stay true.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};

use super::ages::{Ages, Messages};
use super::counters::Counters;
use super::dedup::{Attempt, DedupKey, First, Memory};
use super::fair::Fair;
use super::fifo_attributes::DeduplicationScope;
use super::handle::{Handle, Handles};
use super::line::{Line, Spot};
use super::message::{Delivery, Message, SequenceNumber, State};
use super::poll::Parked;
use super::queue_attributes::QueueAttributes;
use super::{QueueId, Seq};
use crate::fact::Depth;
use crate::place::Place;
use crate::timers::{Timer, TimerKey, Timers};

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
    /// What a FIFO queue took, by deduplication id.
    pub(crate) sends: Memory<DedupKey, First>,
    /// The deduplication scope of before a change, and until when it holds.
    pub(crate) scope_before: Option<(StackTime, DeduplicationScope)>,
    /// What a FIFO queue handed out, by ReceiveRequestAttemptId.
    pub(crate) attempts: Memory<Arc<str>, Attempt>,
    /// By arrival, and so by age.
    messages: Messages,
    line: Line,
    ages: Ages,
    in_flight: u64,
    delayed: u64,
    /// The next sequence number and the next place at the back of the line, in one count.
    next: u64,
    /// Where `next` was when it was last served.
    served: u64,
    /// Set while it is to be served once more, a moment later.
    service: Option<TimerKey>,
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
            line: if attributes.fifo.is_some() { Line::fifo() } else { Line::standard() },
            attributes,
            tags: BTreeMap::new(),
            polls: VecDeque::new(),
            last_purge: None,
            last_action: now,
            counters: Counters::default(),
            reported: Depth::default(),
            sends: Memory::default(),
            scope_before: None,
            attempts: Memory::default(),
            messages: BTreeMap::new(),
            ages: Ages::default(),
            in_flight: 0,
            delayed: 0,
            next: 0,
            served: 0,
            service: None,
            retention_timer: None,
        }
    }

    pub(crate) fn is_fifo(&self) -> bool {
        self.line.is_fifo()
    }

    /// Whether its dead letters go to the queue of this ARN.
    pub(crate) fn dead_letters_to(&self, arn: &str) -> bool {
        self.attributes.redrive.as_ref().is_some_and(|policy| policy.target_arn == arn)
    }

    /// What waits behind the hidden messages of its group counts as visible (semantics 1.13).
    pub(crate) fn depth(&self) -> Depth {
        let visible = self.messages.len() as u64 - self.in_flight - self.delayed;
        Depth { visible, in_flight: self.in_flight, delayed: self.delayed }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub(crate) fn get(&self, message: Seq) -> Option<&Message> {
        self.messages.get(&message).map(|message| &**message)
    }

    pub(crate) fn line(&self) -> &Line {
        &self.line
    }

    /// The message that is delivered next.
    pub(crate) fn first_visible(&self) -> Option<Seq> {
        self.line.first()
    }

    /// Whether anything in it became visible since it was last served.
    pub(crate) fn has_unserved(&self) -> bool {
        self.next > self.served && self.first_visible().is_some()
    }

    pub(crate) fn note_served(&mut self) {
        self.served = self.next;
    }

    /// Lets it be served once more, if that is not planned yet.
    pub(crate) fn serve_at(&mut self, at: StackTime, timers: &mut Timers) {
        self.service.get_or_insert_with(|| timers.set(at, Timer::Serve { queue: self.id }));
    }

    /// The time for that has come.
    pub(crate) fn service_is_due(&mut self) {
        self.service = None;
    }

    /// The message that one receive takes after this one, before it looks at other groups.
    pub(crate) fn next_of_group(&self, seq: Seq) -> Option<Seq> {
        self.messages.get(&seq).and_then(|message| self.line.next(spot(seq, message)))
    }

    /// Lets time pass for what depends on it without a timer.
    pub(crate) fn calm(&mut self, now: StackTime) {
        self.line.calm(now);
    }

    /// Takes a message in; it is hidden while `delay` lasts.
    pub(crate) fn put(&mut self, mut message: Message, delay: StackDuration, timers: &mut Timers) -> Seq {
        let seq = Seq(self.advance());
        self.ages.insert(&message, seq, &self.messages);
        if delay == StackDuration::ZERO {
            message.state = State::Visible { place: seq.0 };
            self.line.show(spot(seq, &message), seq.0);
        } else {
            let until = timers.set(message.arrived + delay, Timer::Reveal { queue: self.id, message: seq });
            message.state = State::Delayed { until };
            self.line.hide(spot(seq, &message), None);
            self.delayed += 1;
        }
        self.messages.insert(seq, Box::new(message));
        seq
    }

    /// Takes a message out, whatever state it is in.
    pub(crate) fn remove(&mut self, now: StackTime, seq: Seq, timers: &mut Timers) -> Option<Message> {
        let message = self.messages.remove(&seq)?;
        self.ages.remove(&message, seq);
        let place = match message.state {
            State::Visible { place } => Some(place),
            State::Delayed { .. } | State::InFlight { .. } => None,
        };
        self.line.remove(spot(seq, &message), place);
        self.end_state(now, message.state, message.content.group_id.as_ref(), timers);
        Some(*message)
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
            self.line.hide(spot(seq, message), Some(place));
            self.in_flight += 1;
            self.line.took(message.content.group_id.as_ref(), self.in_flight);
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
            dedup_id: message.dedup_id.clone(),
            sequence: self.line.is_fifo().then_some(SequenceNumber(seq)),
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

    /// Makes a hidden message visible. A standard queue gives it its old place in line, or one at
    /// the back when it is taken for a poison pill (semantics 1.10). In a FIFO queue one that was
    /// received lets its group in again at the back (semantics 1.13).
    pub(crate) fn reveal(&mut self, now: StackTime, seq: Seq, timers: &mut Timers) {
        let back = self.advance();
        let sends_poison_back = self.sends_poison_back();
        let Some(message) = self.messages.get_mut(&seq) else { return };
        let goes_back = match message.state {
            State::Visible { .. } => return,
            State::Delayed { .. } => false,
            State::InFlight { .. } if self.line.is_fifo() => true,
            State::InFlight { .. } => sends_poison_back && message.receives >= POISON_RECEIVES,
        };
        let place = if goes_back { back } else { seq.0 };
        let before = std::mem::replace(&mut message.state, State::Visible { place });
        self.line.show(spot(seq, message), place);
        let group = message.content.group_id.clone();
        self.end_state(now, before, group.as_ref(), timers);
    }

    /// Takes back what a state holds besides a place in line.
    fn end_state(&mut self, now: StackTime, state: State, group: Option<&Arc<str>>, timers: &mut Timers) {
        match state {
            State::Visible { .. } => {}
            State::Delayed { until } => {
                self.delayed -= 1;
                timers.cancel(until);
            }
            State::InFlight { until, .. } => {
                self.in_flight -= 1;
                timers.cancel(until);
                self.line.gave_back(now, group);
            }
        }
    }

    /// Delays what nobody has received yet as the queue delays now, as a FIFO queue does when its
    /// delay is changed (semantics 1.5).
    pub(crate) fn delay_anew(&mut self, now: StackTime, timers: &mut Timers) {
        let delay = self.attributes.delay;
        let waiting = self.messages.iter().filter(|(_, message)| message.receives == 0);
        let waiting: Vec<_> = waiting.map(|(seq, message)| (*seq, message.arrived + delay)).collect();
        for (seq, until) in waiting {
            self.reveal(now, seq, timers);
            if until > now {
                self.delay_until(seq, until, timers);
            }
        }
    }

    /// Hides a visible message that nobody has received.
    fn delay_until(&mut self, seq: Seq, at: StackTime, timers: &mut Timers) {
        let Some(message) = self.messages.get_mut(&seq) else { return };
        if let State::Visible { place } = message.state {
            self.line.hide(spot(seq, message), Some(place));
            let until = timers.set(at, Timer::Reveal { queue: self.id, message: seq });
            message.state = State::Delayed { until };
            self.delayed += 1;
        }
    }

    /// The poison-pill rule holds only with a redrive policy of more than 3 receives, and never
    /// reorders a FIFO queue.
    fn sends_poison_back(&self) -> bool {
        let limit = self.attributes.redrive.as_ref().map(|policy| policy.max_receive_count);
        !self.is_fifo() && limit.is_some_and(|limit| limit > POISON_RECEIVES)
    }

    /// ApproximateAgeOfOldestMessage: since its arrival, poison pills aside (semantics 1.10, 1.16).
    pub(crate) fn age_of_oldest(&self, now: StackTime) -> StackDuration {
        let skips_poison = self.sends_poison_back();
        let mut messages = self.messages.values();
        let oldest = messages.find(|message| !(skips_poison && message.receives >= POISON_RECEIVES));
        oldest.map_or(StackDuration::ZERO, |message| now.since(message.arrived))
    }

    /// What a queue shows of the tenants that are not noisy (semantics 1.14, 1.16), with the age of
    /// the oldest message. It looks at all messages, but only while there is a noisy tenant.
    pub(crate) fn quiet_groups(&self, now: StackTime, fair: &Fair) -> (Depth, StackDuration) {
        if fair.noisy_tenants() == 0 {
            return (self.depth(), self.age_of_oldest(now));
        }
        let (mut depth, mut oldest) = (Depth::default(), StackDuration::ZERO);
        for message in self.messages.values() {
            if message.content.group_id.as_ref().is_some_and(|tenant| fair.is_noisy(tenant)) {
                continue;
            }
            oldest = oldest.max(now.since(message.arrived));
            match message.state {
                State::Visible { .. } => depth.visible += 1,
                State::InFlight { .. } => depth.in_flight += 1,
                State::Delayed { .. } => depth.delayed += 1,
            }
        }
        (depth, oldest)
    }

    /// The messages whose retention is over, in flight or not (semantics 1.2).
    pub(crate) fn outdated(&self, now: StackTime) -> Vec<Seq> {
        let retention = self.attributes.retention;
        self.ages.sent_until(&self.messages, |sent| sent + retention <= now)
    }

    pub(crate) fn all(&self) -> Vec<Seq> {
        self.messages.keys().copied().collect()
    }

    /// Sets the one retention timer to when the oldest message's retention ends.
    pub(crate) fn arm_retention(&mut self, now: StackTime, timers: &mut Timers) {
        let oldest = self.ages.oldest(&self.messages);
        let oldest = oldest.map(|sent| (sent + self.attributes.retention).max(now));
        timers.rearm(&mut self.retention_timer, oldest, Timer::Retention { queue: self.id });
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

fn spot(seq: Seq, message: &Message) -> Spot<'_> {
    Spot { seq, group: message.content.group_id.as_ref() }
}

/// From how many receives on a message is taken for a poison pill.
const POISON_RECEIVES: u32 = 3;
