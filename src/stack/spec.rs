//! What a stack is asked for and what it answers, wherever it runs.

use havoq_base::ids::Marker;
use havoq_base::{Clock, Seed, StackDuration};
use havoq_wire::{Service, ServiceError};
use serde_json::Value;
use thiserror::Error;

use crate::guard::Refusal;
use crate::history::Recorder;
use crate::scenario::Template;

/// The message attribute that carries the marker.
pub(super) const MARKER_ATTRIBUTE: &str = "havoq-id";

#[derive(Debug, Error)]
pub enum StackError {
    #[error("the stack refused to make {resource}: {source}")]
    Provision { resource: String, source: Box<ServiceError> },
    #[error("the stack refused {call} on {resource}: {source}")]
    Call { call: &'static str, resource: String, source: Box<ServiceError> },
    #[error("the stack refused {call} on {resource}: {reason}")]
    Refused { call: &'static str, resource: String, reason: String },
    #[error("the stack at {url} did not answer {call} on {resource}: {reason}\nhint: see that it runs there")]
    NoAnswer { url: String, call: &'static str, resource: String, reason: String },
    /// It cannot do this at all, so what rests on it cannot be judged there.
    #[error("this stack does not do {call} ({reason})")]
    Unsupported { call: &'static str, reason: String },
    #[error(
        "{resource} cannot be made on a stack that is not havoq's own yet\nhint: run this without `--on`"
    )]
    NotThere { resource: String },
    #[error("the dead-letter queues of {0} lead in a circle")]
    Circle(String),
    #[error("the move task of {0} is gone")]
    NoTask(String),
    #[error(transparent)]
    Refusal(#[from] Refusal),
    #[error("left behind on {url}: {}\nhint: delete it by hand; the first of these failed with: {reason}", .names.join(", "))]
    LeftBehind { url: String, names: Vec<String>, reason: String },
}

/// What a stack is made from.
pub struct StackSpec<'a> {
    pub template: &'a Template,
    /// Names the stack, as a CloudFormation stack has a name.
    pub name: &'a str,
    pub clock: Clock,
    pub seed: Seed,
    pub recorder: Recorder,
    /// Topics whose notifications must be heard.
    pub heard: Vec<String>,
}

/// A message to send.
#[derive(Clone, Debug)]
pub struct Outgoing {
    pub body: String,
    pub marker: Marker,
    pub delay: Option<StackDuration>,
    /// The group of its message, in a FIFO queue.
    pub group: String,
    /// Which send of the marker it is: no two are duplicates to a FIFO queue.
    pub copy: u32,
}

/// A call that changes what is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub service: Service,
    pub operation: &'static str,
    pub input: Value,
    /// What it changes.
    pub resource: String,
}

/// Where a redrive stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedriveState {
    /// `look_again`: after which time, where no event tells that it went on.
    Running {
        look_again: Option<StackDuration>,
    },
    Completed {
        moved: u64,
    },
    Failed(String),
}
