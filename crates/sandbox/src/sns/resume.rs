//! The end of an outage: what is only tried at long intervals meets the endpoint at its next one.

use havoq_base::StackTime;

use super::endpoint::Endpoint;
use super::pending::{Pending, Pendings};
use super::retry;
use crate::core::Core;
use crate::timers::Timers;

impl Core {
    pub(crate) fn resume_deliveries(&mut self, now: StackTime, arn: &str) {
        let topics = &self.topics;
        let meant = |pending: &Pending| {
            let endpoint = topics.subscription(pending.subscription).map(|sub| &sub.endpoint);
            matches!(endpoint, Ok(Endpoint::Sqs { arn: own } | Endpoint::Lambda { arn: own }) if own == arn)
        };
        self.pendings.leave_steady(now, meant, &mut self.timers);
    }
}

impl Pendings {
    /// For those meant, the next attempt is no longer sure to fail: each gets a timer for it.
    pub(super) fn leave_steady(
        &mut self,
        now: StackTime,
        meant: impl Fn(&Pending) -> bool,
        timers: &mut Timers,
    ) {
        let mut due = Vec::new();
        for (id, pending) in self.iter_mut().filter(|(_, pending)| meant(pending)) {
            let Some(since) = pending.steady_since.take() else { continue };
            if let Some(timer) = pending.timer.take() {
                timers.cancel(timer);
            }
            let interval = retry::LONGEST.as_micros();
            let intervals = now.since(since).as_micros().div_ceil(interval).max(1);
            // All but the one that comes next have failed.
            pending.attempts += (intervals - 1) as u32;
            due.push((since + retry::LONGEST.times(intervals), id));
        }
        for (at, id) in due {
            self.schedule(at, id, timers);
        }
    }
}
