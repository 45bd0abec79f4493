//! All that is due later, in one order: by time, then by who was set first.

use std::collections::BTreeMap;

use havoq_base::StackTime;

use crate::sns::DeliveryId;
use crate::sqs::{QueueId, Seq, TaskId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timer {
    /// A visibility timeout or a delay is over.
    Reveal { queue: QueueId, message: Seq },
    /// A move task moves its next message.
    MoveStep { task: TaskId },
    /// The oldest message's retention is over.
    Retention { queue: QueueId },
    /// A topic's message is due at a subscription.
    Deliver { delivery: DeliveryId },
    /// Metrics are sampled and alarms evaluated.
    Tick,
}

impl Timer {
    /// Whether it can make a message deliverable or move it.
    fn delivers(self) -> bool {
        matches!(self, Self::Reveal { .. } | Self::MoveStep { .. } | Self::Deliver { .. })
    }
}

/// Names a timer that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TimerKey {
    at: StackTime,
    order: u64,
}

/// The timers that are set. Those that deliver are kept apart from the others, because the
/// engine asks for the next one of them alone.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    delivering: BTreeMap<TimerKey, Timer>,
    other: BTreeMap<TimerKey, Timer>,
    set_so_far: u64,
}

impl Timers {
    pub(crate) fn set(&mut self, at: StackTime, timer: Timer) -> TimerKey {
        self.set_so_far += 1;
        let key = TimerKey { at, order: self.set_so_far };
        self.of(timer.delivers()).insert(key, timer);
        key
    }

    /// Takes a timer back; one that has fired is none.
    pub(crate) fn cancel(&mut self, key: TimerKey) {
        if self.delivering.remove(&key).is_none() {
            self.other.remove(&key);
        }
    }

    pub(crate) fn next(&self) -> Option<StackTime> {
        let first = |timers: &BTreeMap<TimerKey, Timer>| timers.first_key_value().map(|(key, _)| key.at);
        match (first(&self.delivering), first(&self.other)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    pub(crate) fn next_delivery(&self) -> Option<StackTime> {
        self.delivering.first_key_value().map(|(key, _)| key.at)
    }

    /// Takes the first timer that is due at `now`, with its own time.
    pub(crate) fn pop_due(&mut self, now: StackTime) -> Option<(StackTime, Timer)> {
        let first = |timers: &BTreeMap<TimerKey, Timer>| timers.first_key_value().map(|(key, _)| *key);
        let (delivering, other) = (first(&self.delivering), first(&self.other));
        let delivers = match (delivering, other) {
            (Some(a), Some(b)) => a < b,
            (a, _) => a.is_some(),
        };
        let key = if delivers { delivering } else { other }.filter(|key| key.at <= now)?;
        let timer = self.of(delivers).remove(&key)?;
        Some((key.at, timer))
    }

    fn of(&mut self, delivers: bool) -> &mut BTreeMap<TimerKey, Timer> {
        if delivers { &mut self.delivering } else { &mut self.other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUEUE: QueueId = QueueId(0);

    fn at(secs: u64) -> StackTime {
        StackTime::from_secs(secs)
    }

    #[test]
    fn timers_fire_by_time_then_in_the_order_in_which_they_were_set() {
        let mut timers = Timers::default();
        let reveal = |n| Timer::Reveal { queue: QUEUE, message: Seq(n) };
        timers.set(at(5), Timer::Tick);
        timers.set(at(5), reveal(1));
        timers.set(at(3), reveal(2));
        let cancelled = timers.set(at(1), reveal(3));
        timers.set(at(9), Timer::Retention { queue: QUEUE });
        timers.cancel(cancelled);

        assert_eq!(timers.next(), Some(at(3)));
        assert_eq!(timers.next_delivery(), Some(at(3)));
        assert_eq!(timers.pop_due(at(2)), None);
        assert_eq!(timers.pop_due(at(6)), Some((at(3), reveal(2))));
        assert_eq!(timers.pop_due(at(6)), Some((at(5), Timer::Tick)));
        assert_eq!(timers.next_delivery(), Some(at(5)));
        assert_eq!(timers.pop_due(at(6)), Some((at(5), reveal(1))));
        assert_eq!(timers.pop_due(at(6)), None);
        assert_eq!((timers.next(), timers.next_delivery()), (Some(at(9)), None));
    }
}
