//! Counts what a tap still has in hand and closes its door.

use tokio::sync::watch;

/// The door of one tap.
#[derive(Debug)]
pub struct Gate {
    open: watch::Sender<bool>,
    inside: watch::Sender<usize>,
    /// While true, new connections wait at the door.
    paused: watch::Sender<bool>,
    /// Connections are dropped, whatever is going on in them.
    cut: watch::Sender<bool>,
}

/// Counts as inside until dropped.
#[derive(Debug)]
pub(super) struct Ticket(watch::Sender<usize>);

impl Gate {
    pub(super) fn new() -> Self {
        Self {
            open: watch::Sender::new(true),
            inside: watch::Sender::new(0),
            paused: watch::Sender::new(false),
            cut: watch::Sender::new(false),
        }
    }

    pub(super) fn enter(&self) -> Ticket {
        self.inside.send_modify(|inside| *inside += 1);
        Ticket(self.inside.clone())
    }

    /// No connection is accepted from now on.
    pub fn close(&self) {
        self.open.send_replace(false);
    }

    /// New connections wait at the door until it is opened again or closed.
    pub fn set_paused(&self, paused: bool) {
        self.paused.send_replace(paused);
    }

    /// Waits until it is so.
    pub(super) async fn is_paused(&self, wanted: bool) {
        self.paused.subscribe().wait_for(|paused| *paused == wanted).await.ok();
    }

    /// Closes the door on a client that lives on, connections and all. What it has asked for is
    /// done all the same.
    pub fn cut(&self) {
        self.close();
        self.cut.send_replace(true);
    }

    pub(super) async fn is_cut(&self) {
        self.cut.subscribe().wait_for(|cut| *cut).await.ok();
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn comes(what: impl Future<Output = ()>) -> bool {
        tokio::time::timeout(Duration::from_millis(20), what).await.is_ok()
    }

    #[tokio::test]
    async fn a_door_that_is_held_shut_is_not_closed() {
        let gate = Gate::new();
        gate.set_paused(true);
        assert!(comes(gate.is_paused(true)).await && !comes(gate.closed()).await);
        gate.set_paused(false);
        assert!(comes(gate.is_paused(false)).await && !comes(gate.is_cut()).await);
    }

    #[tokio::test]
    async fn a_cut_closes_the_door_too() {
        let gate = Gate::new();
        gate.cut();
        assert!(comes(gate.closed()).await && comes(gate.is_cut()).await);
    }
}
