//! Who polls: looked at once for each connection, at its first poll.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::line::Far;
use crate::history::Instance;

/// Wants to know which process polls, before its poll is dealt with.
pub trait Witness: Send + Sync {
    /// The process at `peer`, of the instance `by`, polls over its connection to the tap at `tap`.
    fn polls(&self, by: &Instance, peer: SocketAddr, tap: SocketAddr);
}

/// The connection that a request came in by; it travels among the request's extensions.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    peer: SocketAddr,
    tap: SocketAddr,
    pub(super) client: Far,
    polled: Arc<AtomicBool>,
}

impl Connection {
    pub(super) fn new(peer: SocketAddr, tap: SocketAddr, client: Far) -> Self {
        Self { peer, tap, client, polled: Arc::default() }
    }

    pub(super) fn polls(&self, by: &Instance, witness: &dyn Witness) {
        if !self.polled.swap(true, Ordering::Relaxed) {
            witness.polls(by, self.peer, self.tap);
        }
    }
}
