//! A proof's part as the history keeps it, and back.

use crate::history::{self, PlannedMutation};
use crate::scenario::{Planned, Proving, ProvingPart, Scenario};

/// What the history says of a scenario that a proof runs.
pub fn recorded_proving(proving: &Proving) -> history::Proving {
    match &proving.part {
        ProvingPart::Baseline(plan) => {
            let planned = plan.iter().cloned();
            let planned = planned.map(|Planned { mutation, skipped }| PlannedMutation { mutation, skipped });
            history::Proving::Baseline(planned.collect())
        }
        ProvingPart::Mutated(mutation) => history::Proving::Mutation(mutation.clone()),
    }
}

/// The scenario of the texts as the proof ran it.
pub fn prove_as(scenario: Scenario, proving: &history::Proving) -> Scenario {
    scenario.proving(match proving {
        history::Proving::Baseline(plan) => {
            let planned = plan.iter().cloned();
            let planned = planned.map(|PlannedMutation { mutation, skipped }| Planned { mutation, skipped });
            ProvingPart::Baseline(planned.collect())
        }
        history::Proving::Mutation(mutation) => ProvingPart::Mutated(mutation.clone()),
    })
}
