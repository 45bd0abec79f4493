//! Who holds which message, who polls what, which calls are running: what the engine must know
//! before it lets the clock jump (the quiescence rule of the design, section 6).
//!
//! ```text
//!   received ──> open ──(bound over without an act)──> closed
//!                 │  ^                                    │
//!                 └──┘ act: extend, effect, delete        └─ an act after a jump: overrun
//! ```

mod overrun;
mod state;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_base::{Clock, RealDuration, RealTime, StackDuration};
use tokio::sync::watch;

use crate::history::{Held, Instance};
pub use overrun::Overrun;
pub use state::{Closing, Reader, State};
use state::{Open, Poll, Process, Work};

/// How long a silence must last before anything follows from it, where no bound was calibrated.
pub const UNCALIBRATED: RealDuration = RealDuration::from_secs(10);

/// The real-time bounds of one consumer.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How long a message stays open after its holder's last act on it.
    pub processing: RealDuration,
    /// How long a started process may take to its first poll.
    pub start: RealDuration,
    /// A new poll closes what was received before it.
    pub sequential: bool,
}

/// The shortest and the error-stretched wait for a poller to come back.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub poll_at_least: RealDuration,
    /// While a poller has not yet come back for a second time.
    pub poll_uncalibrated: RealDuration,
    pub after_error: RealDuration,
}

impl Default for Limits {
    fn default() -> Self {
        // SDKs back off for at most 20 s (semantics 8.1).
        Self {
            poll_at_least: RealDuration::from_secs(2),
            poll_uncalibrated: RealDuration::from_secs(10),
            after_error: RealDuration::from_secs(25),
        }
    }
}

impl Limits {
    /// More patience with pollers.
    pub fn times(self, factor: u64) -> Self {
        Self {
            poll_at_least: self.poll_at_least.times(factor),
            poll_uncalibrated: self.poll_uncalibrated.times(factor),
            ..self
        }
    }
}

/// The state of all consumers' traffic in one attempt.
#[derive(Debug)]
pub struct Activity {
    clock: Clock,
    limits: Limits,
    state: Mutex<State>,
    version: watch::Sender<u64>,
    /// It may run for days, so it forgets what nobody will ask for.
    forgetful: bool,
}

/// How many messages one that forgets keeps in mind.
const KNOWN: usize = 50_000;

/// What a holder can do with a receipt.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// Something that changes nothing.
    Touch,
    Delete,
    Extend(StackDuration),
}

impl Activity {
    pub fn new(clock: Clock, limits: Limits) -> Self {
        Self { clock, limits, state: Mutex::default(), version: watch::Sender::new(0), forgetful: false }
    }

    /// For a tap that no run ends: what is deleted is forgotten, and of the rest what is too much.
    pub fn forgetful(self) -> Self {
        Self { forgetful: true, ..self }
    }

    /// Changes with everything that may let the clock jump or forbid it.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The state, locked: while it is held no call can begin or end.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut State, RealTime) -> T) -> T {
        let result = change(&mut self.lock(), self.clock.real_now());
        self.version.send_modify(|version| *version += 1);
        result
    }

    pub fn set_bounds(&self, consumer: &str, bounds: Bounds) {
        self.change(|state, _| state.bounds.insert(consumer.to_owned(), bounds));
    }

    /// The longest time for which a holder was seen to be silent on a message that it then acted on.
    pub fn slowest(&self, consumer: &str) -> RealDuration {
        self.lock().slowest.get(consumer).copied().unwrap_or_default()
    }

    /// A process is about to be started or stopped; until `settle`, the clock stands.
    pub fn unsettle(&self) {
        self.change(|state, _| state.changing += 1);
    }

    pub fn settle(&self) {
        self.change(|state, _| state.changing = state.changing.saturating_sub(1));
    }

    pub fn started(&self, by: &Instance, queues: &[String]) {
        self.change(|state, now| {
            let polls = queues.iter().map(|queue| (queue.clone(), Poll::default())).collect();
            let process = Process {
                started: now,
                frozen: false,
                parked: 0,
                in_hand: false,
                holds_off: false,
                works: BTreeMap::new(),
                open: HashMap::new(),
                polls,
                owed: HashMap::new(),
            };
            state.processes.insert(by.clone(), process);
        });
    }

    /// It has shown that it is ready: the time to its first poll counts from here.
    pub fn is_ready(&self, by: &Instance) {
        self.change(|state, now| {
            let process = state.processes.get_mut(by);
            if let Some(process) =
                process.filter(|process| process.polls.values().all(|poll| poll.last.is_none()))
            {
                process.started = now;
            }
        });
    }

    /// The exit of a process closes all that it held.
    pub fn exited(&self, by: &Instance) {
        self.change(|state, _| state.processes.remove(by));
    }

    /// A declared fault stopped the process, or let it go on.
    pub fn set_frozen(&self, by: &Instance, frozen: bool) {
        let skipped = self.clock.skipped();
        self.change(|state, now| {
            let Some(process) = state.processes.get_mut(by) else { return };
            process.frozen = frozen;
            for open in process.open.values_mut() {
                // What the clock did meanwhile is the declared fault's doing, not an overrun.
                open.touch(now, skipped);
            }
            process.works.values_mut().for_each(|work| *work = Work { last_act: now, skipped });
        });
    }

    pub fn call_began(&self) {
        self.change(|state, _| state.running += 1);
    }

    pub fn call_ended(&self) {
        self.change(|state, _| state.running = state.running.saturating_sub(1));
    }

    /// Whether the process has polled any queue since its start.
    pub fn has_polled(&self, by: &Instance) -> bool {
        let state = self.lock();
        state.processes.get(by).is_some_and(|process| process.polls.values().any(|poll| poll.last.is_some()))
    }

    /// A poll of `queue` was read. Says whether it is the first since the start or since it was idle.
    pub fn polled(&self, by: &Instance, queue: &str) -> bool {
        self.change(|state, now| {
            let sequential = state.bounds.get(&by.consumer).is_some_and(|bounds| bounds.sequential);
            let Some(process) = state.processes.get_mut(by) else { return false };
            if sequential {
                process.open.values_mut().for_each(|open| open.closed = true);
            }
            process.parked += 1;
            process.in_hand = false;
            let started = process.started;
            let poll = process.polls.entry(queue.to_owned()).or_default();
            let first = poll.last.is_none() || poll.idle;
            poll.idle = false;
            if let Some(last) = poll.last {
                let gap = now.since(last.max(started));
                poll.largest_gap = Some(poll.largest_gap.map_or(gap, |largest| largest.max(gap)));
            }
            poll.last = Some(now);
            first
        })
    }

    /// A poll was answered; gaps between polls count from here.
    pub fn poll_answered(&self, by: &Instance, queue: &str, failed: bool) {
        self.change(|state, now| {
            state.unpark(by);
            if let Some(poll) = state.poll(by, queue) {
                poll.last = Some(now);
                poll.failed = failed;
            }
        });
    }

    /// Whoever polled does not wait for the answer any more.
    pub fn poll_abandoned(&self, by: &Instance) {
        self.change(|state, _| state.unpark(by));
    }

    /// Counts a receive of the message by whomever; the count so far, this one included.
    pub fn count_receive(&self, message: &MessageId) -> u32 {
        let mut state = self.lock();
        if self.forgetful && state.receives.len() >= KNOWN {
            state.receives.clear();
        }
        let count = state.receives.entry(message.clone()).or_default();
        *count += 1;
        *count
    }

    /// How often the message was received so far, by whomever.
    pub fn receives_of(&self, message: &MessageId) -> u32 {
        self.lock().receives.get(message).copied().unwrap_or_default()
    }

    /// A receive handed this message to the process, hidden from others for `visibility`.
    pub fn received(&self, by: &Instance, held: &Held, visibility: StackDuration) {
        let skipped = self.clock.skipped();
        let hidden_until = self.clock.now() + visibility;
        self.change(|state, now| {
            state.last_act = now;
            let Some(process) = state.processes.get_mut(by) else { return };
            process.in_hand = true;
            if self.forgetful && process.open.len() >= KNOWN {
                process.open.clear();
            }
            let earlier = process.open.values_mut().filter(|open| open.message_id == held.message_id);
            earlier.for_each(|open| open.closed = true);
            let open = Open {
                message_id: held.message_id.clone(),
                marker: held.marker.clone(),
                hidden_until,
                deleted: false,
                received: now,
                last_act: now,
                skipped,
                closed: false,
                told: false,
            };
            process.open.insert(held.receipt.clone(), open);
        });
    }

    /// The holder acted on what it received under `receipt`.
    pub fn acted(&self, by: &Instance, receipt: &ReceiptHandle, act: Act) -> Option<Overrun> {
        let stack_now = self.clock.now();
        let overrun = self.act(
            by,
            |process| process.open.get_mut(receipt),
            |open| match act {
                Act::Touch => {}
                Act::Delete => open.deleted = true,
                Act::Extend(visibility) => open.hidden_until = stack_now + visibility,
            },
        );
        if self.forgetful && matches!(act, Act::Delete) {
            self.change(|state, _| state.processes.get_mut(by).map(|process| process.open.remove(receipt)));
        }
        overrun
    }

    /// The holder made the effect of a marker: an act on its latest receive of it.
    pub fn made_effect(&self, by: &Instance, marker: &Marker) -> Option<Overrun> {
        self.act(by, |process| process.latest_of(marker), |_| {})
    }

    /// The process does something that is about no message.
    pub fn acted_at_all(&self, by: &Instance) {
        self.change(|state, now| state.act_on_works(by, now));
    }

    /// The invocation that these were given to has come back, which is an act on all of them.
    pub fn came_back(&self, by: &Instance, receipts: &[ReceiptHandle]) -> Vec<Overrun> {
        let back = |receipt| self.act(by, |process| process.open.get_mut(receipt), |_| {});
        receipts.iter().filter_map(back).collect()
    }

    /// Whether the clock has jumped since the last act on one of these, and no fault holds them.
    pub fn jumped_past(&self, by: &Instance, receipts: &[ReceiptHandle]) -> bool {
        let skipped = self.clock.skipped();
        let state = self.lock();
        let process = state.processes.get(by).filter(|process| !process.frozen);
        process.is_some_and(|process| {
            let mut open = receipts.iter().filter_map(|receipt| process.open.get(receipt));
            open.any(|open| open.skipped != skipped)
        })
    }

    fn act(
        &self,
        by: &Instance,
        find: impl for<'a> FnOnce(&'a mut Process) -> Option<&'a mut Open>,
        apply: impl FnOnce(&mut Open),
    ) -> Option<Overrun> {
        let skipped = self.clock.skipped();
        self.change(|state, now| {
            state.last_act = now;
            state.act_on_works(by, now);
            let process = state.processes.get_mut(by)?;
            let frozen = process.frozen;
            let open = find(process)?;
            let overrun = (open.skipped != skipped && !frozen).then(|| Overrun {
                message_id: Some(open.message_id.clone()),
                marker: open.marker.clone(),
                since_last_act: now.since(open.last_act),
            });
            let silent = now.since(open.last_act);
            open.touch(now, skipped);
            apply(open);
            state.note_silence(by, silent);
            overrun
        })
    }

    /// The messages that the process holds: received, neither deleted nor visible again.
    pub fn held_by(&self, by: &Instance) -> Vec<(MessageId, Option<Marker>)> {
        let now = self.clock.now();
        let state = self.lock();
        let open = state.processes.get(by).into_iter().flat_map(|process| process.open.values());
        let held = open.filter(|open| !open.deleted && open.hidden_until > now);
        held.map(|open| (open.message_id.clone(), open.marker.clone())).collect()
    }

    /// What the process received under this receipt.
    pub fn message_under(
        &self,
        by: &Instance,
        receipt: &ReceiptHandle,
    ) -> Option<(MessageId, Option<Marker>)> {
        let state = self.lock();
        let open = state.processes.get(by)?.open.get(receipt)?;
        Some((open.message_id.clone(), open.marker.clone()))
    }

    /// Nobody works on these for now: they wait for an invocation, or theirs is over.
    pub fn set_down(&self, by: &Instance, receipts: &[ReceiptHandle]) {
        self.each_open(by, receipts, |open, _| open.closed = true);
    }

    /// Work on these begins, whatever the clock did meanwhile.
    pub fn take_up(&self, by: &Instance, receipts: &[ReceiptHandle]) {
        let skipped = self.clock.skipped();
        self.each_open(by, receipts, |open, now| open.touch(now, skipped));
    }

    fn each_open(&self, by: &Instance, receipts: &[ReceiptHandle], change: impl Fn(&mut Open, RealTime)) {
        if receipts.is_empty() {
            return;
        }
        self.change(|state, now| {
            let Some(process) = state.processes.get_mut(by) else { return };
            for receipt in receipts {
                if let Some(open) = process.open.get_mut(receipt) {
                    change(open, now);
                }
            }
        });
    }

    /// Work on all that the process has in hand begins only now; but what the clock has jumped past
    /// was in somebody's hands before.
    pub fn begin_anew(&self, by: &Instance) {
        let skipped = self.clock.skipped();
        self.change(|state, now| {
            let Some(process) = state.processes.get_mut(by) else { return };
            let open = process.open.values_mut().filter(|open| !open.closed && open.skipped == skipped);
            open.for_each(|open| open.touch(now, skipped));
            process.works.values_mut().for_each(|work| work.last_act = now);
        });
    }

    /// A part of the process began to work on something that is no message.
    pub fn work_began(&self, by: &Instance, work: &str) {
        let skipped = self.clock.skipped();
        self.change(|state, now| {
            if let Some(process) = state.processes.get_mut(by) {
                process.works.insert(work.to_owned(), Work { last_act: now, skipped });
            }
        });
    }

    /// The work is done, by whoever did it. The clock must not have jumped since it began.
    pub fn work_came_back(&self, by: &Instance, work: &str) -> Option<Overrun> {
        let skipped = self.clock.skipped();
        self.change(|state, now| {
            state.last_act = now;
            let process = state.processes.get_mut(by)?;
            let (work, frozen) = (process.works.remove(work)?, process.frozen);
            let since_last_act = now.since(work.last_act);
            state.note_silence(by, since_last_act);
            let overran = work.skipped != skipped && !frozen;
            overran.then_some(Overrun { message_id: None, marker: None, since_last_act })
        })
    }

    /// The work is under way no more, done or cut off.
    pub fn work_ended(&self, by: &Instance, work: &str) {
        self.change(|state, _| state.processes.get_mut(by).map(|process| process.works.remove(work)));
    }

    /// Whether the process leaves messages where they are on purpose: it has as much in hand as it
    /// may, and goes on by itself.
    pub fn set_holding_off(&self, by: &Instance, holds_off: bool) {
        self.change(|state, now| {
            let Some(process) = state.processes.get_mut(by) else { return };
            process.holds_off = holds_off;
            // Its patience starts anew.
            process.polls.values_mut().for_each(|poll| poll.last = poll.last.map(|_| now));
        });
    }

    /// Whether a fault keeps this queue's messages from the process, for a time that is known.
    pub fn set_starved(&self, by: &Instance, queue: &str, starved: bool) {
        self.change(|state, now| {
            let Some(poll) = state.poll(by, queue) else { return };
            poll.starved = starved;
            // Its patience starts anew.
            poll.last = poll.last.map(|_| now);
        });
    }

    /// After an error that its SDK retries, the call comes back: until `by_when` at the latest.
    pub fn owes_retry(&self, by: &Instance, invocation: &str) {
        let after_error = self.limits.after_error;
        self.change(|state, now| {
            if let Some(process) = state.processes.get_mut(by) {
                process.owed.insert(invocation.to_owned(), now + after_error);
            }
        });
    }

    pub fn retried(&self, by: &Instance, invocation: &str) {
        self.change(|state, _| state.processes.get_mut(by).map(|process| process.owed.remove(invocation)));
    }

    pub fn set_idle(&self, by: &Instance, queue: &str) {
        self.change(|state, _| {
            if let Some(poll) = state.poll(by, queue) {
                poll.idle = true;
            }
        });
    }

    /// The largest processing bound of all consumers that live.
    pub fn largest_bound(&self) -> RealDuration {
        let state = self.lock();
        let live = state.processes.keys().map(|by| state.bounds_of(by).processing);
        live.max().unwrap_or_default()
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }
}

#[cfg(test)]
mod tests;
