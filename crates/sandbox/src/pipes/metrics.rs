//! The metrics of pipes, AWS/EventBridge/Pipes: what happened in the minute that ends. Those that count nothing are not
//! there.

use havoq_base::StackTime;
use havoq_lambda::Returned;
use serde_json::Value;

use super::pipe::Stage;
use crate::cloudwatch::Stats;
use crate::core::Core;

const NAMESPACE: &str = "AWS/EventBridge/Pipes";

/// What happened at a pipe since the last sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Counters {
    invocations: u64,
    events: u64,
    failed: u64,
    partially_failed: u64,
    pub(super) throttled: u64,
    enrichment_failed: u64,
    target_failed: u64,
    target_partially_failed: u64,
    pub(super) skipped: u64,
}

impl Counters {
    pub(super) fn begin(&mut self, events: usize) {
        self.invocations += 1;
        self.events += events as u64;
    }

    pub(super) fn end(&mut self, stage: Stage, returned: &Returned) {
        match (stage, returned) {
            (_, Returned::Response(answer)) => {
                let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
                if answer["batchItemFailures"].as_array().is_some_and(|items| !items.is_empty()) {
                    self.partially_failed += 1;
                    self.target_partially_failed += 1;
                }
            }
            (Stage::Enrichment, _) => {
                self.failed += 1;
                self.enrichment_failed += 1;
            }
            (Stage::Target, _) => {
                self.failed += 1;
                self.target_failed += 1;
            }
        }
    }

    fn samples(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let all = [
            ("Invocations", self.invocations),
            ("EventCount", self.events),
            ("ExecutionFailed", self.failed),
            ("ExecutionPartiallyFailed", self.partially_failed),
            ("ExecutionThrottled", self.throttled),
            ("EnrichmentStageFailed", self.enrichment_failed),
            ("TargetStageFailed", self.target_failed),
            ("TargetStagePartiallyFailed", self.target_partially_failed),
            ("TargetStageSkipped", self.skipped),
        ];
        all.into_iter().filter(|(_, count)| *count > 0)
    }
}

impl Core {
    /// Samples the minute that ends now.
    pub(crate) fn sample_pipes(&mut self, now: StackTime) {
        let Self { pipes, cloudwatch, .. } = self;
        for pipe in pipes.iter_mut() {
            let counters = std::mem::take(&mut pipe.counters);
            for (metric, count) in counters.samples() {
                let stats = Stats::of(count as f64);
                cloudwatch.record(now, pipe.place, NAMESPACE, metric, &[("PipeName", &*pipe.name)], stats);
            }
        }
    }
}
