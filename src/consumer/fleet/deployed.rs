//! Consumers that are deployed already: havoq opens a tap for them, and runs the user's commands to
//! end them and to bring them back.
//!
//! ```text
//!   tap open ──(kill: door held shut, command, clients gone?)──> tap closed
//!      ^                                                            │
//!      └── `restart` or `fix` exits with 0, the tap being open ─────┘
//! ```

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use havoq_base::{RealDuration, clock};
use tokio::sync::watch;

use super::aftermath::runs_dry;
use super::faults::{KillPlan, fired};
use super::readiness::Started;
use super::{Fleet, Start, lock};
use crate::consumer::command::Errand;
use crate::consumer::spec::{Deployed, Program, Spec};
use crate::history::{Instance, Kind};
use crate::tap::{Hold, Part, Release, Tap};

/// How long an address may take to become free: the tap before this one has just been closed.
const ADDRESS: RealDuration = RealDuration::from_secs(2);
const ADDRESS_LOOK: RealDuration = RealDuration::from_millis(5);
/// How long the connections of what was ended may take to go.
const GONE: RealDuration = RealDuration::from_secs(2);

/// A deployed consumer, as long as it is taken to be there.
pub(super) struct Deployment {
    by: Instance,
    spec: Spec,
    deployed: Deployed,
    tap: Tap,
    /// Its `kill` command runs.
    ending: AtomicBool,
    gone: watch::Sender<bool>,
}

/// What became of a command.
#[derive(PartialEq, Eq)]
enum Pulled {
    Done,
    /// The run ended before it did.
    Cut,
}

impl Fleet {
    /// Opens its tap; what was there before is brought back by its command.
    pub(super) async fn deploy(&self, spec: Spec, fixed: bool, by: Instance) -> io::Result<()> {
        let Some(deployed) = spec.deployed.clone() else { return Ok(()) };
        let tap = self.tap_at(deployed.listen, &by).await?;
        let address = tap.address();
        self.shared.wiring.activity.started(&by, &spec.queues);
        let (pid, bug, queues) = (0, None, spec.queues.clone());
        self.record(Kind::ConsumerStarted { by: by.clone(), pid, fixed, bug, queues });
        let (ending, gone) = (AtomicBool::new(false), watch::Sender::new(false));
        let deployment =
            Arc::new(Deployment { by: by.clone(), spec: spec.clone(), deployed, tap, ending, gone });
        self.with_slot(&by.consumer, by.instance, |slot| slot.deployed = Some(Arc::clone(&deployment)));
        // The first time it is there before havoq is.
        if by.start > 1 {
            let (key, lever) = match fixed {
                true => ("fix", &deployment.deployed.fix),
                false => ("restart", &deployment.deployed.restart),
            };
            self.pull(&deployment, key, lever.as_ref()).await.map_err(io::Error::other)?;
        }
        let gone = deployment.gone.subscribe();
        self.see_to_readiness(Started { spec: &spec, by: &by, tap: address, gone, taken: false });
        Ok(())
    }

    async fn tap_at(&self, address: SocketAddr, by: &Instance) -> io::Result<Tap> {
        let last = self.clock().real_now() + ADDRESS;
        loop {
            match Tap::open_at(address, by.clone(), Part::Whole, Arc::clone(&self.shared.wiring)).await {
                Ok(tap) => return Ok(tap),
                Err(error) if error.kind() == io::ErrorKind::AddrInUse && self.clock().real_now() < last => {
                    clock::sleep(ADDRESS_LOOK).await;
                }
                Err(error) => {
                    let hint = match error.kind() {
                        io::ErrorKind::AddrInUse => "\nhint: run scenarios that share it with --jobs 1",
                        _ => "",
                    };
                    let message = format!("its tap cannot listen on {address}: {error}{hint}");
                    return Err(io::Error::new(error.kind(), message));
                }
            }
        }
    }

    /// Runs one of its commands, which is handed what the consumer is to be.
    async fn pull(
        &self,
        deployment: &Deployment,
        key: &str,
        lever: Option<&Program>,
    ) -> Result<Pulled, String> {
        let Deployment { by, spec, tap, .. } = deployment;
        let Some(program) = lever else { return Err(format!("it has no `{key}` command")) };
        let surroundings = &self.shared.surroundings;
        let state = surroundings.state_dir(&by.consumer);
        std::fs::create_dir_all(&state).map_err(|error| format!("{}: {error}", state.display()))?;
        let label = format!("{by}.{key}");
        let start = Start {
            argv: &program.argv,
            spec,
            by,
            label: label.clone(),
            tap: tap.address(),
            preload: None,
            folder: None,
            reserved: Default::default(),
        };
        let errand = Errand {
            argv: program.argv.clone(),
            environment: surroundings.environment(&start),
            out: surroundings.log(&label, "out"),
            err: surroundings.log(&label, "err"),
        };
        let mut closed = self.shared.closed.subscribe();
        tokio::select! {
            ran = errand.run() => match ran {
                Ok(()) => Ok(Pulled::Done),
                Err(error) => Err(format!("its `{key}` command {error}")),
            },
            _ = closed.wait_for(|closed| *closed) => Ok(Pulled::Cut),
        }
    }

    /// Ends it by its command. It has ended only when nobody holds a connection any more; until
    /// then its door is held shut, so that what comes back by itself is not taken for it.
    async fn take_down(&self, deployment: &Deployment) -> Result<Pulled, String> {
        let gate = deployment.tap.gate();
        gate.set_paused(true);
        let pulled = self.pull(deployment, "kill", deployment.deployed.kill.as_ref()).await;
        let pulled = match pulled {
            Ok(Pulled::Done) if !self.is_deserted(&deployment.tap).await => Err(format!(
                "its `kill` command exited with 0, and {GONE} later it still held connections\n\
                 hint: the consumer must be dead when the command exits"
            )),
            pulled => pulled,
        };
        match pulled {
            Ok(Pulled::Done) => gate.close(),
            _ => gate.set_paused(false),
        }
        pulled
    }

    async fn is_deserted(&self, tap: &Tap) -> bool {
        let last = self.clock().real_now() + GONE;
        while !tap.is_deserted() {
            if self.clock().real_now() >= last {
                return false;
            }
            clock::sleep(ADDRESS_LOOK).await;
        }
        true
    }

    /// Carries out a kill on it.
    pub(super) async fn strike_deployed(
        &self,
        deployment: &Arc<Deployment>,
        plan: &KillPlan,
        hold: Option<Hold>,
    ) {
        let by = &deployment.by;
        if deployment.ending.swap(true, Ordering::AcqRel) {
            self.end_fault(&plan.fault, false, Some("it was being ended already"));
            release(hold, Release::Drop);
            return;
        }
        let activity = &self.shared.wiring.activity;
        activity.unsettle();
        self.with_slot(&by.consumer, by.instance, |slot| slot.burying = true);
        let collateral = self.collateral(by, hold.as_ref(), |_| true);
        match self.take_down(deployment).await {
            Ok(Pulled::Done) => {
                let fired = fired(&plan.fault, by, hold.as_ref(), collateral);
                release(hold, plan.release);
                self.bury_deployed(deployment, plan.fault.clone(), Some(fired)).await;
                self.end_fault(&plan.fault, true, None);
                self.come_back(by, plan.restart).await;
            }
            Ok(Pulled::Cut) => release(hold, Release::Drop),
            Err(message) => {
                self.record(Kind::HarnessError { message: format!("consumer {by}: {message}") });
                self.end_fault(&plan.fault, false, Some("its `kill` command failed"));
                deployment.ending.store(false, Ordering::Release);
                release(hold, Release::Deliver);
            }
        }
        self.with_slot(&by.consumer, by.instance, |slot| slot.burying = false);
        activity.settle();
    }

    /// Ends it for a step that starts it anew.
    pub(super) async fn withdraw(&self, deployment: &Arc<Deployment>, why: &str) -> io::Result<()> {
        if deployment.ending.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        match self.take_down(deployment).await {
            Ok(Pulled::Done) => self.bury_deployed(deployment, why.to_owned(), None).await,
            Ok(Pulled::Cut) => {}
            Err(message) => {
                deployment.ending.store(false, Ordering::Release);
                return Err(io::Error::other(message));
            }
        }
        Ok(())
    }

    /// It is dead, and its door is closed.
    async fn bury_deployed(&self, deployment: &Deployment, why: String, fired: Option<Kind>) {
        let by = &deployment.by;
        let left_behind = !runs_dry(&deployment.tap).await;
        fired.into_iter().for_each(|fired| self.record(fired));
        let (code, signal, ended_by) = (None, None, Some(why));
        self.record(Kind::ConsumerExited { by: by.clone(), code, signal, ended_by, left_behind });
        let activity = &self.shared.wiring.activity;
        let polled = activity.has_polled(by);
        activity.exited(by);
        self.with_slot(&by.consumer, by.instance, |slot| {
            slot.deployed = None;
            slot.fruitless = if polled { 0 } else { slot.fruitless + 1 };
        });
        self.ended_unready(by, None);
        deployment.gone.send_replace(true);
    }

    /// Closes the taps of all that are deployed, who live on.
    pub(super) fn cut_off(&self) {
        let crews = lock(&self.shared.crews);
        let slots = crews.values().flat_map(|crew| &crew.slots);
        slots.filter_map(|slot| slot.deployed.as_ref()).for_each(|known| known.tap.gate().cut());
    }

    pub(super) fn deployment(&self, consumer: &str) -> Option<Arc<Deployment>> {
        self.with_slot(consumer, 0, |slot| slot.deployed.clone()).flatten()
    }

    /// The deployed consumer that made a call.
    pub(super) fn deployed_caller(&self, by: &Instance) -> Option<Arc<Deployment>> {
        self.deployment(&by.consumer).filter(|deployment| deployment.by == *by)
    }
}

fn release(hold: Option<Hold>, release: Release) {
    if let Some(hold) = hold {
        hold.release.send(release).ok();
    }
}
