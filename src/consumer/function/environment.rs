//! One environment: a process and its Runtime API.

use std::io;
use std::sync::Arc;

use havoq_base::{RealDuration, clock};
use havoq_lambda::{Exit, FunctionSpec, Invocation, Returned};
use tokio::sync::oneshot;

use super::api::{Api, Started, Work};
use super::ground::{Child, Ground, NewEnvironment};

/// How long a process has to ask for its first work (semantics 5.5). In real time, as a start is.
const INIT: RealDuration = RealDuration::from_secs(10);

pub(super) struct Environment {
    pub number: u32,
    pub function: Arc<FunctionSpec>,
    api: Api,
    child: Child,
}

/// How a start went.
pub(super) enum Initialised {
    Ready,
    /// What an invocation ends with when the second start ends like this.
    Failed(Returned),
    /// It is still at it.
    Overdue,
}

/// How it went with an invocation.
pub(super) enum Ran {
    Returned(Returned),
    /// The process was gone before it took it.
    NotTaken,
}

impl Environment {
    pub async fn start<G: Ground>(
        ground: &Arc<G>,
        function: Arc<FunctionSpec>,
        number: u32,
    ) -> io::Result<Self> {
        let witness = Arc::clone(ground);
        let api = Api::open(Box::new(move |peer, api| witness.asked(peer, api))).await?;
        let new = NewEnvironment { function: Arc::clone(&function), number, api: api.address() };
        let child = Arc::clone(ground).start(new).await?;
        Ok(Self { number, function, api, child })
    }

    /// Waits until it asks for work, at most as long as a start may take.
    pub async fn initialised(&self) -> Initialised {
        tokio::select! {
            biased;
            end = self.initialised_at_last() => end,
            () = clock::sleep(INIT) => Initialised::Overdue,
        }
    }

    /// Waits for as long as a start takes, which may be forever.
    pub async fn initialised_at_last(&self) -> Initialised {
        tokio::select! {
            biased;
            started = self.api.started() => match started {
                Started::Failed(returned) => Initialised::Failed(returned),
                Started::Ready | Started::Not => Initialised::Ready,
            },
            exit = self.ended() => Initialised::Failed(Returned::Exited(exit)),
        }
    }

    pub async fn run(&self, invocation: Invocation, deadline_ms: u64) -> Ran {
        let (answer, returned) = oneshot::channel();
        self.api.give(Work { invocation, deadline_ms, answer });
        tokio::select! {
            biased;
            Ok(returned) = returned => Ran::Returned(returned),
            exit = self.ended() => match self.api.take_back() {
                true => Ran::NotTaken,
                false => Ran::Returned(Returned::Exited(exit)),
            },
        }
    }

    pub fn is_alive(&self) -> bool {
        self.child.ended.borrow().is_none()
    }

    /// Ends it, whatever it does.
    pub fn kill(&self, why: &str) {
        (self.child.kill)(why);
    }

    pub async fn ended(&self) -> Exit {
        let mut ended = self.child.ended.clone();
        let exit = ended.wait_for(Option::is_some).await;
        // Whoever looked after the process is gone, and the process with it.
        exit.ok().and_then(|exit| *exit).unwrap_or(Exit::Signal(9))
    }
}
