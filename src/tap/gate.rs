//! Counts what a tap still has in hand and closes its door.

use tokio::sync::watch;

/// The door of one tap.
#[derive(Debug)]
pub struct Gate {
    open: watch::Sender<bool>,
    inside: watch::Sender<usize>,
}

/// Counts as inside until dropped.
#[derive(Debug)]
pub(super) struct Ticket(watch::Sender<usize>);

impl Gate {
    pub(super) fn new() -> Self {
        Self { open: watch::Sender::new(true), inside: watch::Sender::new(0) }
    }

    pub(super) fn enter(&self) -> Ticket {
        self.inside.send_modify(|inside| *inside += 1);
        Ticket(self.inside.clone())
    }

    /// No connection is accepted from now on.
    pub fn close(&self) {
        self.open.send_replace(false);
    }

    pub(super) async fn closed(&self) {
        // The sender lives as long as self, so this ends only when the door is closed.
        self.open.subscribe().wait_for(|open| !open).await.ok();
    }

    /// Waits until every connection has ended and every call read whole is done.
    pub async fn empty(&self) {
        self.inside.subscribe().wait_for(|inside| *inside == 0).await.ok();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.0.send_modify(|inside| *inside -= 1);
    }
}
