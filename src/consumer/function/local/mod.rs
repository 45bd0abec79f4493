//! The environments of a sandbox that is served on its own: no taps and no faults, and the clock
//! that functions read is their own.

mod code;
mod command;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use havoq_base::{Clock, Seed, StackTime};
use havoq_lambda::Exit;
use tokio::sync::watch;

use super::{Child, Ground, NewEnvironment, reserved};
use crate::consumer::environment::{ordered, towards};
use crate::consumer::process::{End, Supervisor};
use crate::consumer::supervise::Order;
use code::Unpacked;

/// What the functions of a sandbox are run on.
pub struct Local {
    /// havoq's own program, which supervises.
    havoq: PathBuf,
    /// Where the sandbox listens.
    endpoint: SocketAddr,
    /// Where stdout and stderr go.
    logs: PathBuf,
    clock: Clock,
    code: Unpacked,
}

impl Local {
    /// `folder` is for the code that comes as archives.
    pub fn new(havoq: PathBuf, endpoint: SocketAddr, folder: PathBuf, logs: PathBuf, clock: Clock) -> Self {
        Self { havoq, endpoint, logs, clock, code: Unpacked::below(folder) }
    }

    fn order(&self, new: &NewEnvironment) -> io::Result<Order> {
        let function = &new.function;
        let (argv, folder) = command::of(function, &self.code)?;
        let label = format!("{}-{}", function.name, new.number);
        let root = folder.clone().unwrap_or_else(|| PathBuf::from("."));
        let id = Seed::fresh().stream().uuid().as_u128();
        let mut environment = towards(&format!("http://{}", self.endpoint), function.region());
        let own = reserved(function, new.api, &root, self.clock.now(), id);
        for (name, value) in function.environment.iter().chain(&own) {
            environment.insert(name.into(), value.into());
        }
        ordered(&self.logs, &label, argv, environment, folder.as_deref())
    }
}

impl Ground for Local {
    async fn start(self: Arc<Self>, new: NewEnvironment) -> io::Result<Child> {
        let order = self.order(&new)?;
        let supervisor = Supervisor::start(&self.havoq, &order).await?;
        let group = supervisor.group();
        let (ended, end) = watch::channel(None);
        tokio::spawn(async move {
            let End { code, signal, .. } = supervisor.ended().await;
            ended.send_replace(Some(exit_of(code, signal)));
        });
        Ok(Child { ended: end, kill: Box::new(move |_| group.kill()) })
    }

    fn hold_clock(&self) -> Box<dyn Send + Sync> {
        // It does not jump but when it is told to.
        Box::new(())
    }

    fn functions_time(&self, at: StackTime) -> StackTime {
        StackTime::from_micros(at.as_micros().saturating_sub(self.clock.skipped().as_micros()))
    }

    fn asked(&self, _: SocketAddr, _: SocketAddr) {}
}

/// How a process ended, in Lambda's terms.
pub(crate) fn exit_of(code: Option<i32>, signal: Option<i32>) -> Exit {
    match (code, signal) {
        (Some(0), _) => Exit::Clean,
        (Some(code), _) => Exit::Status(code),
        // Whoever cannot be seen to end was killed.
        (None, signal) => Exit::Signal(signal.unwrap_or(9)),
    }
}
