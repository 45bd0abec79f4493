//! What is known of every live process, and what follows for the clock.

use std::collections::{BTreeMap, HashMap};

use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_base::{RealDuration, RealTime, StackDuration, StackTime};

use super::{Bounds, Limits, UNCALIBRATED};
use crate::history::{Closed, Instance};

/// What keeps the clock from jumping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closing {
    /// Nothing.
    Quiet,
    /// Something that ends by an event, or at this time at the latest.
    Until(Option<RealTime>),
}

/// A live process that could receive from a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    pub by: Instance,
    /// When it counts as idle if it has not taken what is deliverable by then.
    pub patience_ends: RealTime,
    pub idle: bool,
    pub has_polled: bool,
}

#[derive(Debug, Default)]
pub struct State {
    /// Calls read whole and not yet answered, parked polls included.
    pub(super) running: usize,
    /// Processes being started or stopped.
    pub(super) changing: usize,
    pub(super) processes: BTreeMap<Instance, Process>,
    pub(super) bounds: HashMap<String, Bounds>,
    pub(super) slowest: HashMap<String, RealDuration>,
    pub(super) last_act: RealTime,
    pub(super) receives: HashMap<MessageId, u32>,
}

#[derive(Debug)]
pub(super) struct Process {
    pub(super) started: RealTime,
    pub(super) frozen: bool,
    /// Polls that are not answered yet.
    pub(super) parked: usize,
    /// It has received something and not polled since.
    pub(super) in_hand: bool,
    /// It leaves messages where they are on purpose.
    pub(super) holds_off: bool,
    /// Work that is about no message.
    pub(super) works: BTreeMap<String, Work>,
    pub(super) open: HashMap<ReceiptHandle, Open>,
    pub(super) polls: BTreeMap<String, Poll>,
    /// Invocations that will be tried again, with the time at which we stop believing so.
    pub(super) owed: HashMap<String, RealTime>,
}

#[derive(Debug)]
pub(super) struct Work {
    pub(super) last_act: RealTime,
    /// What had been skipped when it began.
    pub(super) skipped: StackDuration,
}

#[derive(Debug)]
pub(super) struct Open {
    pub(super) message_id: MessageId,
    pub(super) marker: Option<Marker>,
    /// When its visibility timeout ends, as far as the tap has seen it granted.
    pub(super) hidden_until: StackTime,
    pub(super) deleted: bool,
    pub(super) received: RealTime,
    pub(super) last_act: RealTime,
    /// What had been skipped at the last act: another value later means that the clock jumped.
    pub(super) skipped: StackDuration,
    pub(super) closed: bool,
    /// The clock jumped past it when its bound was over, and the history says so.
    pub(super) told: bool,
}

#[derive(Debug, Default)]
pub(super) struct Poll {
    pub(super) last: Option<RealTime>,
    /// Between two polls; `None` before the second one.
    pub(super) largest_gap: Option<RealDuration>,
    pub(super) failed: bool,
    pub(super) idle: bool,
    /// A fault keeps the queue's messages from it.
    pub(super) starved: bool,
}

impl Process {
    /// The latest receive of a marker: of those that somebody works on, if there are any.
    pub(super) fn latest_of(&mut self, marker: &Marker) -> Option<&mut Open> {
        let of_marker = self.open.values_mut().filter(|open| open.marker.as_ref() == Some(marker));
        of_marker.max_by_key(|open| (!open.closed, open.received))
    }
}

impl Open {
    pub(super) fn touch(&mut self, now: RealTime, skipped: StackDuration) {
        self.last_act = now;
        self.skipped = skipped;
        self.closed = false;
        self.told = false;
    }
}

impl State {
    pub(super) fn poll(&mut self, by: &Instance, queue: &str) -> Option<&mut Poll> {
        self.processes.get_mut(by)?.polls.get_mut(queue)
    }

    pub(super) fn unpark(&mut self, by: &Instance) {
        if let Some(process) = self.processes.get_mut(by) {
            process.parked = process.parked.saturating_sub(1);
        }
    }

    pub(super) fn bounds_of(&self, by: &Instance) -> Bounds {
        let fallback = Bounds {
            processing: RealDuration::from_secs(1),
            start: RealDuration::from_secs(10),
            sequential: false,
        };
        self.bounds.get(&by.consumer).copied().unwrap_or(fallback)
    }

    /// Quiescence rules 1 and 2: no call runs but `parked` polls, none owes a retry, and no live
    /// consumer has an open message.
    pub fn closing(&self, parked: usize, now: RealTime) -> Closing {
        if self.running > parked || self.changing > 0 {
            return Closing::Until(None);
        }
        let live = self.processes.iter().filter(|(_, process)| !process.frozen);
        let waits = live.flat_map(|(by, process)| {
            let bound = self.bounds_of(by).processing;
            let open =
                process.open.values().filter(|open| !open.closed).map(move |open| open.last_act + bound);
            // No message tells that a jump went past it, so it gets the longest time.
            let works = process.works.values().map(move |work| work.last_act + bound.max(UNCALIBRATED));
            open.chain(process.owed.values().copied()).chain(works)
        });
        match waits.filter(|until| *until > now).max() {
            Some(until) => Closing::Until(Some(until)),
            None => Closing::Quiet,
        }
    }

    /// What live holders have open when the clock is about to jump: closed by its bound alone. Each
    /// is told once, until its holder's next act on it.
    pub fn take_closed(&mut self) -> Vec<Closed> {
        let live = self.processes.iter_mut().filter(|(_, process)| !process.frozen);
        let mut closed: Vec<Closed> = live
            .flat_map(|(by, process)| {
                let open = process.open.values_mut().filter(|open| !open.closed && !open.told);
                open.map(|open| {
                    open.told = true;
                    Closed { by: by.clone(), message_id: open.message_id.clone() }
                })
            })
            .collect();
        closed.sort_by(|a, b| (&a.by, &a.message_id).cmp(&(&b.by, &b.message_id)));
        closed
    }

    /// The live processes that have not come back for more since they last received something.
    pub fn busy(&self) -> Vec<Instance> {
        let busy = self.processes.iter().filter(|(_, process)| process.in_hand && process.parked == 0);
        busy.map(|(by, _)| by.clone()).collect()
    }

    /// Those of the busy, unless a declared fault holds them, that have done nothing yet about
    /// something that they received.
    pub fn at_work(&self) -> bool {
        let busy = self.processes.values().filter(|process| process.in_hand && process.parked == 0);
        let mut open = busy.filter(|process| !process.frozen).flat_map(|process| process.open.values());
        open.any(|open| open.last_act == open.received)
    }

    /// A live holder has done nothing about something that the clock has passed for want of an act.
    pub fn passed_over(&self) -> bool {
        let live = self.processes.values().filter(|process| !process.frozen);
        let mut open = live.flat_map(|process| process.open.values());
        open.any(|open| open.told && open.last_act == open.received)
    }

    /// Quiescence rules 3 and 4: the live processes that read `queue`. A deliverable message has
    /// been so since `since`.
    pub fn readers(&self, queue: &str, since: RealTime, limits: Limits) -> Vec<Reader> {
        let live = self.processes.iter().filter(|(_, process)| !process.frozen && !process.holds_off);
        live.filter_map(|(by, process)| {
            let poll = process.polls.get(queue).filter(|poll| !poll.starved)?;
            let patience_ends = match poll.last {
                None => process.started + self.bounds_of(by).start,
                Some(last) => {
                    let floor = match poll.largest_gap {
                        _ if poll.failed => limits.after_error,
                        // How long it rests between polls is not known yet.
                        None => limits.poll_uncalibrated,
                        Some(_) => limits.poll_at_least,
                    };
                    last.max(since) + poll.largest_gap.unwrap_or_default().times(4).max(floor)
                }
            };
            Some(Reader { by: by.clone(), patience_ends, idle: poll.idle, has_polled: poll.last.is_some() })
        })
        .collect()
    }

    /// Which work an act is about cannot be told.
    pub(super) fn act_on_works(&mut self, by: &Instance, now: RealTime) {
        let Some(process) = self.processes.get_mut(by) else { return };
        let silences = process.works.values_mut().map(|work| {
            let silent = now.since(work.last_act);
            work.last_act = now;
            silent
        });
        if let Some(silent) = silences.max() {
            self.last_act = now;
            self.note_silence(by, silent);
        }
    }

    pub(super) fn note_silence(&mut self, by: &Instance, silent: RealDuration) {
        let slowest = self.slowest.entry(by.consumer.clone()).or_default();
        *slowest = (*slowest).max(silent);
    }

    /// How much work is under way that is about no message.
    pub fn works(&self) -> usize {
        self.processes.values().map(|process| process.works.len()).sum()
    }

    /// When any consumer last acted on a message.
    pub fn last_act(&self) -> RealTime {
        self.last_act
    }

    /// A process is being started or stopped.
    pub fn is_changing(&self) -> bool {
        self.changing > 0
    }

    pub fn has_live(&self, consumer: &str) -> bool {
        self.processes.keys().any(|by| by.consumer == consumer)
    }
}
