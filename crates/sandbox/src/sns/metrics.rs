//! The metrics of topics (semantics 2.5): what happened in the minute that ends.

use std::collections::BTreeMap;

use havoq_base::{StackDuration, StackTime};
use havoq_pattern::Why;

use super::registry::Topics;
use super::topic::Topic;
use crate::cloudwatch::Stats;
use crate::core::Core;

const NAMESPACE: &str = "AWS/SNS";

/// What happened at a topic since the last sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Counters {
    published: u64,
    size: Option<Stats>,
    pub(super) delivered: u64,
    /// Of a queue, what was given up; of HTTP, each attempt that failed.
    pub(super) failed: u64,
    pub(super) redriven: u64,
    pub(super) failed_to_redrive: u64,
    /// Of those delivered and failed, what came from the archive.
    pub(super) replayed: u64,
    pub(super) failed_to_replay: u64,
    /// By the metric that also counts it.
    filtered_out_for: BTreeMap<&'static str, u64>,
}

impl Counters {
    pub(super) fn publish(&mut self, size: u64) {
        self.published += 1;
        let size = Stats::of(size as f64);
        self.size = Some(self.size.map_or(size, |sizes| sizes.merge(size)));
    }

    pub(super) fn filter_out(&mut self, why: Why) {
        *self.filtered_out_for.entry(why.metric()).or_default() += 1;
    }

    /// The four main ones are sampled even when nothing happened.
    fn samples(&self) -> impl Iterator<Item = (&'static str, Stats)> {
        let always = [
            ("NumberOfMessagesPublished", self.published),
            ("NumberOfNotificationsDelivered", self.delivered),
            ("NumberOfNotificationsFailed", self.failed),
            ("NumberOfNotificationsFilteredOut", self.filtered_out_for.values().sum()),
        ];
        let sometimes = [
            ("NumberOfNotificationsRedrivenToDlq", self.redriven),
            ("NumberOfNotificationsFailedToRedriveToDlq", self.failed_to_redrive),
            ("NumberOfReplayedNotificationsDelivered", self.replayed),
            ("NumberOfReplayedNotificationsFailed", self.failed_to_replay),
        ];
        let sometimes =
            sometimes.into_iter().chain(self.filtered_out_for.clone()).filter(|(_, count)| *count > 0);
        let counts = always.into_iter().chain(sometimes);
        let counts = counts.map(|(name, count)| (name, Stats::of(count as f64)));
        counts.chain(self.size.map(|sizes| ("PublishSize", sizes)))
    }
}

/// How long a topic stays active after the last call on it.
const ACTIVE_FOR: StackDuration = StackDuration::from_secs(6 * 3_600);

impl Core {
    /// Samples the minute that ends now.
    pub(crate) fn sample_sns(&mut self, now: StackTime) {
        let Self { topics, cloudwatch, .. } = self;
        for topic in topics.iter_mut() {
            let counters = std::mem::take(&mut topic.counters);
            if now.since(topic.last_action) > ACTIVE_FOR && counters == Counters::default() {
                continue;
            }
            for (metric, stats) in counters.samples() {
                cloudwatch.record(now, topic.place, NAMESPACE, metric, &[("TopicName", topic.name())], stats);
            }
        }
    }
}

impl Topics {
    /// The counters of a topic; a deleted one counts nothing any more.
    pub(super) fn count(&mut self, topic: super::TopicId, count: impl FnOnce(&mut Counters)) {
        if let Ok(Topic { counters, .. }) = self.get_mut(topic) {
            count(counters);
        }
    }
}
