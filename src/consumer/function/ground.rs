//! What environments are started on: a scenario's attempt, or a sandbox of its own.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_lambda::{Exit, FunctionSpec};
use tokio::sync::watch;

/// An environment that is to be started.
#[derive(Clone, Debug)]
pub(crate) struct NewEnvironment {
    pub function: Arc<FunctionSpec>,
    /// From 1, in the order of their starts.
    pub number: u32,
    /// Where its Runtime API is.
    pub api: SocketAddr,
}

/// A started process of an environment.
pub(crate) struct Child {
    /// How it ended, once it has and nobody of its descendants is left.
    pub ended: watch::Receiver<Option<Exit>>,
    /// Kills its process group, whatever it does; and why.
    pub kill: Box<dyn Fn(&str) + Send + Sync>,
}

/// Starts processes, and knows the clocks.
pub(crate) trait Ground: Send + Sync + 'static {
    fn start(self: Arc<Self>, new: NewEnvironment) -> impl Future<Output = io::Result<Child>> + Send;

    /// While this lives the stack's clock does not jump: environments start in real time.
    fn hold_clock(&self) -> Box<dyn Send + Sync>;

    /// An environment is given these messages, or none any more.
    fn assigned(&self, _environment: u32, _messages: Vec<MessageId>) {}

    /// A time of the stack's clock on the clock that the function reads.
    fn functions_time(&self, at: StackTime) -> StackTime;

    /// The process at `peer` asked the Runtime API at `api` for work.
    fn asked(&self, peer: SocketAddr, api: SocketAddr);
}
