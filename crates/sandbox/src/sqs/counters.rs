//! What happened in a queue, for its metrics (semantics 1.16).

/// What happened in a queue since the last sample of its metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counters {
    pub(crate) sent: u64,
    pub(crate) received: u64,
    pub(crate) deleted: u64,
    pub(crate) empty_receives: u64,
    /// Sends that a FIFO queue swallowed.
    pub(crate) deduplicated: u64,
    pub(crate) sent_size: Option<Stats>,
}

/// A statistic set of CloudWatch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stats {
    pub(crate) sum: f64,
    pub(crate) count: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Stats {
    pub(crate) fn of(value: f64) -> Self {
        Self { sum: value, count: 1.0, min: value, max: value }
    }

    pub(crate) fn merge(self, other: Self) -> Self {
        Self {
            sum: self.sum + other.sum,
            count: self.count + other.count,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}
