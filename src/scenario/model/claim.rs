//! What must hold.

use havoq_base::StackDuration;

use super::super::place::Place;

/// An entry of `expect`.
#[derive(Clone, Debug)]
pub struct Expectation {
    pub place: Place,
    pub claim: Claim,
}

/// What must hold. Deadlines count from the end of the last injected step; in `steady_state` and
/// `wait`, from the start of the step itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    DeadLettered {
        of: String,
        queue: String,
        receives: Option<u32>,
        within: Option<StackDuration>,
    },
    Alarm {
        name: String,
        reaches: AlarmState,
        after: Option<AlarmState>,
        notifies: Option<String>,
        within: Option<StackDuration>,
    },
    Redelivered {
        of: String,
        not_before: Option<StackDuration>,
        within: Option<StackDuration>,
    },
    Effect {
        of: String,
        effect: String,
        exactly: u64,
        within: Option<StackDuration>,
    },
    /// In every effect of the scenario when `effect` is absent.
    NoEffect {
        of: String,
        effect: Option<String>,
    },
    Depth {
        queue: String,
        visible: Option<Bound>,
        in_flight: Option<Bound>,
        delayed: Option<Bound>,
        within: Option<StackDuration>,
    },
    Drained {
        queue: String,
        within: Option<StackDuration>,
    },
    /// The alarm is in this state from the start of the injection to the end.
    Stays {
        alarm: String,
        is: AlarmState,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlarmState {
    Ok,
    Alarm,
    InsufficientData,
}

/// `{exactly: n}`, `{at_most: n}`, `{at_least: n}`; bounds may be combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    pub at_least: Option<u64>,
    pub at_most: Option<u64>,
}
