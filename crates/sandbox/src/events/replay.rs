//! One replay of an archive's events (semantics 3.5): they go to their bus again, minute after minute of
//! their own time, with the replay's name on them. A minute is replayed a second after the one before;
//! its events come in any order, which the seed chooses.

use std::collections::VecDeque;
use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};

use super::event::Event;
use super::names::{BusKey, RuleKey};
use crate::core::Core;
use crate::place::Place;
use crate::timers::Timer;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ReplayId(pub(super) u64);

/// Replays are named in their place, whatever their bus is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReplayKey {
    pub(super) place: Place,
    pub(super) name: Arc<str>,
}

/// FAILED is none of a sandbox's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplayState {
    Starting,
    Running,
    Completed,
    Cancelling,
    Cancelled,
}

#[derive(Debug)]
pub(super) struct Replay {
    pub(super) id: ReplayId,
    pub(super) arn: String,
    pub(super) description: Option<String>,
    pub(super) archive_arn: String,
    pub(super) bus: BusKey,
    /// The rules that get the events, and no others; as they were given.
    pub(super) filter_arns: Vec<String>,
    /// The time of the events.
    pub(super) from: StackTime,
    pub(super) until: StackTime,
    pub(super) started: StackTime,
    pub(super) ended: Option<StackTime>,
    /// The time of the last event that was replayed.
    pub(super) last: Option<StackTime>,
    pub(super) state: ReplayState,
    /// What is left to replay, by the minute.
    minutes: VecDeque<Vec<Arc<Event>>>,
}

impl ReplayState {
    pub(super) const WORDS: [&str; 6] =
        ["STARTING", "RUNNING", "CANCELLING", "COMPLETED", "CANCELLED", "FAILED"];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "STARTING",
            Self::Running => "RUNNING",
            Self::Completed => "COMPLETED",
            Self::Cancelling => "CANCELLING",
            Self::Cancelled => "CANCELLED",
        }
    }

    pub(super) fn is_active(self) -> bool {
        matches!(self, Self::Starting | Self::Running)
    }
}

pub(super) const PAUSE: StackDuration = StackDuration::from_secs(1);

/// How long a replay is kept after its end.
const KEPT: StackDuration = StackDuration::from_secs(90 * 86_400);

impl Replay {
    /// Events must come by their own time.
    pub(super) fn set_events(&mut self, events: Vec<Arc<Event>>) {
        let minute = |event: &Arc<Event>| event.time().as_secs() / 60;
        let slices = events.chunk_by(|one, other| minute(one) == minute(other));
        self.minutes = slices.map(<[_]>::to_vec).collect();
    }

    pub(super) fn is_forgotten(&self, now: StackTime) -> bool {
        self.ended.is_some_and(|ended| now.since(ended) >= KEPT)
    }

    pub(super) fn new(id: ReplayId, arn: String, archive_arn: String, bus: BusKey, now: StackTime) -> Self {
        Self {
            id,
            arn,
            description: None,
            archive_arn,
            bus,
            filter_arns: Vec::new(),
            from: now,
            until: now,
            started: now,
            ended: None,
            last: None,
            state: ReplayState::Starting,
            minutes: VecDeque::new(),
        }
    }
}

impl Core {
    /// Replays the next minute, or comes to an end.
    pub(crate) fn step_replay(&mut self, now: StackTime, id: ReplayId) {
        let Some((key, replay)) = self.events.replays.iter_mut().find(|(_, replay)| replay.id == id) else {
            return;
        };
        if replay.state == ReplayState::Cancelling {
            replay.state = ReplayState::Cancelled;
            replay.ended = Some(now);
            return;
        }
        replay.state = ReplayState::Running;
        let events = replay.minutes.pop_front().unwrap_or_default();
        replay.last = events.iter().map(|event| event.time()).max().max(replay.last);
        if replay.minutes.is_empty() {
            replay.state = ReplayState::Completed;
            replay.ended = Some(now);
        } else {
            self.timers.set(now + PAUSE, Timer::Replay { replay: id });
        }
        let (name, arn, bus) = (Arc::clone(&key.name), replay.arn.clone(), replay.bus.clone());
        let filter = replay.filter_arns.iter().filter_map(|arn| RuleKey::of_arn(&self.places, arn));
        let filter: Vec<_> = filter.collect();
        let mut events = events;
        events.sort_by_cached_key(|event| self.draw(&format!("{arn} {}", event.id)));
        for event in events {
            let event = Arc::new(event.replayed(now, &name));
            self.give_to_rules(now, &bus, &event, |rule| filter.is_empty() || filter.contains(rule));
        }
    }
}
