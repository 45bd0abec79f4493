//! How much a pipe receives at one instant. No time passes between its source and its target, so a
//! pipe that leads back to its own source, straight or through topics and buses, would never let go
//! of the sandbox; one that has had its share rests, as one of AWS has a limit to its pace too.

use havoq_base::{StackDuration, StackTime};

/// Far more than a test's queue holds for a pipe at once.
const MOST: u32 = 250;
const REST: StackDuration = StackDuration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct Pace {
    instant: StackTime,
    receives: u32,
}

impl Pace {
    /// Lets it receive anew at another instant, if it does not rest.
    pub(super) fn look(&mut self, now: StackTime) {
        let is_over = self.rests_until().is_none_or(|end| now >= end);
        if now != self.instant && is_over {
            *self = Self { instant: now, receives: 0 };
        }
    }

    pub(super) fn received(&mut self) {
        self.receives += 1;
    }

    /// The end of its rest, while it has to take one.
    pub(super) fn rests_until(&self) -> Option<StackTime> {
        (self.receives >= MOST).then(|| self.instant + REST)
    }
}
