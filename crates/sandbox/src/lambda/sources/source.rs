//! One event source mapping.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_lambda::{BatchId, Mapping};

use super::SourceId;
use crate::lambda::names::Named;
use crate::place::Place;
use crate::timers::TimerKey;

#[derive(Debug)]
pub(super) struct Source {
    pub(super) id: SourceId,
    pub(super) place: Place,
    pub(super) uuid: String,
    /// What it invokes, whether it is there or not.
    pub(super) function: Named,
    pub(super) mapping: Mapping,
    /// The last invocation for each batch under way.
    pub(super) requests: BTreeMap<BatchId, String>,
    pub(super) state: State,
    pub(super) modified: StackTime,
    pub(super) timer: Option<(StackTime, TimerKey)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Enabled,
    Disabled,
    /// It ends what it has under way.
    Deleting,
}
