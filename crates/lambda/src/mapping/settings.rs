//! What a mapping is told to do (semantics 5.1).

use havoq_base::StackDuration;

use crate::filter::Filters;
use crate::outcome::Reporting;

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub queue_arn: String,
    /// The most messages of an invocation; whoever makes a mapping checks it.
    pub batch_size: usize,
    /// How long messages are gathered: MaximumBatchingWindowInSeconds.
    pub window: StackDuration,
    /// MaximumConcurrency of ScalingConfig.
    pub maximum_concurrency: Option<u32>,
    pub reporting: Reporting,
    pub filters: Filters,
}

impl Settings {
    /// Of a queue, with what holds when nothing else is said.
    pub fn new(queue_arn: impl Into<String>) -> Self {
        Self {
            queue_arn: queue_arn.into(),
            batch_size: 10,
            window: StackDuration::ZERO,
            maximum_concurrency: None,
            reporting: Reporting::None,
            filters: Filters::default(),
        }
    }

    pub fn is_fifo(&self) -> bool {
        self.queue_arn.ends_with(".fifo")
    }
}
