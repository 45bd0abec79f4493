//! What a stack shows of AWS's behaviour on the failure path: a battery of small checks, each of
//! which observes an effect. That a setting can be read back shows nothing.

mod alarm;
mod battery;
mod cache;
mod check;
mod cloudwatch_actions;
mod cloudwatch_alarms;
mod cloudwatch_metrics;
mod finding;
mod identity;
mod lab;
mod made;
mod queue;
mod raw;
mod refusal;
mod registry;
mod sns_delivery;
mod sns_failures;
mod sns_fifo;
mod sns_filters;
mod sns_topics;
mod sqs_batches;
mod sqs_dead_letters;
mod sqs_delay;
mod sqs_fifo;
mod sqs_fifo_duplicates;
mod sqs_handles;
mod sqs_move_tasks;
mod sqs_policies;
mod sqs_purge;
mod sqs_queues;
mod sqs_receive;
mod sqs_redrive;
mod sqs_sizes;
mod sqs_visibility;
mod sqs_wire;
mod topic;

pub use battery::{Battery, ProbeError, Probing};
pub use cache::Cache;
pub use check::{Check, Service};
pub use finding::{Finding, Outcome};
pub use registry::{checks, select};
