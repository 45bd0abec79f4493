//! Which behaviours of a stack a scenario's claims rest on, by the ids of the probe's checks
//! (docs/probe.md). Where a foreign stack does not show one of them, an absence proves nothing.

use std::collections::BTreeSet;

use crate::scenario::{Action, Claim, Scenario};

pub(crate) const DEAD_LETTERS: &str = "sqs-dlq-after-maximum";
pub(crate) const REDELIVERY: &str = "sqs-visibility-returns";
pub(crate) const REDRIVE: &str = "sqs-move-to-source";
/// They take minutes.
pub(crate) const ALARMS: [&str; 2] = ["cw-alarm-depth", "cw-alarm-dead-letters"];

/// The checks that the scenario's claims and steps rest on.
pub fn rests_on(scenario: &Scenario) -> BTreeSet<&'static str> {
    let steps = scenario.steady_state.iter().chain(&scenario.inject).map(|step| &step.action);
    let mut checks = BTreeSet::new();
    for action in steps {
        match action {
            Action::Await(claim) => checks.extend(of(claim)),
            Action::Redrive(_) => checks.extend([REDRIVE]),
            _ => {}
        }
    }
    checks.extend(scenario.expect.iter().flat_map(|expectation| of(&expectation.claim)));
    checks
}

fn of(claim: &Claim) -> &'static [&'static str] {
    match claim {
        Claim::DeadLettered { .. } => &[DEAD_LETTERS],
        Claim::Redelivered { .. } => &[REDELIVERY],
        Claim::Alarm { .. } | Claim::Stays { .. } => &ALARMS,
        _ => &[],
    }
}
