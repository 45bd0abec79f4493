//! Messages that a fault has kept, or copied, to deliver them by a later receive.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use havoq_base::ids::Marker;
use havoq_base::{Clock, RealDuration, StackTime, clock};
use serde_json::Value;
use tokio::sync::watch;

use crate::tap::UNCALIBRATED;

/// How long the clock waits, in real time, for whoever could take what is due.
const PATIENCE: RealDuration = UNCALIBRATED;

/// All of them. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Stash(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    kept: Mutex<Vec<(u64, Kept)>>,
    changes: watch::Sender<u64>,
    made: AtomicU64,
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
        Self(Arc::new(Shared {
            kept: Mutex::default(),
            changes: watch::Sender::new(0),
            made: AtomicU64::new(0),
        }))
    }
}

impl Stash {
    /// Keeps a message. When it is due the clock stands until it is taken, or nobody comes for it.
    pub(super) fn put(&self, kept: Kept, clock: &Clock) {
        let timer = clock.timer(kept.due);
        let key = self.0.made.fetch_add(1, Ordering::Relaxed);
        self.lock().push((key, kept));
        self.change();
        let stash = self.clone();
        tokio::spawn(async move {
            timer.due().await;
            tokio::select! {
                () = stash.taken(key) => {}
                () = clock::sleep(PATIENCE) => {}
            }
            drop(timer);
        });
    }

    /// Those that are due for the consumer, at most so many.
    pub(super) fn take(&self, queue: &str, consumer: &str, now: StackTime, most: usize) -> Vec<Kept> {
        let mut taken = Vec::new();
        self.lock().retain(|(_, kept)| {
            let is_due = kept.queue == queue && kept.consumer == consumer && kept.due <= now;
            let takes = is_due && taken.len() < most;
            if takes {
                taken.push(kept.clone());
            }
            !takes
        });
        if !taken.is_empty() {
            self.change();
        }
        taken
    }

    /// How many of a fault's are still here.
    pub(super) fn left(&self, fault: &str) -> usize {
        self.lock().iter().filter(|(_, kept)| kept.fault == fault).count()
    }

    /// Waits until one is due for the consumer.
    pub(super) async fn due(&self, queue: &str, consumer: &str, clock: &Clock) {
        let mut changes = self.0.changes.subscribe();
        loop {
            changes.borrow_and_update();
            let mine = |kept: &&Kept| kept.queue == queue && kept.consumer == consumer;
            let next = self.lock().iter().map(|(_, kept)| kept).filter(mine).map(|kept| kept.due).min();
            tokio::select! {
                () = until(clock, next) => return,
                changed = changes.changed() => if changed.is_err() { return },
            }
        }
    }

    /// Waits until it is here no more.
    async fn taken(&self, key: u64) {
        let is_gone = |_: &u64| !self.lock().iter().any(|(known, _)| *known == key);
        // The sender lives as long as self.
        self.0.changes.subscribe().wait_for(is_gone).await.ok();
    }

    fn change(&self) {
        self.0.changes.send_modify(|changes| *changes += 1);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(u64, Kept)>> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn until(clock: &Clock, time: Option<StackTime>) {
    match time {
        Some(time) => clock.sleep_until(time).await,
        None => std::future::pending().await,
    }
}
