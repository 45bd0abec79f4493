//! All consumer processes of one attempt: who runs, who is ended by which fault, who comes back.
//!
//! ```text
//!   start ──> running ──(exit: by itself, by a fault, by havoq)──> drained ──> recorded
//!               ^                                                                │
//!               └──────────── restart policy, `restart`, `swap` <────────────────┘
//! ```

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use havoq_base::{RealDuration, StackDuration, clock};
use nix::sys::signal::Signal;
use thiserror::Error;
use tokio::process::Child;
use tokio::sync::{mpsc, watch};

use super::environment::Surroundings;
use super::process::{Ending, Execution, Running, exit_of, reaped, spawn, started};
use super::spec::{Program, Restart, Spec};
use super::stragglers;
use crate::history::{Instance, Kind, Source};
use crate::tap::{CrashSpec, Hold, Release, Tap, Wiring};

/// How long a process has to end after SIGTERM before it is killed.
const GRACE: RealDuration = RealDuration::from_secs(2);
/// How long the connections of a dead process may take to run dry: someone else may hold them.
const DRAIN: RealDuration = RealDuration::from_secs(2);

#[derive(Debug, Error)]
pub enum FleetError {
    #[error("cannot start consumer {consumer}: {source}")]
    Start { consumer: String, source: std::io::Error },
}

/// What to do to a process, by a fault.
#[derive(Clone, Debug)]
pub struct KillPlan {
    pub fault: String,
    pub signal: Signal,
    /// For a held call.
    pub release: Release,
    /// For SIGSTOP.
    pub resume: Option<StackDuration>,
    /// In place of the consumer's own policy.
    pub restart: Option<Restart>,
}

/// The consumers of one attempt. Clones share it.
#[derive(Clone)]
pub struct Fleet {
    shared: Arc<Shared>,
}

struct Shared {
    wiring: Arc<Wiring>,
    surroundings: Surroundings,
    crews: Mutex<BTreeMap<String, Crew>>,
    plans: Mutex<HashMap<String, KillPlan>>,
}

struct Crew {
    spec: Spec,
    fixed: bool,
    slots: Vec<Slot>,
}

#[derive(Default)]
struct Slot {
    starts: u32,
    restarts: u32,
    running: Option<Arc<Running>>,
}

impl Fleet {
    /// A fleet with nobody started; `holds` are the calls that its crash points hold.
    pub fn new(
        specs: Vec<Spec>,
        wiring: Arc<Wiring>,
        surroundings: Surroundings,
        holds: mpsc::UnboundedReceiver<Hold>,
    ) -> Self {
        let crew = |spec: Spec| {
            let slots = (0..spec.instances).map(|_| Slot::default()).collect();
            (spec.name.clone(), Crew { spec, fixed: false, slots })
        };
        let crews = Mutex::new(specs.into_iter().map(crew).collect());
        let fleet =
            Self { shared: Arc::new(Shared { wiring, surroundings, crews, plans: Mutex::default() }) };
        tokio::spawn(deal_with_holds(fleet.clone(), holds));
        fleet
    }

    /// Starts every instance of every consumer.
    pub async fn start_all(&self) -> Result<(), FleetError> {
        for (consumer, instance) in self.slots() {
            self.start(&consumer, instance).await?;
        }
        Ok(())
    }

    /// Arms a crash point and remembers what to do when it holds a call.
    pub fn arm(&self, spec: CrashSpec, plan: KillPlan) {
        lock(&self.shared.plans).insert(plan.fault.clone(), plan);
        self.shared.wiring.points.arm(spec);
    }

    /// Carries out a plan on every living instance of the consumer. False when there was none.
    pub async fn strike(&self, consumer: &str, plan: &KillPlan) -> bool {
        let targets = self.running_of(consumer);
        for running in &targets {
            self.execute(running, plan, None).await;
        }
        !targets.is_empty()
    }

    /// Stops what still runs of the consumer and starts it anew.
    pub async fn restart(&self, consumer: &str) -> Result<(), FleetError> {
        self.replace(consumer, "restart", |_| {}).await
    }

    /// Stops the consumer and starts its fixed variant.
    pub async fn swap(&self, consumer: &str) -> Result<(), FleetError> {
        self.replace(consumer, "swap", |crew| crew.fixed = true).await
    }

    async fn replace(
        &self,
        consumer: &str,
        why: &str,
        change: impl FnOnce(&mut Crew),
    ) -> Result<(), FleetError> {
        self.shared.wiring.activity.unsettle();
        self.stop(self.running_of(consumer), why).await;
        if let Some(crew) = lock(&self.shared.crews).get_mut(consumer) {
            change(crew);
        }
        let instances = self.slots().into_iter().filter(|(name, _)| name == consumer);
        let mut result = Ok(());
        for (consumer, instance) in instances {
            result = result.and(self.start(&consumer, instance).await);
        }
        self.shared.wiring.activity.settle();
        result
    }

    /// Ends every process: asked first, then killed.
    pub async fn stop_all(&self, why: &str) {
        let running = self
            .slots()
            .iter()
            .filter_map(|(consumer, instance)| self.running(consumer, *instance))
            .collect();
        self.stop(running, why).await;
    }

    async fn stop(&self, targets: Vec<Arc<Running>>, why: &str) {
        for running in &targets {
            lock(&running.ending).get_or_insert(Ending { why: why.to_owned(), fault: None });
            running.signal(Signal::SIGTERM);
            // A stopped process takes its SIGTERM when it goes on.
            running.signal(Signal::SIGCONT);
        }
        for running in &targets {
            tokio::select! {
                () = running.wait_until_gone() => continue,
                () = clock::sleep(GRACE) => {}
            }
            running.signal(Signal::SIGKILL);
            running.wait_until_gone().await;
        }
    }

    async fn start(&self, consumer: &str, instance: u32) -> Result<(), FleetError> {
        self.shared.wiring.activity.unsettle();
        let started = self.start_unsettled(consumer, instance).await;
        self.shared.wiring.activity.settle();
        started.map_err(|source| FleetError::Start { consumer: consumer.to_owned(), source })
    }

    async fn start_unsettled(&self, consumer: &str, instance: u32) -> std::io::Result<()> {
        let Some((spec, program, fixed, by)) = self.next_start(consumer, instance) else { return Ok(()) };
        let tap = Tap::open(by.clone(), Arc::clone(&self.shared.wiring)).await?;
        let child = spawn(&program, &spec, &by, &tap, &self.shared.surroundings)?;
        let pid = child.id().unwrap_or_default();
        started(pid);
        self.shared.wiring.activity.started(&by, &spec.queues);
        let queues = spec.queues.clone();
        self.record(Kind::ConsumerStarted { by: by.clone(), pid, fixed, bug: program.bug, queues });
        let running = Running { by, pid, tap, ending: Mutex::new(None), gone: watch::Sender::new(false) };
        let running = Arc::new(running);
        self.with_slot(consumer, instance, |slot| slot.running = Some(Arc::clone(&running)));
        tokio::spawn(watch_over(self.clone(), running, child));
        Ok(())
    }

    fn next_start(&self, consumer: &str, instance: u32) -> Option<(Spec, Program, bool, Instance)> {
        let mut crews = lock(&self.shared.crews);
        let crew = crews.get_mut(consumer)?;
        let slot = crew.slots.get_mut(instance as usize)?;
        slot.starts += 1;
        let by = Instance { consumer: consumer.to_owned(), instance, start: slot.starts };
        let program = match (&crew.spec.fixed, crew.fixed) {
            (Some(fixed), true) => fixed,
            _ => &crew.spec.program,
        };
        Some((crew.spec.clone(), program.clone(), crew.fixed, by))
    }

    /// Deals with a held call: its process is struck, then the call is let go.
    async fn hold(&self, hold: Hold) {
        let plan = lock(&self.shared.plans).remove(&hold.fault);
        let running =
            self.running(&hold.by.consumer, hold.by.instance).filter(|running| running.by == hold.by);
        match (plan, running) {
            (Some(plan), Some(running)) => self.execute(&running, &plan, Some(hold)).await,
            _ => {
                self.end_fault(&hold.fault, false, Some("the process had ended before the call was held"));
                hold.release.send(Release::Drop).ok();
            }
        }
    }

    async fn execute(&self, running: &Arc<Running>, plan: &KillPlan, hold: Option<Hold>) {
        match plan.signal {
            Signal::SIGSTOP => self.freeze(running, plan, hold),
            Signal::SIGCONT => self.thaw(running, &plan.fault, hold),
            _ => self.end(running, plan, hold).await,
        }
    }

    async fn end(&self, running: &Arc<Running>, plan: &KillPlan, hold: Option<Hold>) {
        let held = self.shared.wiring.activity.held_by(&running.by);
        let target = hold.as_ref().map(|hold| &hold.marker);
        let collateral =
            held.into_iter().filter_map(|(_, marker)| marker).filter(|marker| Some(marker) != target);
        let execution = Execution {
            fault: plan.fault.clone(),
            signal: plan.signal,
            collateral: collateral.collect(),
            hold: hold.map(|hold| (hold, plan.release)),
            restart: plan.restart,
        };
        *lock(&running.ending) = Some(Ending { why: plan.fault.clone(), fault: Some(execution) });
        running.tap.gate().close();
        running.signal(plan.signal);
        if plan.signal != Signal::SIGKILL {
            tokio::select! {
                () = running.wait_until_gone() => return,
                () = clock::sleep(GRACE) => {}
            }
            running.signal(Signal::SIGKILL);
        }
        running.wait_until_gone().await;
    }

    fn freeze(&self, running: &Arc<Running>, plan: &KillPlan, hold: Option<Hold>) {
        let stopped = running.signal(Signal::SIGSTOP);
        self.shared.wiring.activity.set_frozen(&running.by, true);
        if stopped {
            self.record_fired(&plan.fault, running, hold.as_ref(), Vec::new());
        }
        if let Some(hold) = hold {
            hold.release.send(Release::Deliver).ok();
        }
        let Some(resume) = plan.resume else { return };
        let timer = self.clock().timer(self.clock().now() + resume);
        let (fleet, running, fault) = (self.clone(), Arc::clone(running), plan.fault.clone());
        tokio::spawn(async move {
            timer.due().await;
            running.signal(Signal::SIGCONT);
            fleet.shared.wiring.activity.set_frozen(&running.by, false);
            fleet.end_fault(&fault, stopped, None);
        });
    }

    fn thaw(&self, running: &Arc<Running>, fault: &str, hold: Option<Hold>) {
        let resumed = running.signal(Signal::SIGCONT);
        self.shared.wiring.activity.set_frozen(&running.by, false);
        if resumed {
            self.record_fired(fault, running, hold.as_ref(), Vec::new());
        }
        self.end_fault(fault, resumed, None);
        if let Some(hold) = hold {
            hold.release.send(Release::Deliver).ok();
        }
    }

    /// What the end of a process brings about: its calls run dry, its end is recorded, its restart
    /// is seen to.
    async fn bury(&self, running: &Arc<Running>, end: End) {
        let End { code, signal, outlived, strayed } = end;
        running.tap.gate().close();
        let ending = lock(&running.ending).take();
        let (why, execution) = match ending {
            Some(Ending { why, fault }) => (Some(why), fault),
            None => (None, None),
        };
        let outcome = execution.map(|execution| self.let_go(execution, running, signal));
        let held = tokio::select! {
            () = running.tap.gate().empty() => false,
            () = clock::sleep(DRAIN) => true,
        };
        // Whoever ends on purpose with others at work leaves them to go on without it.
        let left_behind = held || strayed || (outlived && code == Some(0) && why.is_none());
        if let Some(Outcome { fired: Some(fired), .. }) = &outcome {
            self.record(fired.clone());
        }
        let (by, ended_by) = (running.by.clone(), why.clone());
        self.record(Kind::ConsumerExited { by, code, signal, ended_by, left_behind });
        if let Some(outcome) = &outcome {
            let reason = outcome.fired.is_none().then_some("the process ended before the signal reached it");
            self.end_fault(&outcome.fault, outcome.fired.is_some(), reason);
        }
        self.shared.wiring.activity.exited(&running.by);
        let by = &running.by;
        self.with_slot(&by.consumer, by.instance, |slot| slot.running = None);
        running.gone.send_replace(true);
        let own_policy = why.is_none() || outcome.is_some();
        if own_policy {
            self.come_back(&running.by, outcome.and_then(|outcome| outcome.restart)).await;
        }
    }

    /// The process is dead: the call that was held for it is dropped or forwarded.
    fn let_go(&self, execution: Execution, running: &Running, signal: Option<i32>) -> Outcome {
        let reaped_by_us = match execution.signal {
            Signal::SIGKILL => signal == Some(Signal::SIGKILL as i32),
            // A handler may turn it into an exit of its own.
            _ => true,
        };
        let fired = reaped_by_us.then(|| {
            let hold = execution.hold.as_ref().map(|(hold, _)| hold);
            fired(&execution.fault, running, hold, execution.collateral)
        });
        if let Some((hold, release)) = execution.hold {
            hold.release.send(release).ok();
        }
        Outcome { fault: execution.fault, fired, restart: execution.restart }
    }

    async fn come_back(&self, by: &Instance, policy: Option<Restart>) {
        let policy =
            policy.or_else(|| lock(&self.shared.crews).get(&by.consumer).map(|crew| crew.spec.restart));
        match policy {
            None | Some(Restart::Never) => {}
            Some(Restart::AtOnce) => self.start_again(by).await,
            Some(Restart::Times(times)) => {
                let left = self.with_slot(&by.consumer, by.instance, |slot| {
                    slot.restarts += 1;
                    slot.restarts <= times
                });
                if left == Some(true) {
                    self.start_again(by).await;
                }
            }
            Some(Restart::After(pause)) => {
                let timer = self.clock().timer(self.clock().now() + pause);
                let (fleet, by) = (self.clone(), by.clone());
                tokio::spawn(async move {
                    timer.due().await;
                    fleet.start_again(&by).await;
                });
            }
        }
    }

    // Boxed, since starting a process brings about the watch over it, which may start it again.
    fn start_again(&self, by: &Instance) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
        let (fleet, by) = (self.clone(), by.clone());
        Box::pin(async move {
            if let Err(error) = fleet.start(&by.consumer, by.instance).await {
                fleet.record(Kind::HarnessError { message: error.to_string() });
            }
        })
    }

    /// Ends a fault that can no longer take hold.
    pub fn end_fault(&self, fault: &str, fired: bool, reason: Option<&str>) {
        let reason = reason.map(str::to_owned);
        self.record(Kind::FaultEnded { fault: fault.to_owned(), fired, reason });
    }

    fn record_fired(
        &self,
        fault: &str,
        running: &Running,
        hold: Option<&Hold>,
        collateral: Vec<havoq_base::ids::Marker>,
    ) {
        self.record(fired(fault, running, hold, collateral));
    }

    fn record(&self, kind: Kind) {
        self.shared.wiring.recorder.record(Source::Engine, kind);
    }

    fn clock(&self) -> &havoq_base::Clock {
        self.shared.wiring.recorder.clock()
    }

    fn slots(&self) -> Vec<(String, u32)> {
        let crews = lock(&self.shared.crews);
        let slots = crews
            .iter()
            .flat_map(|(name, crew)| (0..crew.slots.len() as u32).map(|slot| (name.clone(), slot)));
        slots.collect()
    }

    fn running(&self, consumer: &str, instance: u32) -> Option<Arc<Running>> {
        self.with_slot(consumer, instance, |slot| slot.running.clone()).flatten()
    }

    fn running_of(&self, consumer: &str) -> Vec<Arc<Running>> {
        let instances = self.slots().into_iter().filter(|(name, _)| name == consumer);
        instances.filter_map(|(name, instance)| self.running(&name, instance)).collect()
    }

    fn with_slot<T>(&self, consumer: &str, instance: u32, change: impl FnOnce(&mut Slot) -> T) -> Option<T> {
        lock(&self.shared.crews).get_mut(consumer)?.slots.get_mut(instance as usize).map(change)
    }
}

/// How a process ended.
struct End {
    code: Option<i32>,
    signal: Option<i32>,
    /// Others of its process group lived on.
    outlived: bool,
    /// Others had left its process group.
    strayed: bool,
}

/// What became of a fault that was to end a process.
struct Outcome {
    fault: String,
    fired: Option<Kind>,
    restart: Option<Restart>,
}

fn fired(
    fault: &str,
    running: &Running,
    hold: Option<&Hold>,
    collateral: Vec<havoq_base::ids::Marker>,
) -> Kind {
    Kind::FaultFired {
        fault: fault.to_owned(),
        by: Some(running.by.clone()),
        point: hold.map(|hold| hold.point.name().to_owned()),
        marker: hold.map(|hold| hold.marker.clone()),
        collateral,
    }
}

async fn deal_with_holds(fleet: Fleet, mut holds: mpsc::UnboundedReceiver<Hold>) {
    while let Some(hold) = holds.recv().await {
        // Each in a task of its own: a hold must not wait for another process to die.
        let fleet = fleet.clone();
        tokio::spawn(async move { fleet.hold(hold).await });
    }
}

async fn watch_over(fleet: Fleet, running: Arc<Running>, mut child: Child) {
    let (code, signal) = exit_of(child.wait().await);
    // Whoever of the group outlived its leader goes with it.
    let outlived = running.signal(Signal::SIGKILL);
    let (tap, group) = (running.tap.address(), running.pid);
    let strayed = tokio::task::spawn_blocking(move || stragglers::end(tap, group)).await;
    reaped(running.pid);
    fleet.shared.wiring.activity.unsettle();
    fleet.bury(&running, End { code, signal, outlived, strayed: strayed.unwrap_or_default() }).await;
    fleet.shared.wiring.activity.settle();
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
