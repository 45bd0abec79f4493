//! What faults do to processes: strike them at once, or at a call that a crash point holds.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use havoq_base::ids::{Marker, MessageId};
use havoq_base::{RealDuration, StackDuration, clock};
use nix::sys::signal::Signal;
use tokio::sync::mpsc;

use super::{Fleet, Restart, lock};
use crate::consumer::process::{Ending, Execution, Kept, Running};
use crate::history::{Instance, Kind};
use crate::tap::{CrashSpec, Hold, Point, Release, When};

/// How long a process may take to end by a fault's SIGTERM before it is killed: what ECS and
/// Kubernetes give it.
const TERM_GRACE: RealDuration = RealDuration::from_secs(30);

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

impl Fleet {
    /// Arms a crash point and remembers what to do when it holds a call.
    pub fn arm(&self, spec: CrashSpec, plan: KillPlan) {
        lock(&self.shared.plans).insert(plan.fault.clone(), plan);
        self.shared.wiring.points.arm(spec);
    }

    /// Carries out a plan on every living instance of the consumer, on all at the same time. False
    /// when there was none. One that is about to come back at once is waited for.
    pub async fn strike(&self, consumer: &str, plan: &KillPlan) -> bool {
        self.until_back(consumer).await;
        let targets = self.running_of(consumer);
        if let Some(deployment) = self.deployment(consumer) {
            self.strike_deployed(&deployment, plan, None).await;
            return true;
        }
        let struck = !targets.is_empty();
        super::all(targets, |running| {
            let (fleet, plan) = (self.clone(), plan.clone());
            async move { fleet.execute(&running, &plan, None).await }
        })
        .await;
        struck
    }

    /// Waits while an instance of the consumer has ended and has not been dealt with, its restart
    /// included; a restart after a pause is not waited for.
    async fn until_back(&self, consumer: &str) {
        let mut changes = self.shared.wiring.activity.subscribe();
        while self.is_burying(consumer) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    fn is_burying(&self, consumer: &str) -> bool {
        let buried = |slot: &super::Slot| {
            slot.burying
                || slot.running.as_ref().is_some_and(|running| running.reaped.load(Ordering::Acquire))
        };
        self.with_crew(consumer, |crew| crew.slots.iter().any(buried)).unwrap_or_default()
    }

    /// Deals with a held call: its process is struck, then the call is let go.
    async fn hold(&self, hold: Hold) {
        let plan = lock(&self.shared.plans).remove(&hold.fault);
        if let (Some(plan), Some(deployment)) = (&plan, self.deployed_caller(&hold.by)) {
            return self.strike_deployed(&deployment, plan, Some(hold)).await;
        }
        match (plan, self.caller(&hold.by, hold.part)) {
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
        let collateral = self.collateral(&running.by, hold.as_ref(), |message| running.works_on(message));
        let execution = Execution {
            fault: plan.fault.clone(),
            signal: plan.signal,
            collateral,
            hold: hold.map(|hold| (hold, plan.release)),
            restart: plan.restart,
            overdue: false,
        };
        *lock(&running.ending) = Some(Ending { why: plan.fault.clone(), fault: Some(execution) });
        if plan.signal == Signal::SIGKILL {
            running.tap.gate().close();
            running.signal(Signal::SIGKILL);
        } else {
            // The door stays open: what is asked to end may want to finish its work.
            running.signal(plan.signal);
            // One that was stopped takes the signal only when it goes on.
            running.go_on();
            tokio::select! {
                () = running.wait_until_gone() => return,
                () = clock::sleep(TERM_GRACE) => {}
            }
            let mut ending = lock(&running.ending);
            if let Some(Ending { fault: Some(execution), .. }) = ending.as_mut() {
                execution.overdue = true;
            }
            drop(ending);
            running.signal(Signal::SIGKILL);
        }
        running.wait_until_gone().await;
    }

    /// The markers that go down with what is ended, beside the one that was aimed at.
    pub(super) fn collateral(
        &self,
        by: &Instance,
        hold: Option<&Hold>,
        works_on: impl Fn(&MessageId) -> bool,
    ) -> Vec<Marker> {
        let held = self.shared.wiring.activity.held_by(by);
        let target = hold.and_then(|hold| hold.marker.as_ref());
        let own = held.into_iter().filter(|(message, _)| works_on(message));
        own.filter_map(|(_, marker)| marker).filter(|marker| Some(marker) != target).collect()
    }

    fn freeze(&self, running: &Arc<Running>, plan: &KillPlan, hold: Option<Hold>) {
        // Set before the process stops to keep the clock, which would jump past it otherwise.
        let timer = plan.resume.map(|resume| self.clock().timer(self.clock().now() + resume));
        let stopped = running.signal(Signal::SIGSTOP);
        self.shared.wiring.activity.set_frozen(&running.by, true);
        if stopped {
            self.record(fired(&plan.fault, &running.by, hold.as_ref(), Vec::new()));
        }
        if let Some(hold) = hold.filter(|_| stopped) {
            let release = release_of_stopped(&hold.point, plan.release);
            let kept = Kept::new(hold, release, Arc::clone(&self.shared.wiring.activity));
            lock(&running.kept).push(kept);
        }
        let Some(timer) = timer else { return };
        let (fleet, running, fault) = (self.clone(), Arc::clone(running), plan.fault.clone());
        tokio::spawn(async move {
            timer.due().await;
            // On record first, so that what the process does next stands behind it.
            fleet.end_fault(&fault, stopped, None);
            fleet.shared.wiring.activity.set_frozen(&running.by, false);
            running.go_on();
        });
    }

    fn thaw(&self, running: &Arc<Running>, fault: &str, hold: Option<Hold>) {
        let resumed = running.is_there();
        if resumed {
            self.record(fired(fault, &running.by, hold.as_ref(), Vec::new()));
        }
        self.end_fault(fault, resumed, None);
        self.shared.wiring.activity.set_frozen(&running.by, false);
        running.go_on();
        if let Some(hold) = hold {
            hold.release.send(Release::Deliver).ok();
        }
    }

    /// Ends a fault that can no longer take hold.
    pub fn end_fault(&self, fault: &str, fired: bool, reason: Option<&str>) {
        let reason = reason.map(str::to_owned);
        self.record(Kind::FaultEnded { fault: fault.to_owned(), fired, reason });
    }
}

/// What becomes of the call of a process that was stopped, when it goes on. One that was done is
/// answered.
fn release_of_stopped(point: &Point, asked: Release) -> Release {
    match (point.when(), asked) {
        (When::Before, Release::Drop) => Release::Drop,
        _ => Release::Deliver,
    }
}

pub(super) fn fired(fault: &str, by: &Instance, hold: Option<&Hold>, collateral: Vec<Marker>) -> Kind {
    Kind::FaultFired {
        fault: fault.to_owned(),
        by: Some(by.clone()),
        point: hold.map(|hold| hold.point.name()),
        marker: hold.and_then(|hold| hold.marker.clone()),
        collateral,
    }
}

pub(super) async fn deal_with_holds(fleet: Fleet, mut holds: mpsc::UnboundedReceiver<Hold>) {
    while let Some(hold) = holds.recv().await {
        // Each in a task of its own: a hold must not wait for another process to die.
        let fleet = fleet.clone();
        tokio::spawn(async move { fleet.hold(hold).await });
    }
}
