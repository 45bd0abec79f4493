//! Expectations by mutations.

use schemars::JsonSchema;
use serde::Serialize;

use super::run::{Part, ProofRun};
use crate::check::verdict::{ClaimVerdict, Judgement, Verdict};
use crate::scenario::Planned;

/// The precondition that tells that the user stopped a run.
const INTERRUPTED: &str = "always not_interrupted";

/// What a proof found.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Proof {
    pub scenarios: Vec<ProvedScenario>,
}

/// One scenario: its expectations, and what it was run with.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProvedScenario {
    pub scenario: String,
    pub file: String,
    /// How the run without a mutation ended. Unless it passed, no mutation was tried.
    pub baseline: Verdict,
    pub expectations: Vec<Tested>,
    pub mutations: Vec<MutatedRun>,
    pub skipped: Vec<SkippedMutation>,
}

/// An expectation, and what was seen of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tested {
    pub id: String,
    pub line: u64,
    pub column: u64,
    pub text: String,
    pub standing: Standing,
    /// The mutations with which it was false.
    pub caught: Vec<String>,
    /// Those with which it held all the same.
    pub survived: Vec<String>,
    /// Those with which it could not be told.
    pub undecided: Vec<String>,
}

/// Whether an expectation can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It held with every mutation with which it could be told.
    Vacuous,
    /// It could be told with none, or not all were run.
    NotProven,
    /// A mutation made it false.
    Proven,
}

/// A run with a mutation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MutatedRun {
    pub mutation: String,
    /// The name of that run in the history.
    pub scenario: String,
    pub outcome: Outcome,
    /// One for each expectation, in their order; none where it was not run.
    pub cells: Vec<Cell>,
}

/// What became of a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    TookHold,
    /// Nothing came along that it could have changed, so that it shows nothing.
    NeverTookHold,
    /// havoq or the stack broke, or a step could not be done: what was false then shows nothing.
    Broke,
    /// The proof ended before.
    NotRun,
}

/// An expectation in a run with a mutation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Cell {
    pub id: String,
    pub verdict: Verdict,
    pub reason: String,
}

/// A mutation that does not apply.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SkippedMutation {
    pub mutation: String,
    pub why: String,
}

impl Proof {
    /// The finding of a proof's runs, and the judgements of those without a mutation.
    pub fn of(runs: Vec<ProofRun>) -> (Self, Vec<Judgement>) {
        let mut scenarios = Vec::new();
        let mut judgements = Vec::new();
        for run in &runs {
            if let Part::Baseline(plan) = &run.part {
                scenarios.push(scenario(run, plan, &runs));
                judgements.push(run.judgement.clone());
            }
        }
        (Self { scenarios }, judgements)
    }

    pub fn expectations(&self) -> impl Iterator<Item = (&ProvedScenario, &Tested)> {
        self.scenarios
            .iter()
            .flat_map(|scenario| scenario.expectations.iter().map(move |tested| (scenario, tested)))
    }

    pub fn count(&self, standing: Standing) -> usize {
        self.expectations().filter(|(_, tested)| tested.standing == standing).count()
    }

    /// Of the proof itself: what the runs without a mutation came to is told apart.
    pub fn verdict(&self) -> Verdict {
        let verdict = |standing| match standing {
            Standing::Proven => Verdict::Pass,
            Standing::NotProven => Verdict::Inconclusive,
            Standing::Vacuous => Verdict::Fail,
        };
        // What has nothing to prove has proven nothing.
        let worst = self.expectations().map(|(_, tested)| verdict(tested.standing)).max();
        worst.unwrap_or(Verdict::Inconclusive)
    }
}

fn scenario(baseline: &ProofRun, plan: &[Planned], runs: &[ProofRun]) -> ProvedScenario {
    let judgement = &baseline.judgement;
    let (mut mutations, mut skipped) = (Vec::new(), Vec::new());
    for Planned { mutation, skipped: why } in plan {
        match why {
            Some(why) => skipped.push(SkippedMutation { mutation: mutation.clone(), why: why.clone() }),
            None => mutations.push(mutated(baseline, mutation, runs)),
        }
    }
    let expectations = expectations(judgement).map(|claim| tested(claim, &mutations));
    ProvedScenario {
        scenario: baseline.of.clone(),
        file: judgement.file.clone(),
        baseline: judgement.verdict,
        expectations: expectations.collect(),
        mutations,
        skipped,
    }
}

fn expectations(judgement: &Judgement) -> impl Iterator<Item = &ClaimVerdict> {
    judgement.claims.iter().filter(|claim| claim.id.starts_with("expect["))
}

fn mutated(baseline: &ProofRun, wanted: &str, runs: &[ProofRun]) -> MutatedRun {
    let found = runs.iter().filter(|run| run.of == baseline.of).find_map(|run| match &run.part {
        Part::Mutated { mutation, took_hold } if mutation == wanted => Some((run, *took_hold)),
        _ => None,
    });
    let Some((run, took_hold)) = found else {
        let (mutation, scenario) = (wanted.to_owned(), baseline.of.clone());
        return MutatedRun { mutation, scenario, outcome: Outcome::NotRun, cells: Vec::new() };
    };
    let judgement = &run.judgement;
    let is_cut = |claim: &ClaimVerdict| claim.id == INTERRUPTED && claim.verdict != Verdict::Pass;
    let outcome = match judgement.claims.iter().any(|claim| claim.verdict == Verdict::Error) {
        true => Outcome::Broke,
        false if judgement.claims.iter().any(is_cut) => Outcome::NotRun,
        false if took_hold => Outcome::TookHold,
        false => Outcome::NeverTookHold,
    };
    let cell = |claim: &ClaimVerdict| Cell {
        id: claim.id.clone(),
        verdict: claim.verdict,
        reason: claim.reason.clone(),
    };
    let (mutation, scenario) = (wanted.to_owned(), judgement.name.clone());
    MutatedRun { mutation, scenario, outcome, cells: expectations(judgement).map(cell).collect() }
}

/// Only what was false itself counts as caught, in a whole run that the mutation had changed.
fn tested(claim: &ClaimVerdict, mutations: &[MutatedRun]) -> Tested {
    let (mut caught, mut survived, mut undecided) = (Vec::new(), Vec::new(), Vec::new());
    for run in mutations {
        let cell = run.cells.iter().find(|cell| cell.id == claim.id);
        let told = match (run.outcome, cell.map(|cell| cell.verdict)) {
            (Outcome::NotRun | Outcome::NeverTookHold, _) => continue,
            (Outcome::TookHold, Some(Verdict::Fail)) => &mut caught,
            (Outcome::TookHold, Some(Verdict::Pass)) => &mut survived,
            _ => &mut undecided,
        };
        told.push(run.mutation.clone());
    }
    let all_run = mutations.iter().all(|run| run.outcome != Outcome::NotRun);
    let standing = match (caught.is_empty(), survived.is_empty()) {
        (false, _) => Standing::Proven,
        (true, false) if all_run => Standing::Vacuous,
        _ => Standing::NotProven,
    };
    let (id, text) = (claim.id.clone(), claim.text.clone());
    Tested { id, line: claim.line, column: claim.column, text, standing, caught, survived, undecided }
}
