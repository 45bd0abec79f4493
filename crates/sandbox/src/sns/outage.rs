//! Outages: endpoints that answer every service with a server-side error, as a fault of havoq's.

use std::collections::BTreeSet;

use havoq_base::StackTime;

use super::endpoint::Endpoint;
use super::pending::{Pending, Pendings};
use super::retry;
use crate::core::Core;
use crate::timers::Timers;

/// The ARNs of what is out.
#[derive(Debug, Default)]
pub(crate) struct Outages(BTreeSet<String>);

impl Core {
    /// Whether services get server-side errors from this resource.
    pub(crate) fn is_out(&self, arn: &str) -> bool {
        self.outages.0.contains(arn)
    }

    /// Lets an outage begin.
    pub(crate) fn begin_outage(&mut self, arn: &str) {
        self.outages.0.insert(arn.to_owned());
    }

    /// Lets an outage end: what is only tried at long intervals meets the queue at its next one.
    pub(crate) fn end_outage(&mut self, now: StackTime, arn: &str) {
        if !self.outages.0.remove(arn) {
            return;
        }
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
