//! The metrics of rules (semantics 3.6): what happened in the minute that ends, if anything did.

use std::collections::BTreeMap;

use havoq_base::StackTime;

use super::names::RuleKey;
use super::registry::Events;
use crate::cloudwatch::Stats;
use crate::core::Core;
use crate::place::Place;

const NAMESPACE: &str = "AWS/Events";

/// What happened to a rule since the last sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counters {
    /// Events that it took.
    pub(super) matched: u64,
    /// Calls of targets that came to an end, good or bad.
    pub(super) invocations: u64,
    pub(super) attempts: u64,
    pub(super) succeeded: u64,
    /// Attempts after the first.
    pub(super) retries: u64,
    pub(super) failed: u64,
    /// Calls that were not made, because the event would go round for ever.
    pub(super) stopped: u64,
    pub(super) sent_to_dlq: u64,
    pub(super) failed_to_be_sent_to_dlq: u64,
}

impl Counters {
    fn samples(self) -> impl Iterator<Item = (&'static str, u64)> {
        [
            ("MatchedEvents", self.matched),
            ("TriggeredRules", self.matched),
            ("Invocations", self.invocations),
            ("InvocationAttempts", self.attempts),
            ("SuccessfulInvocationAttempts", self.succeeded),
            ("RetryInvocationAttempts", self.retries),
            ("FailedInvocations", self.failed),
            ("DeadLetterInvocations", self.stopped),
            ("InvocationsSentToDlq", self.sent_to_dlq),
            ("InvocationsFailedToBeSentToDlq", self.failed_to_be_sent_to_dlq),
        ]
        .into_iter()
        .filter(|(_, count)| *count > 0)
    }
}

/// What EventBridge also shows for a whole account, without any dimension.
const ACCOUNT_WIDE: [&str; 5] = [
    "Invocations",
    "InvocationAttempts",
    "RetryInvocationAttempts",
    "SuccessfulInvocationAttempts",
    "TriggeredRules",
];

impl Events {
    pub(super) fn counters_of(&mut self, rule: &RuleKey) -> &mut Counters {
        self.counters.entry(rule.clone()).or_default()
    }
}

impl Core {
    /// Samples the minute that ends now.
    pub(crate) fn sample_events(&mut self, now: StackTime) {
        let mut account_wide: BTreeMap<(Place, &'static str), u64> = BTreeMap::new();
        for (rule, counters) in std::mem::take(&mut self.events.counters) {
            let place = rule.bus.place;
            for (metric, count) in counters.samples() {
                // A rule of the default bus is told by its name alone.
                let dimensions = [("EventBusName", &*rule.bus.name), ("RuleName", &*rule.name)];
                let dimensions = if rule.bus.is_default() { &dimensions[1..] } else { &dimensions[..] };
                let stats = Stats::of(count as f64);
                self.cloudwatch.record(now, place, NAMESPACE, metric, dimensions, stats);
                if ACCOUNT_WIDE.contains(&metric) {
                    *account_wide.entry((place, metric)).or_default() += count;
                }
            }
        }
        let failed = std::mem::take(&mut self.events.failed_entries).into_iter();
        let failed = failed.map(|(place, count)| ((place, "PutEventsFailedEntriesCount"), count));
        for ((place, metric), count) in account_wide.into_iter().chain(failed) {
            self.cloudwatch.record(now, place, NAMESPACE, metric, &[], Stats::of(count as f64));
        }
    }
}
