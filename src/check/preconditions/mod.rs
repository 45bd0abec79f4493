//! What must be true of the run itself before its claims mean anything. Nothing switches these
//! off, and each shows in the report as a claim of its own.

mod clock_sound;
mod consumers_ready;
mod faults_fired;
mod harness_sound;
mod horizon_reached;
mod nobody_left_behind;
mod not_interrupted;
mod scale_sound;
mod stack_followed;
mod steps_done;

use super::index::Index;
use super::verdict::Verdict;

/// One precondition. When it does not hold, `look` says what was found and how bad that is.
pub(crate) struct Precondition {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    pub(crate) look: fn(&Index) -> Option<Failed>,
}

/// A precondition that does not hold.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    pub(crate) evidence: Vec<u64>,
    pub(crate) spoils: Spoils,
}

/// What else it keeps from being judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spoils {
    /// The scenario as a whole.
    Nothing,
    /// Expectations that hold, or that rest on an absence: a counterexample still stands.
    Absences,
    /// Every claim: what was seen is not what would have been.
    Everything,
}

pub(crate) const PRECONDITIONS: &[Precondition] = &[
    faults_fired::PRECONDITION,
    steps_done::PRECONDITION,
    consumers_ready::PRECONDITION,
    clock_sound::PRECONDITION,
    scale_sound::PRECONDITION,
    harness_sound::PRECONDITION,
    horizon_reached::PRECONDITION,
    not_interrupted::PRECONDITION,
    nobody_left_behind::PRECONDITION,
    stack_followed::PRECONDITION,
];

impl Failed {
    fn inconclusive(reason: impl Into<String>, evidence: Vec<u64>, spoils: Spoils) -> Self {
        Self { verdict: Verdict::Inconclusive, reason: reason.into(), evidence, spoils }
    }

    fn error(reason: impl Into<String>, evidence: Vec<u64>, spoils: Spoils) -> Self {
        Self { verdict: Verdict::Error, reason: reason.into(), evidence, spoils }
    }
}
