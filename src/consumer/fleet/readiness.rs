//! Who is ready: what a started process shows, how long it may take, and what it is when it does
//! not. While it is awaited the clock stands.

use std::net::SocketAddr;

use havoq_base::clock;
use tokio::sync::watch;

use super::{Fleet, FleetError, Start};
use crate::consumer::sign;
use crate::consumer::spec::{Ready, Sign, Spec};
use crate::consumer::supervise::Order;
use crate::history::{Instance, Kind};

/// Where an instance stands that has something to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing is to be shown, or nobody was started.
    #[default]
    Unasked,
    Awaited,
    /// It ended before it was ready, and may be about to be started again.
    Ended(String),
    Ready,
    /// Why not.
    Unready(String),
}

/// What was started and has something to show.
pub(super) struct Started<'a> {
    pub spec: &'a Spec,
    pub by: &'a Instance,
    pub tap: SocketAddr,
    /// Turns true with its end.
    pub gone: watch::Receiver<bool>,
    /// Somebody answered on its port before it was started.
    pub taken: bool,
}

impl Fleet {
    /// Waits until all who have something to show have shown it, of one consumer or of all.
    pub async fn until_ready(&self, consumer: Option<&str>) -> Result<(), FleetError> {
        let mut changes = self.shared.wiring.activity.subscribe();
        loop {
            let standings = self.standings(consumer);
            if let Some(why) = standings.iter().find_map(|standing| match standing {
                Standing::Unready(why) => Some(why.clone()),
                _ => None,
            }) {
                return Err(FleetError::Unready(why));
            }
            let waits = |standing: &Standing| matches!(standing, Standing::Awaited | Standing::Ended(_));
            if !standings.iter().any(waits) || changes.changed().await.is_err() {
                return Ok(());
            }
        }
    }

    fn standings(&self, consumer: Option<&str>) -> Vec<Standing> {
        let crews = super::lock(&self.shared.crews);
        let wanted = crews.iter().filter(|(name, _)| consumer.is_none_or(|wanted| wanted == *name));
        wanted.flat_map(|(_, crew)| crew.slots.iter().map(|slot| slot.standing.clone())).collect()
    }

    /// Whether somebody answers on the port that is to show that a process is ready, before it is
    /// started: then the port would show nothing.
    pub(super) async fn is_port_taken(&self, spec: &Spec) -> bool {
        match spec.ready.as_ref().map(|ready| &ready.sign) {
            Some(Sign::Port(port)) => sign::accepts(*port).await,
            _ => false,
        }
    }

    /// Looks for what it is to show, in a task of its own.
    pub(super) fn see_to_readiness(&self, started: Started<'_>) {
        let Some(ready) = started.spec.ready.clone() else { return };
        let order = self.order_of_sign(&ready, &started);
        let Started { by, mut gone, taken, .. } = started;
        let (fleet, by) = (self.clone(), by.clone());
        self.shared.wiring.activity.unsettle();
        tokio::spawn(async move {
            let shown = tokio::select! {
                biased;
                // Whoever deals with its end sees to this too.
                _ = gone.wait_for(|gone| *gone) => None,
                shown = fleet.shows(&by, &ready, order, taken) => Some(shown),
                () = clock::sleep(ready.within) => Some(Err(format!("not seen within {}", ready.within))),
            };
            if let Some(shown) = shown {
                fleet.conclude(&by, &ready, shown);
            }
            fleet.shared.wiring.activity.settle();
        });
    }

    /// How to run the command that tells, where it is one.
    fn order_of_sign(&self, ready: &Ready, started: &Started<'_>) -> Option<std::io::Result<Order>> {
        let Sign::Command(program) = &ready.sign else { return None };
        Some(self.shared.surroundings.order(&Start {
            argv: &program.argv,
            spec: started.spec,
            by: started.by,
            label: format!("{}.ready", started.by),
            tap: started.tap,
            preload: None,
            folder: None,
            reserved: Default::default(),
        }))
    }

    async fn shows(
        &self,
        by: &Instance,
        ready: &Ready,
        order: Option<std::io::Result<Order>>,
        taken: bool,
    ) -> Result<(), String> {
        let surroundings = &self.shared.surroundings;
        match &ready.sign {
            Sign::Port(port) if taken => {
                return Err(format!(
                    "something else accepted connections on port {port} before it was started\n\
                     hint: end that, or run the scenarios one at a time with --jobs 1"
                ));
            }
            Sign::Port(port) => sign::port_accepts(*port).await,
            Sign::Log(pattern) => {
                let label = by.to_string();
                let files = ["out", "err"].map(|stream| surroundings.log(&label, stream));
                sign::line_matches(pattern, files).await;
            }
            Sign::Command(_) => match order {
                Some(Ok(order)) => sign::command_succeeds(&surroundings.havoq, &order).await,
                Some(Err(error)) => return Err(error.to_string()),
                None => {}
            },
        }
        Ok(())
    }

    fn conclude(&self, by: &Instance, ready: &Ready, shown: Result<(), String>) {
        let waited_for = ready.to_string();
        match shown {
            Ok(()) => {
                self.settle_standing(by, Standing::Ready, || Kind::ConsumerReady {
                    by: by.clone(),
                    waited_for,
                });
                self.shared.wiring.activity.is_ready(by);
            }
            Err(reason) => {
                let unready = Standing::Unready(told(by, &waited_for, &reason));
                self.settle_standing(by, unready, || self.unready(by, waited_for, reason));
            }
        }
    }

    /// The process has ended, by itself or by havoq's doing, maybe before it was ready.
    pub(super) fn ended_unready(&self, by: &Instance, how: Option<String>) {
        let ready = self.with_crew(&by.consumer, |crew| crew.spec.ready.clone()).flatten();
        let Some(ready) = ready else { return };
        let waited_for = ready.to_string();
        let reason = how.clone().unwrap_or_else(|| "havoq ended it before".to_owned());
        let standing = Standing::Ended(told(by, &waited_for, &reason));
        match how {
            Some(reason) => self.settle_standing(by, standing, || self.unready(by, waited_for, reason)),
            None => _ = self.with_awaited(by, |slot| slot.standing = standing),
        }
    }

    /// Nobody starts it again.
    pub(super) fn stays_unready(&self, by: &Instance) {
        self.with_slot(&by.consumer, by.instance, |slot| {
            if let Standing::Ended(why) = &slot.standing {
                slot.standing = Standing::Unready(why.clone());
            }
        });
    }

    /// On record before anybody can act on it.
    fn settle_standing(&self, by: &Instance, standing: Standing, kind: impl FnOnce() -> Kind) {
        self.with_awaited(by, |slot| {
            self.record(kind());
            slot.standing = standing;
        });
    }

    fn with_awaited(&self, by: &Instance, change: impl FnOnce(&mut super::Slot)) -> Option<()> {
        self.with_slot(&by.consumer, by.instance, |slot| {
            if slot.starts == by.start && slot.standing == Standing::Awaited {
                change(slot);
            }
        })
    }

    fn unready(&self, by: &Instance, waited_for: String, reason: String) -> Kind {
        let log = self.shared.surroundings.log(&by.to_string(), "err");
        Kind::ConsumerUnready { by: by.clone(), waited_for, reason, stderr: sign::last_lines(&log) }
    }
}

fn told(by: &Instance, waited_for: &str, reason: &str) -> String {
    format!("{by} was not ready ({waited_for}): {reason}")
}
