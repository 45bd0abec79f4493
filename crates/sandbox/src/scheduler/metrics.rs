//! The metrics of schedules (semantics 3.8): what happened in the minute that ends, if anything did.

use std::collections::BTreeMap;

use havoq_base::StackTime;

use super::call::NO_QUEUE;
use super::names::GroupKey;
use crate::cloudwatch::Stats;
use crate::core::Core;
use crate::place::Place;

const NAMESPACE: &str = "AWS/Scheduler";

/// What happened to the schedules of a group since the last sample.
#[derive(Clone, Debug, Default)]
pub(super) struct Counters {
    pub(super) attempts: u64,
    pub(super) errors: u64,
    pub(super) throttled: u64,
    /// Given up because the retry policy was used up.
    pub(super) dropped: u64,
    pub(super) sent_to_dlq: u64,
    /// By the queue's error.
    pub(super) failed_to_be_sent_to_dlq: BTreeMap<&'static str, u64>,
}

impl Counters {
    fn samples(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let failed = &self.failed_to_be_sent_to_dlq;
        let counts = [
            ("InvocationAttemptCount", self.attempts),
            ("TargetErrorCount", self.errors),
            ("TargetErrorThrottledCount", self.throttled),
            ("InvocationDroppedCount", self.dropped),
            ("InvocationsSentToDeadLetterCount", self.sent_to_dlq),
            ("InvocationsFailedToBeSentToDeadLetterCount", failed.values().sum()),
        ];
        let by_code = failed.iter().map(|(code, count)| (failed_with(code), *count));
        counts.into_iter().chain(by_code).filter(|(_, count)| *count > 0)
    }
}

fn failed_with(code: &str) -> &'static str {
    match code {
        NO_QUEUE => "InvocationsFailedToBeSentToDeadLetterCount_AWS.SimpleQueueService.NonExistentQueue",
        "AccessDenied" => "InvocationsFailedToBeSentToDeadLetterCount_AccessDenied",
        "RequestThrottled" => "InvocationsFailedToBeSentToDeadLetterCount_RequestThrottled",
        "ServiceUnavailable" => "InvocationsFailedToBeSentToDeadLetterCount_ServiceUnavailable",
        _ => "InvocationsFailedToBeSentToDeadLetterCount_InvalidParameterValue",
    }
}

impl Core {
    /// A group that is gone counts nothing any more.
    pub(super) fn count_call(&mut self, group: &GroupKey, count: impl FnOnce(&mut Counters)) {
        if let Ok(group) = self.scheduler.group_mut(group) {
            count(&mut group.counters);
        }
    }

    /// Samples the minute that ends now, for each group and for the whole account.
    pub(crate) fn sample_scheduler(&mut self, now: StackTime) {
        let taken = self.scheduler.groups.iter_mut();
        let taken = taken.map(|(key, group)| (key.clone(), std::mem::take(&mut group.counters)));
        let mut account_wide: BTreeMap<(Place, &'static str), u64> = BTreeMap::new();
        for (key, counters) in taken.collect::<Vec<_>>() {
            for (metric, count) in counters.samples() {
                let dimensions = [("ScheduleGroup", &*key.name)];
                let stats = Stats::of(count as f64);
                self.cloudwatch.record(now, key.place, NAMESPACE, metric, &dimensions, stats);
                *account_wide.entry((key.place, metric)).or_default() += count;
            }
        }
        for ((place, metric), count) in account_wide {
            self.cloudwatch.record(now, place, NAMESPACE, metric, &[], Stats::of(count as f64));
        }
    }
}
