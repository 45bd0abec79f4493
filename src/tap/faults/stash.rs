//! Messages that a fault has kept, or copied, to deliver them by a later receive.

use std::sync::{Mutex, MutexGuard, PoisonError};

use havoq_base::ids::Marker;
use havoq_base::{Clock, StackTime};
use serde_json::Value;
use tokio::sync::watch;

/// All of them.
#[derive(Debug)]
pub(super) struct Stash {
    kept: Mutex<Vec<Kept>>,
    changes: watch::Sender<u64>,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept {
    pub fault: String,
    pub queue: String,
    pub consumer: String,
    pub due: StackTime,
    pub marker: Option<Marker>,
    /// As a receive shows it.
    pub message: Value,
    /// What is left of its visibility timeout is counted from here.
    pub hidden_until: StackTime,
}

impl Default for Stash {
    fn default() -> Self {
        Self { kept: Mutex::default(), changes: watch::Sender::new(0) }
    }
}

impl Stash {
    pub(super) fn put(&self, kept: Kept, clock: &Clock) {
        let timer = clock.timer(kept.due);
        self.lock().push(kept);
        self.changes.send_modify(|changes| *changes += 1);
        // Keeps the clock from going past the delivery without a stop.
        tokio::spawn(async move { timer.due().await });
    }

    /// Those that are due for the consumer, at most so many.
    pub(super) fn take(&self, queue: &str, consumer: &str, now: StackTime, most: usize) -> Vec<Kept> {
        let mut taken = Vec::new();
        self.lock().retain(|kept| {
            let is_due = kept.queue == queue && kept.consumer == consumer && kept.due <= now;
            let takes = is_due && taken.len() < most;
            if takes {
                taken.push(kept.clone());
            }
            !takes
        });
        taken
    }

    /// Waits until one is due for the consumer.
    pub(super) async fn due(&self, queue: &str, consumer: &str, clock: &Clock) {
        let mut changes = self.changes.subscribe();
        loop {
            changes.borrow_and_update();
            let mine = |kept: &&Kept| kept.queue == queue && kept.consumer == consumer;
            let next = self.lock().iter().filter(mine).map(|kept| kept.due).min();
            tokio::select! {
                () = until(clock, next) => return,
                changed = changes.changed() => if changed.is_err() { return },
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn until(clock: &Clock, time: Option<StackTime>) {
    match time {
        Some(time) => clock.sleep_until(time).await,
        None => std::future::pending().await,
    }
}
