//! The clock that the engine is shown. It stands at the time of the operation that is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dynoxide::storage_backend::Clock;
use havoq_base::StackTime;

/// What the engine takes for the time; clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct ShownClock(Arc<AtomicU64>);

impl ShownClock {
    pub(super) fn show(&self, now: StackTime) {
        self.0.store(now.as_micros(), Ordering::Relaxed);
    }

    fn now(&self) -> StackTime {
        StackTime::from_micros(self.0.load(Ordering::Relaxed))
    }
}

impl Clock for ShownClock {
    fn now_unix_secs(&self) -> u64 {
        self.now().as_secs()
    }

    fn now_unix_secs_f64(&self) -> f64 {
        self.now().as_micros() as f64 / 1e6
    }
}
