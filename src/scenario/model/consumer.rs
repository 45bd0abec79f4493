//! Consumers and the effects that they make.

use std::collections::BTreeMap;

use havoq_base::{RealDuration, StackDuration};

use super::super::place::{At, Place};
use super::{Deployed, Lambda, Ready};

#[derive(Clone, Debug)]
pub struct Consumer {
    pub place: Place,
    pub runs: Program,
    /// What `swap` puts in its place.
    pub fixed: Option<Program>,
    /// Logical ids; the first is `HAVOQ_QUEUE_URL`.
    pub queues: Vec<At<String>>,
    pub instances: u32,
    pub restart: Restart,
    pub ready: Ready,
    /// A new poll means that the last message is done with.
    pub sequential: bool,
    /// The processing bound; calibrated when absent.
    pub bound: Option<RealDuration>,
    pub time: ConsumerTime,
    /// `wall_clock: none` was declared.
    pub keeps_no_wall_clock_state: bool,
    /// Values may hold `{{effects.NAME.url}}`.
    pub env: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// The built-in reference consumer.
    Worker(Worker),
    /// Program and arguments.
    Command(Vec<String>),
    /// A function that havoq polls for.
    Lambda(Lambda),
    /// Deployed already, so that havoq only opens a tap for it.
    Deployed(Deployed),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// `None`: the scenario names no bug, so `HAVOQ_WORKER_BUG` applies.
    pub bug: Option<WorkerBug>,
    /// How long the work on a message takes.
    pub work: Option<RealDuration>,
    /// The effect that it makes; the scenario's only one when absent.
    pub effect: Option<String>,
    pub rejects: Option<Rejects>,
}

/// The named mistakes of the reference consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerBug {
    /// Correct, whatever `HAVOQ_WORKER_BUG` says.
    None,
    NoIdempotency,
    DeleteBeforeEffect,
    MarkBeforeEffect,
    SwallowErrors,
    NeverDelete,
    CrashOnPoison,
    IgnoreBodyErrors,
    ShortVisibility,
    LateEffect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejects {
    NextVersion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    Never,
    AtOnce,
    After(StackDuration),
    /// At once, at most so many times.
    Times(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsumerTime {
    /// Not said.
    Unset,
    Follow,
    Own,
}

/// Where a side effect shows: an HTTP sink run by havoq.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    pub place: Place,
    /// The sink's path, such as `/charges`.
    pub path: String,
    /// JSONPath of the key in the request's body.
    pub key: String,
}
