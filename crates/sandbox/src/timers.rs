//! All that is due later, in one order: by time, then by who was set first.

use std::collections::BTreeMap;

use havoq_base::StackTime;

use crate::cloudwatch::AlarmId;
use crate::events::{InvocationId, ReplayId, RuleTimerId};
use crate::lambda::{EventId, RunId, SourceId};
use crate::pipes::PipeId;
use crate::scheduler::{OccurrenceId, ScheduleId};
use crate::sns::DeliveryId;
use crate::sqs::{QueueId, Seq, TaskId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timer {
    /// A visibility timeout or a delay is over.
    Reveal { queue: QueueId, message: Seq },
    /// A move task moves its next message.
    MoveStep { task: TaskId },
    /// A queue got messages while it was being served.
    Serve { queue: QueueId },
    /// The oldest message's retention is over.
    Retention { queue: QueueId },
    /// A topic's message is due at a subscription.
    Deliver { delivery: DeliveryId },
    /// An event is due at a rule's target.
    Invoke { invocation: InvocationId },
    /// Metrics are sampled and alarms evaluated.
    Tick,
    /// Metrics are sampled, and no alarm is there to see them.
    Sample,
    /// A function has run as long as it may.
    InvocationTimeout { run: RunId },
    /// A function is tried with an event.
    LambdaEvent { event: EventId },
    /// An event source mapping hands a batch over, or lets go of one.
    Mapping { source: SourceId },
    /// A pipe may have something to do.
    Pipe { pipe: PipeId },
    /// A composite alarm's actions have waited long enough for its suppressor.
    SuppressionEnd { alarm: AlarmId },
    /// A scheduled rule of EventBridge runs.
    RuleDue { rule: RuleTimerId },
    /// The next minute of a replay's events goes to its bus.
    Replay { replay: ReplayId },
    /// A schedule falls due that recurs, or does so once in a far future.
    Due { schedule: ScheduleId },
    /// A schedule falls due once, soon.
    DueOnce { schedule: ScheduleId },
    /// An occurrence of a schedule is due at its target.
    Occurrence { occurrence: OccurrenceId },
}

/// What somebody who waits has to know of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// It can make a message deliverable or move it, and comes to an end: a run is not over before.
    Delivers,
    /// It can lead to messages as well, and recurs for ever or is far away: a run does not wait for it.
    Scheduled,
    Other,
    /// Nobody has to wake up for it: what it does is the same when it is done late, before whatever
    /// comes next.
    CanWait,
}

impl Timer {
    fn class(self) -> Class {
        match self {
            // An alarm's action may end up as a message in a queue.
            Self::Reveal { .. }
            | Self::Serve { .. }
            | Self::MoveStep { .. }
            | Self::Deliver { .. }
            | Self::Invoke { .. }
            | Self::InvocationTimeout { .. }
            | Self::LambdaEvent { .. }
            | Self::Mapping { .. }
            | Self::Replay { .. }
            | Self::Pipe { .. }
            | Self::SuppressionEnd { .. }
            | Self::DueOnce { .. }
            | Self::Occurrence { .. } => Class::Delivers,
            Self::Due { .. } | Self::RuleDue { .. } => Class::Scheduled,
            Self::Retention { .. } | Self::Tick => Class::Other,
            Self::Sample => Class::CanWait,
        }
    }
}

/// Names a timer that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TimerKey {
    at: StackTime,
    order: u64,
}

/// The timers that are set, by class, because the engine asks for the next one of a class alone.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    delivering: BTreeMap<TimerKey, Timer>,
    scheduled: BTreeMap<TimerKey, Timer>,
    other: BTreeMap<TimerKey, Timer>,
    waiting: BTreeMap<TimerKey, Timer>,
    set_so_far: u64,
}

impl Timers {
    pub(crate) fn set(&mut self, at: StackTime, timer: Timer) -> TimerKey {
        self.set_so_far += 1;
        let key = TimerKey { at, order: self.set_so_far };
        self.of(timer).insert(key, timer);
        key
    }

    /// Takes a timer back; one that has fired is none.
    pub(crate) fn cancel(&mut self, key: TimerKey) {
        let all = [&mut self.delivering, &mut self.scheduled, &mut self.other, &mut self.waiting];
        all.into_iter().find_map(|timers| timers.remove(&key));
    }

    /// Sets the one timer that somebody has anew, if it is to fire at another time than before; at none,
    /// it is taken back.
    pub(crate) fn rearm(
        &mut self,
        held: &mut Option<(StackTime, TimerKey)>,
        at: Option<StackTime>,
        timer: Timer,
    ) {
        if at == held.map(|(at, _)| at) {
            return;
        }
        if let Some((_, key)) = held.take() {
            self.cancel(key);
        }
        *held = at.map(|at| (at, self.set(at, timer)));
    }

    /// When the next one is due that somebody has to wake up for.
    pub(crate) fn next(&self) -> Option<StackTime> {
        let first = |timers: &BTreeMap<TimerKey, Timer>| timers.first_key_value().map(|(key, _)| key.at);
        let all = [&self.delivering, &self.scheduled, &self.other];
        all.into_iter().filter_map(first).min()
    }

    pub(crate) fn next_delivery(&self) -> Option<StackTime> {
        self.delivering.first_key_value().map(|(key, _)| key.at)
    }

    /// When a schedule falls due next that recurs, or is far away.
    pub(crate) fn next_scheduled(&self) -> Option<StackTime> {
        self.scheduled.first_key_value().map(|(key, _)| key.at)
    }

    /// Takes the first timer that is due at `now`, with its own time.
    pub(crate) fn pop_due(&mut self, now: StackTime) -> Option<(StackTime, Timer)> {
        let all = [&mut self.delivering, &mut self.scheduled, &mut self.other, &mut self.waiting];
        let firsts = all.into_iter().filter_map(BTreeMap::first_entry);
        let (key, timer) =
            firsts.min_by_key(|entry| *entry.key()).filter(|first| first.key().at <= now)?.remove_entry();
        Some((key.at, timer))
    }

    fn of(&mut self, timer: Timer) -> &mut BTreeMap<TimerKey, Timer> {
        match timer.class() {
            Class::Delivers => &mut self.delivering,
            Class::Scheduled => &mut self.scheduled,
            Class::Other => &mut self.other,
            Class::CanWait => &mut self.waiting,
        }
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

    #[test]
    fn nobody_wakes_up_for_a_sample_but_it_keeps_its_time() {
        let mut timers = Timers::default();
        timers.set(at(5), Timer::Sample);
        timers.set(at(9), Timer::Tick);
        assert_eq!(timers.next(), Some(at(9)));
        assert_eq!(timers.pop_due(at(9)), Some((at(5), Timer::Sample)));
        let sample = timers.set(at(8), Timer::Sample);
        timers.cancel(sample);
        assert_eq!(timers.pop_due(at(9)), Some((at(9), Timer::Tick)));
    }
}
