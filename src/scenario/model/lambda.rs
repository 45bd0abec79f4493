//! A consumer that is a Lambda function behind an event source mapping.

use havoq_base::StackDuration;

use super::super::place::At;

/// What Lambda gives a function that says nothing else.
pub const DEFAULT_TIMEOUT: StackDuration = StackDuration::from_secs(3);
pub const DEFAULT_MEMORY: u32 = 128;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lambda {
    /// Program and arguments; it speaks the Runtime API.
    pub command: Vec<String>,
    /// `_HANDLER`.
    pub handler: Option<String>,
    /// The folder of its code, relative to the scenario's.
    pub code: Option<String>,
    /// The function of the stack that it is, by logical id.
    pub function: Option<String>,
    /// With the place that tells of it.
    pub timeout: At<StackDuration>,
    /// In MB.
    pub memory: u32,
    pub reserved_concurrency: Option<u32>,
    /// Of the queue that feeds it, where one does.
    pub batching: Option<Batching>,
}

/// An event source mapping of an SQS queue (semantics 5.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batching {
    pub batch_size: u32,
    pub window: StackDuration,
    pub report_batch_item_failures: bool,
    pub maximum_concurrency: Option<u32>,
    /// Patterns as JSON texts, of which one must match.
    pub filters: Vec<String>,
}
