//! One function: what runs, and what holds for its invocations.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_lambda::{FunctionSpec, LATEST};

use super::FunctionId;
use super::event_invoke::EventInvoke;
use super::metrics::Counters;
use super::policy::FunctionPolicy;
use crate::place::Place;

#[derive(Debug)]
pub(super) struct Function {
    pub(super) id: FunctionId,
    pub(super) place: Place,
    pub(super) spec: Arc<FunctionSpec>,
    pub(super) role: String,
    pub(super) description: String,
    /// DeadLetterConfig's TargetArn.
    pub(super) dead_letters: Option<String>,
    pub(super) code_sha256: String,
    pub(super) code_size: u64,
    pub(super) revision: String,
    pub(super) modified: StackTime,
    pub(super) tags: BTreeMap<String, String>,
    /// ReservedConcurrentExecutions.
    pub(super) reserved: Option<u32>,
    pub(super) policy: FunctionPolicy,
    pub(super) event_invoke: Option<EventInvoke>,
    /// How many invocations are under way.
    pub(super) running: u32,
    pub(super) counters: Counters,
}

impl Function {
    /// As destinations' records and configurations of asynchronous invocation name it.
    pub(super) fn latest_arn(&self) -> String {
        format!("{}:{LATEST}", self.spec.arn)
    }
}
