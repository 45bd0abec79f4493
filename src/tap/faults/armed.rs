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
    starved: BTreeSet<Instance>,
    /// The latest, in order.
    firings: VecDeque<Firing>,
}

#[derive(Debug)]
struct Armed {
    id: String,
    spec: FaultSpec,
    /// By the message, where it is for labelled ones.
    counts: HashMap<Option<Marker>, Count>,
    dice: Stream,
    fired: u32,
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
        let clock = self.recorder.clock();
        // Set before the fault can strike, so that the clock stops where it ends.
        let timer = spec.gauge.window.map(|window| clock.timer(clock.now() + window));
        let dice = self.seed.fork("faults").fork(id).stream();
        self.change(|state| {
            state.faults.push(Armed { id: id.to_owned(), spec, counts: HashMap::new(), dice, fired: 0 });
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
        starved.iter().for_each(|by| self.activity.set_holding_off(by, false));
        Some(disarmed)
    }

    /// Takes a fault back and records that it is over.
    pub fn end(&self, id: &str, never: &str) -> Option<Disarmed> {
        let disarmed = self.disarm(id)?;
        let fired = disarmed.fired > 0;
        let reason = (!fired).then(|| never.to_owned());
        self.recorder.record(Source::Engine, Event::FaultEnded { fault: id.to_owned(), fired, reason });
        Some(disarmed)
    }

    /// Takes all of them back, as `end` does.
    pub fn end_all(&self) {
        let ids: Vec<String> = self.list().into_iter().map(|told| told.id).collect();
        for id in ids {
            self.end(&id, "no call matched it");
        }
    }

    pub fn list(&self) -> Vec<Told> {
        let told =
            |armed: &Armed| Told { id: armed.id.clone(), spec: armed.spec.clone(), fired: armed.fired };
        self.lock().faults.iter().map(told).collect()
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

    /// Records that a fault has taken hold.
    pub(super) fn fired(&self, id: &str, by: &Instance, point: &str, marker: Option<Marker>) {
        let at = self.recorder.clock().now();
        let firing = Firing { fault: id.to_owned(), operation: point.to_owned(), at, marker: marker.clone() };
        self.change(|state| {
            if let Some(armed) = state.faults.iter_mut().find(|armed| armed.id == id) {
                armed.fired += 1;
            }
            if state.firings.len() == FIRINGS {
                state.firings.pop_front();
            }
            state.firings.push_back(firing);
        });
        let (fault, by, point) = (id.to_owned(), Some(by.clone()), Some(point.to_owned()));
        let kind = Event::FaultFired { fault, by, point, marker, collateral: Vec::new() };
        self.recorder.record(Source::Tap, kind);
    }

    /// While it lasts, this fault keeps messages from the process: its polls do not keep the clock.
    /// False when the fault is over already.
    pub(super) fn starve(&self, id: &str, by: &Instance) -> bool {
        let mut state = self.lock();
        let lasts = state.faults.iter().any(|armed| armed.id == id);
        if lasts {
            state.starved.insert(by.clone());
            // Under the lock, so that the fault's end comes behind it.
            self.activity.set_holding_off(by, true);
        }
        lasts
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
