//! The metrics of queues (semantics 1.16): gauges are what a queue shows at the end of the minute,
//! counters what happened in it.

use havoq_base::{StackDuration, StackTime};

use super::counters::Counters;
use super::queue::Queue;
use crate::cloudwatch::Stats;
use crate::core::Core;

const NAMESPACE: &str = "AWS/SQS";

impl Core {
    /// Samples the minute that ends now.
    pub(crate) fn sample_sqs(&mut self, now: StackTime) {
        let Self { queues, cloudwatch, .. } = self;
        for queue in queues.iter_mut() {
            if is_active(queue, now) {
                for (metric, stats) in samples(queue, now) {
                    let dimensions = [("QueueName", &*queue.name)];
                    cloudwatch.record(now, queue.place, NAMESPACE, metric, &dimensions, stats);
                }
            }
            queue.counters = Counters::default();
        }
    }
}

/// There is no size when nothing was sent.
fn samples(queue: &Queue, now: StackTime) -> impl Iterator<Item = (&'static str, Stats)> {
    let (depth, counters) = (queue.depth(), &queue.counters);
    let mut numbers = vec![
        ("ApproximateNumberOfMessagesVisible", depth.visible),
        ("ApproximateNumberOfMessagesNotVisible", depth.in_flight),
        ("ApproximateNumberOfMessagesDelayed", depth.delayed),
        ("ApproximateAgeOfOldestMessage", queue.age_of_oldest(now).as_secs()),
        ("NumberOfMessagesSent", counters.sent),
        ("NumberOfMessagesReceived", counters.received),
        ("NumberOfMessagesDeleted", counters.deleted),
        ("NumberOfEmptyReceives", counters.empty_receives),
    ];
    if queue.is_fifo() {
        numbers.extend([
            ("NumberOfDeduplicatedSentMessages", counters.deduplicated),
            ("ApproximateNumberOfGroupsWithInflightMessages", queue.line().groups_in_flight()),
        ]);
    }
    if let Some(fair) = queue.line().tenants() {
        let (quiet, age) = queue.quiet_groups(now, fair);
        numbers.extend([
            ("ApproximateNumberOfNoisyGroups", fair.noisy_tenants()),
            ("ApproximateNumberOfMessagesVisibleInQuietGroups", quiet.visible),
            ("ApproximateNumberOfMessagesNotVisibleInQuietGroups", quiet.in_flight),
            ("ApproximateNumberOfMessagesDelayedInQuietGroups", quiet.delayed),
            ("ApproximateAgeOfOldestMessageInQuietGroups", age.as_secs()),
        ]);
    }
    let numbers = numbers.into_iter().map(|(name, number)| (name, Stats::of(number as f64)));
    numbers.chain(counters.sent_size.map(|sizes| ("SentMessageSize", sizes)))
}

/// How long a queue stays active after the last call on it.
const ACTIVE_FOR: StackDuration = StackDuration::from_secs(6 * 3_600);

/// A parked poll stands for calls that go on and on; its empty receives are not counted for the
/// time that the clock jumps over, though. Waking up takes no time here, where AWS may
/// take 15 minutes.
fn is_active(queue: &Queue, now: StackTime) -> bool {
    !queue.is_empty() || !queue.polls.is_empty() || now.since(queue.last_action) <= ACTIVE_FOR
}
