//! One scenario, once without a kill and then once for each boundary that its consumers crossed.

use havoq_base::RunStart;

use super::suite::{Options, Suite, SuiteError, SuiteResult};
use crate::check::{Sweep, Tried, Verdict, boundaries};
use crate::scenario::Scenario;

/// Sweeps a scenario. Unless its clean run passes, that is all that is run: what a kill breaks
/// cannot be told from what was broken before.
pub async fn sweep(scenario: Scenario, options: Options, start: RunStart) -> Result<SuiteResult, SuiteError> {
    let clean = scenario.clone().without_kills();
    let suite = Suite::open(std::slice::from_ref(&clean), options, start).await?;
    let mut runs = suite.run_all(vec![clean], |tried| tried).await;
    if let [clean] = runs.as_slice()
        && clean.judgement.verdict == Verdict::Pass
    {
        let variants = variants(&scenario, clean);
        suite.options().progress.more(variants.len());
        runs.extend(suite.run_all(variants, |tried| tried).await);
    }
    let sweep = Sweep::of(&runs);
    let judgements = runs.into_iter().map(|run| run.judgement).collect();
    Ok(SuiteResult { judgements, sweep, history: suite.close() })
}

/// One that cannot be made is missing from the runs, which the finding tells.
fn variants(scenario: &Scenario, clean: &Tried) -> Vec<Scenario> {
    let found = boundaries(&clean.scenario, clean.last_attempt());
    let aims = found.into_iter().map(|crossing| crossing.aim);
    aims.filter_map(|aim| scenario.clone().killed_at(aim).ok()).collect()
}
