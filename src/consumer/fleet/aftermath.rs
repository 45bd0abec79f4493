//! What the end of a process brings about.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use havoq_base::{RealDuration, clock};
use nix::sys::signal::Signal;

use super::faults::fired;
use super::readiness::Standing;
use super::{Fleet, Restart, lock};
use crate::consumer::process::{End, Ending, Execution, Running, Supervisor};
use crate::history::{Instance, Kind};
use crate::tap::Tap;

/// How long the connections of a dead process may take to run dry: someone else may hold them.
const DRAIN: RealDuration = RealDuration::from_secs(2);
/// A consumer that ends so often in a row before its first poll is not started again: going on
/// would only fill the machine.
const FRUITLESS_STARTS: u32 = 10;

/// What is known of an end once the calls of the process have run dry.
pub(super) struct Last {
    /// Why havoq ended it, if it did.
    pub why: Option<String>,
    outcome: Option<Outcome>,
    /// Somebody else still holds its connections.
    held: bool,
}

/// What became of a fault that was to end a process.
struct Outcome {
    fault: String,
    fired: Option<Kind>,
    overdue: bool,
    restart: Option<Restart>,
}

impl Outcome {
    /// What the end of the fault has to say.
    fn reason(&self) -> Option<&'static str> {
        match (&self.fired, self.overdue) {
            (None, _) => Some("the process ended before the signal reached it"),
            (Some(_), true) => Some("the process did not end within 30 s of real time and was killed"),
            (Some(_), false) => None,
        }
    }
}

/// Whether the last connections and calls of a closed tap end in time.
pub(super) async fn runs_dry(tap: &Tap) -> bool {
    tokio::select! {
        () = tap.gate().empty() => true,
        () = clock::sleep(DRAIN) => false,
    }
}

pub(super) async fn watch_over(fleet: Fleet, running: Arc<Running>, supervisor: Supervisor) {
    let end = supervisor.ended().await;
    running.reaped.store(true, Ordering::Release);
    fleet.shared.wiring.activity.unsettle();
    fleet.bury(&running, end).await;
    fleet.shared.wiring.activity.settle();
}

impl Fleet {
    /// The calls of the ended process run dry, and a fault that ended it has fired.
    pub(super) async fn run_dry(&self, running: &Running, signal: Option<i32>) -> Last {
        running.tap.gate().close();
        running.drop_calls();
        let ending = lock(&running.ending).take();
        let (why, execution) = match ending {
            Some(Ending { why, fault }) => (Some(why), fault),
            None => (None, None),
        };
        let outcome = execution.map(|execution| self.let_go(execution, running, signal));
        let held = !runs_dry(&running.tap).await;
        if let Some(Outcome { fired: Some(fired), .. }) = &outcome {
            self.record(fired.clone());
        }
        Last { why, outcome, held }
    }

    /// Behind the record of the end: what went wrong with it, and that its fault is over.
    pub(super) fn tell_the_rest(&self, by: &Instance, last: &Last, trouble: Option<String>) {
        if let Some(trouble) = trouble {
            self.record(Kind::HarnessError { message: format!("consumer {by}: {trouble}") });
        }
        if let Some(outcome) = &last.outcome {
            self.end_fault(&outcome.fault, outcome.fired.is_some(), outcome.reason());
        }
    }

    /// The end of a process is recorded, and its restart is seen to.
    async fn bury(&self, running: &Arc<Running>, end: End) {
        let last = self.run_dry(running, end.signal).await;
        let by = &running.by;
        let End { code, signal, left, trouble } = end;
        // Whoever ends on purpose with others at work leaves them to go on without it.
        let left_behind = last.held || (left > 0 && code == Some(0) && last.why.is_none());
        let ended_by = last.why.clone();
        self.record(Kind::ConsumerExited { by: by.clone(), code, signal, ended_by, left_behind });
        self.tell_the_rest(by, &last, trouble);
        let Last { why, outcome, .. } = last;
        let polled = self.shared.wiring.activity.has_polled(by);
        self.shared.wiring.activity.exited(by);
        self.with_slot(&by.consumer, by.instance, |slot| {
            slot.running = None;
            slot.burying = true;
            slot.fruitless = if polled { 0 } else { slot.fruitless + 1 };
        });
        self.ended_unready(by, why.is_none().then(|| before_ready(code, signal)));
        running.gone.send_replace(true);
        let own_policy = why.is_none() || outcome.is_some();
        if own_policy {
            self.come_back(by, outcome.and_then(|outcome| outcome.restart)).await;
        }
        self.with_slot(&by.consumer, by.instance, |slot| slot.burying = false);
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
            fired(&execution.fault, &running.by, hold, execution.collateral)
        });
        if let Some((hold, release)) = execution.hold {
            hold.release.send(release).ok();
        }
        let (overdue, restart) = (execution.overdue, execution.restart);
        Outcome { fault: execution.fault, fired, overdue, restart }
    }

    /// Has it started again as its policy says.
    pub(super) async fn come_back(&self, by: &Instance, policy: Option<Restart>) {
        let own = || lock(&self.shared.crews).get(&by.consumer).map(|crew| crew.spec.restart);
        let policy = policy.or_else(own).unwrap_or(Restart::Never);
        let fruitless = self.with_slot(&by.consumer, by.instance, |slot| slot.fruitless).unwrap_or_default();
        if policy != Restart::Never && fruitless >= FRUITLESS_STARTS {
            self.stays_unready(by);
            return self.give_up(by);
        }
        match policy {
            Restart::Never => self.stays_unready(by),
            Restart::AtOnce => self.start_again(by).await,
            Restart::Times(times) => {
                let left = self.with_slot(&by.consumer, by.instance, |slot| {
                    slot.restarts += 1;
                    slot.restarts <= times
                });
                match left {
                    Some(true) => self.start_again(by).await,
                    _ => self.stays_unready(by),
                }
            }
            Restart::After(pause) => {
                let timer = self.clock().timer(self.clock().now() + pause);
                let (fleet, by) = (self.clone(), by.clone());
                tokio::spawn(async move {
                    timer.due().await;
                    fleet.start_again(&by).await;
                });
            }
        }
    }

    fn give_up(&self, by: &Instance) {
        let queues = lock(&self.shared.crews).get(&by.consumer).map(|crew| crew.spec.queues.clone());
        let reason = format!(
            "ended {FRUITLESS_STARTS} times in a row before its first poll, so it was not started again"
        );
        for queue in queues.unwrap_or_default() {
            self.record(Kind::ConsumerIdle { by: by.clone(), queue, reason: reason.clone() });
        }
    }

    // Boxed, since starting a process brings about the watch over it, which may start it again.
    fn start_again(&self, by: &Instance) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
        let (fleet, by) = (self.clone(), by.clone());
        Box::pin(async move {
            if let Err(error) = fleet.start(&by.consumer, by.instance, Some(by.start)).await {
                fleet.record(Kind::HarnessError { message: error.to_string() });
                // What could not be started is not waited for.
                fleet.with_slot(&by.consumer, by.instance, |slot| {
                    slot.standing = Standing::Unready(error.to_string());
                });
            }
        })
    }
}

fn before_ready(code: Option<i32>, signal: Option<i32>) -> String {
    match (code, signal) {
        (_, Some(signal)) => format!("it was ended by signal {signal} before"),
        (Some(code), None) => format!("it exited with code {code} before"),
        (None, None) => "it ended before".to_owned(),
    }
}
