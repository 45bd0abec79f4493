//! EventBridge Pipes (semantics 3.9), from queues: the poller is Lambda's, a `Mapping` of crate lambda, and what it
//! hands out goes through an enrichment to a target.
//!
//! Other sources, targets and enrichments than those of the sandbox are refused by name. A pipe whose queue, function or
//! target is missing runs and fails, where AWS tells some of that when the pipe is created.

mod deliver;
mod described;
mod driver;
mod errors;
mod input;
mod manage;
mod metrics;
mod pace;
mod pipe;
mod shape;
mod tags;

pub(crate) use pipe::{PipeId, Pipes};
