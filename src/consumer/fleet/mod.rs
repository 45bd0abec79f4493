//! All consumer processes of one attempt: who runs, who is ended by which fault, who comes back.
//!
//! ```text
//!   start ──> running ──(exit: by itself, by a fault, by havoq)──> drained ──> recorded
//!               ^                                                                │
//!               └──────────── restart policy, `restart`, `swap` <────────────────┘
//! ```

mod aftermath;
mod deployed;
mod environments;
mod faults;
mod functions;
mod readiness;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use havoq_base::{RealDuration, clock};
use nix::sys::signal::Signal;
use thiserror::Error;
use tokio::sync::{RwLock, Semaphore, mpsc, watch};
use tokio::task::JoinSet;

use super::environment::{Start, Surroundings};
use super::process::{Ending, Running, Supervisor};
use super::spec::{Program, Restart, Spec};
use super::time::Showing;
use crate::history::{Instance, Kind, Source};
use crate::tap::{Hold, Part, Tap, Wiring};
use aftermath::watch_over;
use deployed::Deployment;
pub use faults::KillPlan;
use functions::Serving;
use readiness::{Standing, Started};

/// How long a process has to end after SIGTERM before it is killed, at the end of the run: nothing
/// that it does then counts.
const END_GRACE: RealDuration = RealDuration::from_secs(2);
/// The same for `restart` and `swap`: time to finish what it has in hand, as `docker stop` gives.
const REPLACE_GRACE: RealDuration = RealDuration::from_secs(10);
/// How long the end of a killed process may take: a process can be beyond every signal.
const LAST_GRACE: RealDuration = RealDuration::from_secs(10);

#[derive(Debug, Error)]
pub enum FleetError {
    #[error("cannot start consumer {consumer}: {source}")]
    Start { consumer: String, source: std::io::Error },
    #[error("cannot end consumer {consumer}: {source}")]
    End { consumer: String, source: std::io::Error },
    #[error("{0}")]
    Unready(String),
}

/// The consumers of one attempt. Clones share it.
#[derive(Clone)]
pub struct Fleet {
    shared: Arc<Shared>,
}

struct Shared {
    wiring: Arc<Wiring>,
    surroundings: Surroundings,
    showing: Arc<Showing>,
    crews: Mutex<BTreeMap<String, Crew>>,
    plans: Mutex<HashMap<String, KillPlan>>,
    /// The reserved concurrency of functions, by their names.
    reserved: Mutex<HashMap<String, Arc<Semaphore>>>,
    /// Held for reading by every start under way.
    starting: RwLock<()>,
    /// Nobody is started any more.
    closed: watch::Sender<bool>,
}

struct Crew {
    spec: Spec,
    fixed: bool,
    /// A step stops and starts it, so that no restart policy may.
    replacing: bool,
    slots: Vec<Slot>,
}

#[derive(Default)]
struct Slot {
    starts: u32,
    restarts: u32,
    /// How often in a row it ended before its first poll.
    fruitless: u32,
    /// Its process has ended, and its restart is being seen to.
    burying: bool,
    running: Option<Arc<Running>>,
    /// Of a function: what polls for it and runs it.
    serving: Option<Arc<Serving>>,
    /// What is deployed, as long as it is there.
    deployed: Option<Arc<Deployment>>,
    /// Whether it has shown that it is ready.
    standing: Standing,
}

impl Fleet {
    /// A fleet with nobody started; `holds` are the calls that its crash points hold.
    pub fn new(
        specs: Vec<Spec>,
        wiring: Arc<Wiring>,
        surroundings: Surroundings,
        showing: Arc<Showing>,
        holds: mpsc::UnboundedReceiver<Hold>,
    ) -> Self {
        let crew = |spec: Spec| {
            let slots = (0..spec.instances).map(|_| Slot::default()).collect();
            (spec.name.clone(), Crew { spec, fixed: false, replacing: false, slots })
        };
        let shared = Shared {
            wiring,
            surroundings,
            showing,
            crews: Mutex::new(specs.into_iter().map(crew).collect()),
            plans: Mutex::default(),
            reserved: Mutex::default(),
            starting: RwLock::default(),
            closed: watch::Sender::new(false),
        };
        let fleet = Self { shared: Arc::new(shared) };
        tokio::spawn(faults::deal_with_holds(fleet.clone(), holds));
        fleet
    }

    /// Starts every instance of every consumer.
    pub async fn start_all(&self) -> Result<(), FleetError> {
        for (consumer, instance) in self.slots() {
            self.start(&consumer, instance, None).await?;
        }
        Ok(())
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
        self.with_crew(consumer, |crew| crew.replacing = true);
        let replaced = self.replace_unsettled(consumer, why, change).await;
        self.with_crew(consumer, |crew| crew.replacing = false);
        self.shared.wiring.activity.settle();
        replaced?;
        self.until_ready(Some(consumer)).await
    }

    async fn replace_unsettled(
        &self,
        consumer: &str,
        why: &str,
        change: impl FnOnce(&mut Crew),
    ) -> Result<(), FleetError> {
        // What is being started now can be stopped only then.
        drop(self.shared.starting.write().await);
        match (self.serving(consumer, 0), self.deployment(consumer)) {
            (Some(serving), _) => self.stop_serving(&serving, why.to_owned(), REPLACE_GRACE).await,
            (None, Some(deployment)) => self
                .withdraw(&deployment, why)
                .await
                .map_err(|source| FleetError::End { consumer: consumer.to_owned(), source })?,
            (None, None) => self.stop(self.running_of(consumer), why, REPLACE_GRACE).await,
        }
        self.with_crew(consumer, |crew| {
            change(crew);
            crew.slots.iter_mut().for_each(|slot| slot.fruitless = 0);
        });
        let instances = self.slots().into_iter().filter(|(name, _)| name == consumer);
        let mut result = Ok(());
        for (consumer, instance) in instances {
            result = result.and(self.start(&consumer, instance, None).await);
        }
        result
    }

    /// Ends every process, asked first, then killed; from now on nobody is started.
    pub async fn stop_all(&self, why: &str) {
        self.shared.closed.send_replace(true);
        drop(self.shared.starting.write().await);
        self.cut_off();
        let slots = self.slots();
        let running = slots.iter().filter_map(|(consumer, instance)| self.running(consumer, *instance));
        let running: Vec<_> = running.collect();
        running.iter().for_each(|running| running.drop_calls());
        let serving = slots.iter().filter_map(|(consumer, instance)| self.serving(consumer, *instance));
        all(serving.collect(), |serving| {
            let (fleet, why) = (self.clone(), why.to_owned());
            async move { fleet.stop_serving(&serving, why, RealDuration::ZERO).await }
        })
        .await;
        self.stop(running, why, END_GRACE).await;
    }

    async fn stop(&self, targets: Vec<Arc<Running>>, why: &str, grace: RealDuration) {
        all(targets, |running| {
            let (fleet, why) = (self.clone(), why.to_owned());
            async move { fleet.stop_one(&running, why, grace).await }
        })
        .await;
    }

    async fn stop_one(&self, running: &Running, why: String, grace: RealDuration) {
        lock(&running.ending).get_or_insert(Ending { why, fault: None });
        running.signal(Signal::SIGTERM);
        // A stopped process takes its SIGTERM when it goes on.
        running.go_on();
        tokio::select! {
            () = running.wait_until_gone() => return,
            () = clock::sleep(grace) => {}
        }
        running.signal(Signal::SIGKILL);
        tokio::select! {
            () = running.wait_until_gone() => {}
            () = clock::sleep(LAST_GRACE) => {
                let message = format!("consumer {} (pid {}) cannot be ended", running.by, running.pid);
                self.record(Kind::HarnessError { message });
            }
        }
    }

    /// Starts an instance; after the end of its start number `after`, only if nobody else has
    /// started it since.
    async fn start(&self, consumer: &str, instance: u32, after: Option<u32>) -> Result<(), FleetError> {
        let (fleet, name) = (self.clone(), consumer.to_owned());
        // In a task of its own: a run that is cut short here must still know whom it has started.
        let start = tokio::spawn(async move {
            let _starting = fleet.shared.starting.read().await;
            fleet.shared.wiring.activity.unsettle();
            let started = fleet.start_unsettled(&name, instance, after).await;
            fleet.shared.wiring.activity.settle();
            started
        });
        let started = start.await.unwrap_or_else(|panic| Err(std::io::Error::other(panic)));
        started.map_err(|source| FleetError::Start { consumer: consumer.to_owned(), source })
    }

    async fn start_unsettled(
        &self,
        consumer: &str,
        instance: u32,
        after: Option<u32>,
    ) -> std::io::Result<()> {
        let Some((spec, program, fixed, by)) = self.next_start(consumer, instance, after) else {
            return Ok(());
        };
        if spec.function.is_some() {
            return self.serve(spec, program, fixed, by).await;
        }
        if spec.deployed.is_some() {
            return self.deploy(spec, fixed, by).await;
        }
        let taken = self.is_port_taken(&spec).await;
        let tap = Tap::open(by.clone(), Part::Whole, Arc::clone(&self.shared.wiring)).await?;
        let surroundings = &self.shared.surroundings;
        let order = surroundings.order(&Start {
            argv: &program.argv,
            spec: &spec,
            by: &by,
            label: by.to_string(),
            tap: tap.address(),
            preload: self.shared.showing.preload_for(consumer),
            folder: None,
            reserved: BTreeMap::new(),
        })?;
        let supervisor = Supervisor::start(&surroundings.havoq, &order).await?;
        let pid = supervisor.pid;
        self.shared.wiring.activity.started(&by, &spec.queues);
        let queues = spec.queues.clone();
        self.record(Kind::ConsumerStarted { by: by.clone(), pid, fixed, bug: program.bug, queues });
        let address = tap.address();
        let running = Running::new(by.clone(), None, &supervisor, tap);
        let gone = running.gone.subscribe();
        self.with_slot(consumer, instance, |slot| slot.running = Some(Arc::clone(&running)));
        tokio::spawn(watch_over(self.clone(), running, supervisor));
        self.see_to_readiness(Started { spec: &spec, by: &by, tap: address, gone, taken });
        Ok(())
    }

    /// What to start, unless nobody is to be.
    fn next_start(
        &self,
        consumer: &str,
        instance: u32,
        after: Option<u32>,
    ) -> Option<(Spec, Program, bool, Instance)> {
        if *self.shared.closed.borrow() {
            return None;
        }
        let mut crews = lock(&self.shared.crews);
        let crew = crews.get_mut(consumer)?;
        let slot = crew.slots.get_mut(instance as usize)?;
        if after.is_some_and(|after| crew.replacing || slot.starts != after) {
            return None;
        }
        slot.starts += 1;
        slot.standing = if crew.spec.ready.is_some() { Standing::Awaited } else { Standing::Unasked };
        let by = Instance { consumer: consumer.to_owned(), instance, start: slot.starts };
        let program = match (&crew.spec.fixed, crew.fixed) {
            (Some(fixed), true) => fixed,
            _ => &crew.spec.program,
        };
        Some((crew.spec.clone(), program.clone(), crew.fixed, by))
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

    fn serving(&self, consumer: &str, instance: u32) -> Option<Arc<Serving>> {
        self.with_slot(consumer, instance, |slot| slot.serving.clone()).flatten()
    }

    /// Its processes, of whichever instance or environment.
    fn running_of(&self, consumer: &str) -> Vec<Arc<Running>> {
        let instances = self.slots().into_iter().filter(|(name, _)| name == consumer);
        let running = instances.flat_map(|(name, instance)| {
            let environments = self.serving(&name, instance).map(|serving| serving.environments());
            self.running(&name, instance).into_iter().chain(environments.into_iter().flatten())
        });
        running.collect()
    }

    /// The process that made a call.
    fn caller(&self, by: &Instance, part: Part) -> Option<Arc<Running>> {
        let running = match part {
            Part::Whole => self.running(&by.consumer, by.instance),
            Part::Environment(number) => self.serving(&by.consumer, by.instance)?.environment(number),
            Part::Poller => None,
        };
        running.filter(|running| running.by == *by)
    }

    fn with_crew<T>(&self, consumer: &str, change: impl FnOnce(&mut Crew) -> T) -> Option<T> {
        lock(&self.shared.crews).get_mut(consumer).map(change)
    }

    fn with_slot<T>(&self, consumer: &str, instance: u32, change: impl FnOnce(&mut Slot) -> T) -> Option<T> {
        self.with_crew(consumer, |crew| crew.slots.get_mut(instance as usize).map(change)).flatten()
    }
}

/// Does the same to all of them at the same time.
async fn all<T, F: Future<Output = ()> + Send + 'static>(targets: Vec<Arc<T>>, act: impl FnMut(Arc<T>) -> F) {
    targets.into_iter().map(act).collect::<JoinSet<_>>().join_all().await;
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
