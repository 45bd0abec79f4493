//! The environments of a function of the scenario: processes with taps, which faults can strike.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use havoq_base::ids::MessageId;
use havoq_base::{Seed, StackTime};
use havoq_lambda::Exit;
use nix::sys::signal::Signal;
use tokio::sync::watch;

use super::{Fleet, Start, lock};
use crate::consumer::function::{Child, Ground, NewEnvironment, exit_of, reserved};
use crate::consumer::process::{End, Ending, Running, Supervisor};
use crate::consumer::spec::{Program, Spec};
use crate::history::{Instance, Kind};
use crate::tap::{Activity, Part, Tap, Witness};

/// The environments of one instance of a function.
pub(super) struct Environments {
    pub fleet: Fleet,
    pub spec: Spec,
    pub program: Program,
    pub by: Instance,
    pub running: Mutex<BTreeMap<u32, Arc<Running>>>,
}

impl Environments {
    async fn launch(self: Arc<Self>, new: NewEnvironment) -> io::Result<Child> {
        let shared = &self.fleet.shared;
        let tap =
            Tap::open(self.by.clone(), Part::Environment(new.number), Arc::clone(&shared.wiring)).await?;
        let folder = self.spec.function.as_ref().map(|function| function.folder.as_path());
        let now = self.fleet.clock().now();
        let id = Seed::fresh().stream().uuid().as_u128();
        let order = shared.surroundings.order(&Start {
            argv: &self.program.argv,
            spec: &self.spec,
            by: &self.by,
            label: format!("{}-{}", self.by, new.number),
            tap: tap.address(),
            preload: shared.showing.preload_for(&self.by.consumer),
            folder,
            reserved: reserved(&new.function, new.api, folder.unwrap_or(".".as_ref()), now, id),
        })?;
        let supervisor = Supervisor::start(&shared.surroundings.havoq, &order).await?;
        let (by, pid) = (self.by.clone(), supervisor.pid);
        self.fleet.record(Kind::EnvironmentStarted { by: by.clone(), environment: new.number, pid });
        let running = Running::new(by, Some(new.number), &supervisor, tap);
        lock(&self.running).insert(new.number, Arc::clone(&running));
        let (end, ended) = watch::channel(None);
        tokio::spawn(watch_over(Arc::clone(&self), Arc::clone(&running), supervisor, end));
        let kill = move |why: &str| {
            lock(&running.ending).get_or_insert(Ending { why: why.to_owned(), fault: None });
            running.signal(Signal::SIGKILL);
        };
        Ok(Child { ended, kill: Box::new(kill) })
    }
}

async fn watch_over(
    of: Arc<Environments>,
    running: Arc<Running>,
    supervisor: Supervisor,
    ended: watch::Sender<Option<Exit>>,
) {
    let End { code, signal, trouble, .. } = supervisor.ended().await;
    running.reaped.store(true, Ordering::Release);
    let fleet = &of.fleet;
    fleet.shared.wiring.activity.unsettle();
    let last = fleet.run_dry(&running, signal).await;
    let (by, environment) = (running.by.clone(), running.environment.unwrap_or_default());
    let ended_by = last.why.clone();
    fleet.record(Kind::EnvironmentEnded { by, environment, code, signal, ended_by });
    fleet.tell_the_rest(&running.by, &last, trouble);
    lock(&of.running).remove(&environment);
    ended.send_replace(Some(exit_of(code, signal)));
    running.gone.send_replace(true);
    fleet.shared.wiring.activity.settle();
}

/// While it lives the clock stands.
struct Unsettled {
    activity: Arc<Activity>,
    by: Instance,
}

impl Drop for Unsettled {
    fn drop(&mut self) {
        // What waited for an environment has been in nobody's hands so far.
        self.activity.begin_anew(&self.by);
        self.activity.settle();
    }
}

impl Ground for Environments {
    async fn start(self: Arc<Self>, new: NewEnvironment) -> io::Result<Child> {
        self.launch(new).await
    }

    fn hold_clock(&self) -> Box<dyn Send + Sync> {
        let activity = Arc::clone(&self.fleet.shared.wiring.activity);
        activity.unsettle();
        Box::new(Unsettled { activity, by: self.by.clone() })
    }

    fn assigned(&self, environment: u32, messages: Vec<MessageId>) {
        if let Some(running) = lock(&self.running).get(&environment) {
            *lock(&running.batch) = messages;
        }
    }

    fn functions_time(&self, at: StackTime) -> StackTime {
        let showing = &self.fleet.shared.showing;
        if showing.keeps_own_time(&self.by.consumer).is_none() {
            return at;
        }
        let skipped = self.fleet.clock().skipped();
        StackTime::from_micros(at.as_micros().saturating_sub(skipped.as_micros()))
    }

    fn asked(&self, peer: SocketAddr, api: SocketAddr) {
        self.fleet.shared.showing.polls(&self.by, peer, api);
    }
}
