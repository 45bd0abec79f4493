//! What a proof needs to know of one run.

use crate::check::sweep::Tried;
use crate::check::verdict::{Judgement, Verdict};
use crate::history::Kind;
use crate::scenario::{Planned, ProvingPart};

/// One run of a proof.
#[derive(Clone, Debug)]
pub struct ProofRun {
    /// The scenario's own name.
    pub(super) of: String,
    pub(super) part: Part,
    pub(super) judgement: Judgement,
}

#[derive(Clone, Debug)]
pub(super) enum Part {
    Baseline(Vec<Planned>),
    Mutated {
        mutation: String,
        /// Whether it changed anything in the attempt that counts.
        took_hold: bool,
    },
}

impl ProofRun {
    /// `None` for a run that is no proof's.
    pub fn of(tried: Tried) -> Option<Self> {
        let is_mark = |kind: &Kind| matches!(kind, Kind::Mutated { .. });
        let took_hold = tried.last_attempt().any(|event| is_mark(&event.kind));
        let proving = tried.scenario.proving?;
        let part = match proving.part {
            ProvingPart::Baseline(plan) => Part::Baseline(plan),
            ProvingPart::Mutated(mutation) => Part::Mutated { mutation, took_hold },
        };
        Some(Self { of: proving.of, part, judgement: tried.judgement })
    }

    /// Whether mutations of it can show anything.
    pub fn is_green_baseline(&self) -> bool {
        matches!(self.part, Part::Baseline(_)) && self.judgement.verdict == Verdict::Pass
    }

    /// The scenario's own name.
    pub fn scenario(&self) -> &str {
        &self.of
    }
}
