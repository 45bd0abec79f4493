//! What the matrix makes of runs.

use super::run::{Part, ProofRun};
use super::{Outcome, Proof, Standing, Tested};
use crate::check::verdict::{ClaimVerdict, Judgement, Ledger, Verdict};
use crate::scenario::Planned;

fn judgement(name: &str, claims: &[(&str, Verdict)]) -> Judgement {
    let claim = |(id, verdict): &(&str, Verdict)| ClaimVerdict {
        id: (*id).to_owned(),
        text: format!("the claim {id}"),
        line: 7,
        column: 5,
        verdict: *verdict,
        reason: "so".to_owned(),
        evidence: Vec::new(),
        diagnosis: None,
        story: Vec::new(),
    };
    Judgement {
        name: name.to_owned(),
        file: "a.yaml".to_owned(),
        verdict: claims.iter().map(|(_, verdict)| *verdict).max().unwrap_or(Verdict::Inconclusive),
        attempts: 1,
        virtual_s: 1.0,
        wall_s: 1.0,
        claims: claims.iter().map(claim).collect(),
        ledger: Ledger::default(),
    }
}

fn baseline(verdict: Verdict, plan: &[&str]) -> ProofRun {
    let planned = |mutation: &&str| Planned { mutation: (*mutation).to_owned(), skipped: None };
    let part = Part::Baseline(plan.iter().map(planned).collect());
    let judgement = judgement("a", &[("expect[0] effect", verdict), ("always nothing_lost", Verdict::Pass)]);
    ProofRun { of: "a".to_owned(), part, judgement }
}

fn run(mutation: &str, took_hold: bool, claims: &[(&str, Verdict)]) -> ProofRun {
    let part = Part::Mutated { mutation: mutation.to_owned(), took_hold };
    ProofRun { of: "a".to_owned(), part, judgement: judgement(&format!("a [mutation: {mutation}]"), claims) }
}

fn only(runs: Vec<ProofRun>) -> (Proof, Tested) {
    let (proof, judgements) = Proof::of(runs);
    assert_eq!(judgements.len(), 1);
    let tested = proof.scenarios[0].expectations.clone();
    let [tested] = tested.try_into().expect("only expectations are proven");
    (proof, tested)
}

const ID: &str = "expect[0] effect";
use Verdict::{Error, Fail, Inconclusive, Pass};

#[test]
fn what_one_mutation_made_false_is_proven() {
    let runs = vec![
        baseline(Pass, &["a", "b", "c"]),
        run("c", true, &[(ID, Inconclusive)]),
        run("b", true, &[(ID, Fail)]),
        run("a", true, &[(ID, Pass)]),
    ];
    let (proof, tested) = only(runs);
    assert_eq!(tested.standing, Standing::Proven);
    assert_eq!(
        (tested.caught, tested.survived, tested.undecided),
        (vec!["b".to_owned()], vec!["a".to_owned()], vec!["c".to_owned()])
    );
    assert_eq!(proof.verdict(), Pass);
    let order: Vec<&str> = proof.scenarios[0].mutations.iter().map(|run| run.mutation.as_str()).collect();
    assert_eq!(order, ["a", "b", "c"], "in the order of the plan, whichever ended first");
}

#[test]
fn what_holds_whatever_happens_is_vacuous() {
    let runs = vec![
        baseline(Pass, &["a", "b"]),
        run("a", true, &[(ID, Pass), ("always nothing_lost", Fail)]),
        run("b", true, &[(ID, Inconclusive)]),
    ];
    let (proof, tested) = only(runs);
    assert_eq!(tested.standing, Standing::Vacuous);
    assert_eq!(proof.verdict(), Fail);
}

#[test]
fn what_was_only_ever_inconclusive_is_not_proven_and_not_vacuous() {
    let (proof, tested) = only(vec![baseline(Pass, &["a"]), run("a", true, &[(ID, Inconclusive)])]);
    assert_eq!(tested.standing, Standing::NotProven);
    assert_eq!(proof.verdict(), Inconclusive);
}

#[test]
fn a_run_that_broke_proves_nothing() {
    let claims = [(ID, Fail), ("always harness_sound", Error)];
    let (proof, tested) = only(vec![baseline(Pass, &["a"]), run("a", true, &claims)]);
    assert_eq!(tested.standing, Standing::NotProven);
    assert_eq!(tested.undecided, ["a"]);
    assert_eq!(proof.scenarios[0].mutations[0].outcome, Outcome::Broke);
}

#[test]
fn a_mutation_that_changed_nothing_proves_nothing() {
    // Something else made it red, and may make it red at any time.
    let (_, tested) = only(vec![baseline(Pass, &["a"]), run("a", false, &[(ID, Fail)])]);
    assert_eq!(tested.standing, Standing::NotProven);
    assert!(tested.caught.is_empty() && tested.survived.is_empty());
}

#[test]
fn nothing_is_called_vacuous_before_all_were_run() {
    let (proof, tested) = only(vec![baseline(Pass, &["a", "b"]), run("a", true, &[(ID, Pass)])]);
    assert_eq!(tested.standing, Standing::NotProven);
    assert_eq!(proof.scenarios[0].mutations[1].outcome, Outcome::NotRun);
}

#[test]
fn nothing_is_called_vacuous_after_an_interrupted_run() {
    let cut = [(ID, Inconclusive), ("always not_interrupted", Inconclusive)];
    let runs = vec![baseline(Pass, &["a", "b"]), run("a", true, &[(ID, Pass)]), run("b", true, &cut)];
    let (proof, tested) = only(runs);
    assert_eq!(tested.standing, Standing::NotProven);
    assert_eq!(proof.scenarios[0].mutations[1].outcome, Outcome::NotRun);
}

#[test]
fn a_mutation_of_another_scenario_proves_nothing_here() {
    let mut other = run("a", true, &[(ID, Fail)]);
    other.of = "b".to_owned();
    let (_, tested) = only(vec![baseline(Pass, &["a"]), other]);
    assert_eq!(tested.standing, Standing::NotProven);
}

#[test]
fn a_red_baseline_and_a_scenario_without_expectations_prove_nothing() {
    let (proof, tested) = only(vec![baseline(Fail, &["a"])]);
    assert_eq!(tested.standing, Standing::NotProven);
    assert_eq!(proof.scenarios[0].baseline, Fail);
    assert_eq!(Proof::default().verdict(), Inconclusive);
}
