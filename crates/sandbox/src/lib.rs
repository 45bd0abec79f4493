//! AWS messaging services as state machines on one virtual clock: SQS, SNS for queues and HTTP
//! endpoints, EventBridge's buses, Lambda's functions and what feeds them, CloudWatch's metrics and
//! alarms, DynamoDB's tables, and who STS says that one is.
//!
//! The services in [`sqs`], [`sns`], [`events`], [`lambda`], [`cloudwatch`] and [`dynamodb`] do no I/O and read no clock: every operation
//! and every timer is told the time. [`core`] holds them together. `shell` is the thin asynchronous
//! part on top: the lock, long polls, the task that fires timers, HTTP, and what SNS posts to
//! HTTP endpoints. Functions run outside, by what [`Sandbox::set_functions`] is given.
//!
//! Signatures and their dates are not checked: callers are who they say they are. What others than
//! its owner may do with a queue, a topic or a bus is told by its policy.

mod acting;
mod apart;
mod checks;
mod cloudwatch;
mod core;
mod dynamodb;
mod events;
mod fact;
mod lambda;
mod permission;
mod pipes;
mod place;
mod schedule;
mod scheduler;
mod shaping;
mod shell;
mod sns;
mod sqs;
mod targets;
#[cfg(test)]
mod tests;
mod timers;
mod unbuilt;

pub use cloudwatch::{AlarmSpec, AlarmState, Comparison, MissingData, Statistic};
pub use fact::{Depth, Fact};
pub use shell::{Frozen, Outgoing, Places, Sandbox, Settings, Subscribing, serve};
pub use sqs::{MoveStatus, MoveTask};
pub use targets::Outage;
