//! The armed faults of one attempt.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use havoq_base::ids::Marker;
use havoq_base::seed::Stream;
use havoq_base::{RealDuration, Seed, StackTime, Timer};
use havoq_fault::{Aim, Count, FaultSpec, Kind, Stage};
use havoq_wire::Call;

use super::stash::Stash;
use crate::history::{Instance, Kind as Event, Recorder, Source};
use crate::tap::Activity;

/// All faults that are armed, and what they keep to deliver it later.
#[derive(Debug)]
pub struct Faults {
    recorder: Recorder,
    activity: Arc<Activity>,
    seed: Seed,
    /// How many are armed: most taps have none, and ask for each call.
    armed: AtomicUsize,
    state: Mutex<State>,
    pub(super) stash: Stash,
}

#[derive(Debug, Default)]
struct State {
    faults: Vec<Armed>,
    /// Those from whom faults keep messages for so long as they last.
    starved: BTreeSet<(Instance, String)>,
    /// Those that are over but for deliveries that are still to come.
    owing: Vec<(String, u32)>,
    /// The latest, in order.
    firings: VecDeque<Firing>,
}

#[derive(Debug)]
struct Armed {
    id: String,
    spec: FaultSpec,
    role: Role,
    /// By the message, where it is for labelled ones.
    counts: HashMap<Option<Marker>, Count>,
    dice: Stream,
    fired: u32,
}

/// Whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A fault with a life that the history tells.
    Fault,
    /// A mutation of a proof: for whoever judges there is no fault, only what comes of it.
    Mutation,
}

/// One time that a fault took hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firing {
    pub fault: String,
    pub operation: String,
    pub at: StackTime,
    pub marker: Option<Marker>,
}

/// How many firings are kept.
const FIRINGS: usize = 1_000;

/// A fault that was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disarmed {
    pub fired: u32,
}

/// An armed fault as it is told to people.
#[derive(Clone, Debug)]
pub struct Told {
    pub id: String,
    pub spec: FaultSpec,
    pub fired: u32,
}

/// A call as faults look at it.
pub(super) struct Crossing<'a> {
    pub stage: Stage,
    pub by: &'a Instance,
    pub call: &'a Call,
    pub queue: Option<&'a str>,
    /// Its messages, in their order.
    pub items: &'a [Option<Marker>],
}

/// A fault that takes hold of a call.
#[derive(Debug)]
pub(super) struct Strike {
    pub id: String,
    pub kind: Arc<dyn Kind>,
    pub aim: Aim,
    pub delay: RealDuration,
    /// The first of the messages that it is aimed at.
    pub marker: Option<Marker>,
    /// Who is hit cannot get a message while the fault lasts, and it lasts for a known time.
    pub starves: bool,
}

impl Faults {
    pub fn new(recorder: Recorder, activity: Arc<Activity>, seed: Seed) -> Self {
        let (armed, state) = (AtomicUsize::new(0), Mutex::default());
        Self { recorder, activity, seed, armed, state, stash: Stash::default() }
    }

    /// Arms a fault under an id of its own, for so long as its gauge says.
    pub fn arm(self: &Arc<Self>, id: &str, spec: FaultSpec) {
        let (fault, description) = (id.to_owned(), spec.to_string());
        self.recorder.record(Source::Engine, Event::FaultArmed { fault, description });
        self.put(id, spec, Role::Fault);
    }

    /// Arms what a mutation does, to the end of the attempt.
    pub fn arm_mutation(self: &Arc<Self>, mutation: &str, spec: FaultSpec) {
        self.put(mutation, spec, Role::Mutation);
    }

    fn put(self: &Arc<Self>, id: &str, spec: FaultSpec, role: Role) {
        let clock = self.recorder.clock();
        // Set before the fault can strike, so that the clock stops where it ends.
        let timer = spec.gauge.window.map(|window| clock.timer(clock.now() + window));
        let dice = self.seed.fork("faults").fork(id).stream();
        self.change(|state| {
            let counts = HashMap::new();
            state.faults.push(Armed { id: id.to_owned(), spec, role, counts, dice, fired: 0 });
        });
        if let Some(timer) = timer {
            tokio::spawn(end_at(Arc::clone(self), id.to_owned(), timer));
        }
    }

    /// Takes a fault back. `None` when it is not armed.
    pub fn disarm(&self, id: &str) -> Option<Disarmed> {
        let (disarmed, starved) = self.change(|state| {
            let at = state.faults.iter().position(|armed| armed.id == id)?;
            let armed = state.faults.remove(at);
            Some((Disarmed { fired: armed.fired }, std::mem::take(&mut state.starved)))
        })?;
        // They can get messages again, unless another fault says otherwise at their next poll.
        starved.iter().for_each(|(by, queue)| self.activity.set_starved(by, queue, false));
        Some(disarmed)
    }

    /// Takes a fault back and records that it is over, unless it owes deliveries.
    pub fn end(&self, id: &str, never: &str) -> Option<Disarmed> {
        let disarmed = self.disarm(id)?;
        if self.stash.left(id) > 0 {
            self.change(|state| state.owing.push((id.to_owned(), disarmed.fired)));
        } else {
            self.record_ended(id, disarmed.fired > 0, never.to_owned());
        }
        Some(disarmed)
    }

    /// Takes all of them back. What was kept and never delivered is as if it had not been done.
    pub fn end_all(&self) {
        let ids: Vec<String> = self.list().into_iter().map(|told| told.id).collect();
        for id in ids {
            self.end(&id, "no call matched it");
        }
        for (id, fired) in self.change(|state| std::mem::take(&mut state.owing)) {
            match self.stash.left(&id) {
                0 => self.record_ended(&id, fired > 0, "no call matched it".to_owned()),
                left => {
                    let reason = format!("{left} of its deliveries found nobody who took them");
                    self.record_ended(&id, false, reason);
                }
            }
        }
    }

    fn record_ended(&self, id: &str, fired: bool, never: String) {
        let reason = (!fired).then_some(never);
        self.recorder.record(Source::Engine, Event::FaultEnded { fault: id.to_owned(), fired, reason });
    }

    pub fn list(&self) -> Vec<Told> {
        let told =
            |armed: &Armed| Told { id: armed.id.clone(), spec: armed.spec.clone(), fired: armed.fired };
        let state = self.lock();
        let faults = state.faults.iter().filter(|armed| armed.role == Role::Fault);
        faults.map(told).collect()
    }

    /// The latest firings, at most a thousand, in order.
    pub fn firings(&self) -> Vec<Firing> {
        self.lock().firings.iter().cloned().collect()
    }

    pub(super) fn are_none(&self) -> bool {
        self.armed.load(Ordering::Acquire) == 0
    }

    /// The first fault at or behind this position that takes hold of the call, and its position.
    pub(super) fn strike(&self, from: usize, crossing: &Crossing<'_>) -> Option<(usize, Strike)> {
        let identity = self.recorder.identity();
        let is_labelled = |marker: &Marker, label: &str| identity.is_labelled(marker, label);
        let mut state = self.lock();
        let mut armed = state.faults.iter_mut().enumerate().skip(from);
        armed.find_map(|(at, armed)| armed.strike(crossing, &is_labelled).map(|strike| (at, strike)))
    }

    /// Records that a fault has taken hold; of a mutation, only that it ever has.
    pub(super) fn fired(&self, id: &str, by: &Instance, point: &str, marker: Option<Marker>) {
        let at = self.recorder.clock().now();
        let mutated = self.change(|state| {
            let armed = state.faults.iter_mut().find(|armed| armed.id == id);
            let struck = armed.map(|armed| {
                armed.fired += 1;
                (armed.role, armed.fired)
            });
            if let Some((Role::Mutation, times)) = struck {
                return Some(times);
            }
            if state.firings.len() == FIRINGS {
                state.firings.pop_front();
            }
            let (fault, operation) = (id.to_owned(), point.to_owned());
            state.firings.push_back(Firing { fault, operation, at, marker: marker.clone() });
            None
        });
        if let Some(times) = mutated {
            if times == 1 {
                self.recorder.record(Source::Tap, Event::Mutated { mutation: id.to_owned() });
            }
            return;
        }
        let (fault, by, point) = (id.to_owned(), Some(by.clone()), Some(point.to_owned()));
        let kind = Event::FaultFired { fault, by, point, marker, collateral: Vec::new() };
        self.recorder.record(Source::Tap, kind);
    }

    /// While it lasts, this fault keeps a queue's messages from the process: its polls of it do not
    /// keep the clock.
    pub(super) fn starve(&self, id: &str, by: &Instance, queue: &str) {
        let mut state = self.lock();
        if state.faults.iter().any(|armed| armed.id == id) {
            state.starved.insert((by.clone(), queue.to_owned()));
            // Under the lock, so that the fault's end comes behind it.
            self.activity.set_starved(by, queue, true);
        }
    }

    /// A poll of the process reaches the stack.
    pub(super) fn feed(&self, by: &Instance, queue: &str) {
        if self.lock().starved.remove(&(by.clone(), queue.to_owned())) {
            self.activity.set_starved(by, queue, false);
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let result = change(&mut state);
        self.armed.store(state.faults.len(), Ordering::Release);
        result
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The timer is given back only when the fault is over, so that the clock cannot go past it before.
async fn end_at(faults: Arc<Faults>, id: String, timer: Timer) {
    timer.due().await;
    faults.end(&id, "its time was over before a call matched it");
    drop(timer);
}

impl Armed {
    fn strike(
        &mut self,
        crossing: &Crossing<'_>,
        is_labelled: &dyn Fn(&Marker, &str) -> bool,
    ) -> Option<Strike> {
        let Self { spec, counts, dice, .. } = self;
        let (matching, call) = (&spec.matching, crossing.call);
        let (service, operation) = (call.head.service, call.head.operation.as_str());
        let is_meant = spec.kind.stage() == crossing.stage
            && matching.is_for(service, operation)
            && spec.kind.fits(service, operation)
            && matching.consumer.as_ref().is_none_or(|wanted| *wanted == crossing.by.consumer)
            && matching.queue.as_deref().is_none_or(|wanted| crossing.queue == Some(wanted));
        if !is_meant {
            return None;
        }
        let mut aim = Aim::all(crossing.items.len());
        if let Some(label) = &matching.label {
            aim.at.retain(|at| crossing.items[*at].as_ref().is_some_and(|marker| is_labelled(marker, label)));
            if aim.at.is_empty() || !spec.kind.bites(call, &aim) {
                return None;
            }
            aim.at.retain(|at| {
                let count = counts.entry(crossing.items[*at].clone()).or_default();
                spec.gauge.admits(count, dice)
            });
            if aim.at.is_empty() || !spec.kind.bites(call, &aim) {
                return None;
            }
        } else if !spec.kind.bites(call, &aim) || !spec.gauge.admits(counts.entry(None).or_default(), dice) {
            return None;
        }
        let marker = aim.at.first().and_then(|at| crossing.items[*at].clone());
        let unaimed = matching.label.is_none();
        let (gauge, delay) = (&spec.gauge, spec.kind.delay(dice));
        // Each call, and for a known time or without an end.
        let steady = havoq_fault::Gauge { window: None, ..gauge.clone() }.is_forever();
        let starves = spec.kind.starves() && steady && unaimed;
        Some(Strike { id: self.id.clone(), kind: Arc::clone(&spec.kind), aim, delay, marker, starves })
    }
}
