//! The metrics of a queue (semantics 1.16): gauges are what it shows at the end of the minute,
//! counters what happened in it.

use havoq_base::{StackDuration, StackTime};

use crate::sqs::{Queue, Stats};

pub(crate) const NAMESPACE: &str = "AWS/SQS";
pub(crate) const DIMENSION: &str = "QueueName";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Metric {
    Visible,
    NotVisible,
    Delayed,
    AgeOfOldest,
    Sent,
    Received,
    Deleted,
    EmptyReceives,
    SentSize,
}

const NAMES: [(&str, Metric); 9] = [
    ("ApproximateNumberOfMessagesVisible", Metric::Visible),
    ("ApproximateNumberOfMessagesNotVisible", Metric::NotVisible),
    ("ApproximateNumberOfMessagesDelayed", Metric::Delayed),
    ("ApproximateAgeOfOldestMessage", Metric::AgeOfOldest),
    ("NumberOfMessagesSent", Metric::Sent),
    ("NumberOfMessagesReceived", Metric::Received),
    ("NumberOfMessagesDeleted", Metric::Deleted),
    ("NumberOfEmptyReceives", Metric::EmptyReceives),
    ("SentMessageSize", Metric::SentSize),
];

impl Metric {
    pub(crate) fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, metric)| *metric)
    }

    pub(crate) fn name(self) -> &'static str {
        NAMES.iter().find(|(_, metric)| *metric == self).map_or("", |(name, _)| name)
    }

    /// The datapoint of the minute that ends now. None for a queue that is not active, and for
    /// sizes when nothing was sent.
    pub(crate) fn sample(self, queue: &Queue, now: StackTime) -> Option<Stats> {
        if !is_active(queue, now) {
            return None;
        }
        let (depth, counters) = (queue.depth(), &queue.counters);
        let value = match self {
            Self::Visible => depth.visible,
            Self::NotVisible => depth.in_flight,
            Self::Delayed => depth.delayed,
            Self::AgeOfOldest => queue.age_of_oldest(now).as_secs(),
            Self::Sent => counters.sent,
            Self::Received => counters.received,
            Self::Deleted => counters.deleted,
            Self::EmptyReceives => counters.empty_receives,
            Self::SentSize => return counters.sent_size,
        };
        Some(Stats::of(value as f64))
    }
}

/// How long a queue stays active after the last call on it.
const ACTIVE_FOR: StackDuration = StackDuration::from_secs(6 * 3_600);

/// A parked poll stands for calls that go on and on; its empty receives are not counted for the
/// time that the clock jumps over, though. Waking up takes no time here, where AWS may
/// take 15 minutes.
fn is_active(queue: &Queue, now: StackTime) -> bool {
    !queue.is_empty() || !queue.polls.is_empty() || now.since(queue.last_action) <= ACTIVE_FOR
}
