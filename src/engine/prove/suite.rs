//! A suite as it is, and then each of its scenarios with each mutation that applies.

use havoq_base::RunStart;

use super::table::plan;
use crate::check::{Proof, ProofRun};
use crate::engine::suite::{Options, Suite, SuiteError, SuiteResult};
use crate::scenario::{ProvingPart, Scenario};

/// Proves that a suite can fail. What is not green as it is, is not run with mutations: what a
/// mutation breaks could not be told from what was broken before.
pub async fn prove(
    scenarios: Vec<Scenario>,
    options: Options,
    start: RunStart,
) -> Result<SuiteResult, SuiteError> {
    let baseline = |scenario: &Scenario| scenario.clone().proving(ProvingPart::Baseline(plan(scenario)));
    let baselines: Vec<Scenario> = scenarios.iter().map(baseline).collect();
    let suite = Suite::open(&baselines, options, start).await?;
    let mut runs: Vec<ProofRun> =
        suite.run_all(baselines, ProofRun::of).await.into_iter().flatten().collect();
    let is_green = |scenario: &&Scenario| {
        let mut green = runs.iter().filter(|run| run.is_green_baseline());
        green.any(|run| run.scenario() == scenario.name.value)
    };
    let mutated: Vec<Scenario> = scenarios.iter().filter(is_green).flat_map(mutants).collect();
    suite.options().progress.more(mutated.len());
    runs.extend(suite.run_all(mutated, ProofRun::of).await.into_iter().flatten());
    let (proof, judgements) = Proof::of(runs);
    Ok(SuiteResult { judgements, sweep: None, proof: Some(proof), history: suite.close() })
}

fn mutants(scenario: &Scenario) -> impl Iterator<Item = Scenario> {
    let applies = plan(scenario).into_iter().filter(|planned| planned.skipped.is_none());
    applies.map(|planned| scenario.clone().proving(ProvingPart::Mutated(planned.mutation)))
}
