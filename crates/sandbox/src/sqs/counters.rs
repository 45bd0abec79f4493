//! What happened in a queue, for its metrics (semantics 1.16).

use crate::cloudwatch::Stats;

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
