//! What is done.

use havoq_base::StackDuration;
use havoq_fault::FaultSpec;

use super::super::place::Place;
use super::{Claim, Restart};

/// A step with its place.
#[derive(Clone, Debug)]
pub struct Step {
    pub place: Place,
    pub action: Action,
}

#[derive(Clone, Debug)]
pub enum Action {
    Send(Send),
    Poison(Poison),
    Duplicate(Duplicate),
    Kill(Kill),
    /// Of one step: all are armed.
    Fault(Vec<FaultSpec>),
    Restart {
        consumer: String,
    },
    Swap {
        consumer: String,
    },
    Redrive(RedriveStep),
    Wait(StackDuration),
    /// A claim that must hold before the next step; in `steady_state` every expectation is one.
    Await(Claim),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Send {
    pub to: String,
    pub count: u32,
    pub label: String,
    /// The default envelope when absent. String values may hold `{{id}}`, `{{n}}`, `{{now}}`, `{{uuid}}`.
    pub body: Option<serde_json::Value>,
    /// JSONPath of the marker in the body.
    pub id: Option<String>,
    pub delay: Option<StackDuration>,
    /// Of a FIFO queue; the label when absent.
    pub group: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poison {
    pub to: String,
    pub count: u32,
    pub label: String,
    pub form: PoisonForm,
    /// Of a FIFO queue; the label when absent.
    pub group: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoisonForm {
    TruncatedJson,
    NotJson,
    WrongType,
    MissingId,
    NextVersion,
}

/// The same message `copies` times, `gap` apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    pub to: String,
    pub label: String,
    pub count: u32,
    pub copies: u32,
    pub gap: StackDuration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    pub consumer: String,
    /// Armed at a crash point; at once when absent.
    pub at: Option<Crash>,
    pub signal: Signal,
    /// For SIGSTOP: when to send SIGCONT.
    pub resume: Option<StackDuration>,
    /// Overrides the consumer's own policy for this kill.
    pub restart: Option<Restart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    pub at: CrashAt,
    /// The label of the targeted messages; any call of the consumer when absent.
    pub of: Option<String>,
    /// Which crossing, counted from the injection, from 1; per marker where there is a label.
    pub nth: u32,
    pub call: HeldCall,
}

/// Where a process is struck.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CrashAt {
    Point(CrashPoint),
    /// At any call, by its operation.
    Call {
        operation: String,
        side: Side,
    },
}

/// Before a call goes to the stack, or when the stack has done it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    Before,
    After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CrashPoint {
    AfterReceive,
    BeforeEffect,
    AfterEffect,
    BeforeDelete,
    AfterDelete,
}

impl CrashPoint {
    /// Whether it is at a side effect.
    pub fn is_of_effect(self) -> bool {
        matches!(self, Self::BeforeEffect | Self::AfterEffect)
    }
}

/// What becomes of the call that was held for a `before-*` kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldCall {
    Drop,
    Forward,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    Kill,
    Term,
    Stop,
    Cont,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedriveStep {
    pub from: String,
    /// Each message's own source queue when absent.
    pub to: Option<String>,
    /// Messages a second; the service chooses when absent.
    pub rate: Option<u32>,
}
