//! Consumers that have to show that they are ready.

use super::dsl::{Tape, claim, drill, instance};
use crate::check::Verdict::{self, Fail, Inconclusive, Pass};
use crate::history::{Kind, Phase};
use crate::scenario::{Claim, Scenario, Sign};

fn scenario() -> Scenario {
    let claim = Claim::Effect { of: "ok".into(), effect: "charges".into(), exactly: 1, within: None };
    let mut scenario = drill(&[("ok", 1)], vec![claim]);
    scenario.consumers.get_mut("w").expect("a consumer").ready.sign = Sign::Port(8080);
    scenario
}

fn ready(by: &str) -> Kind {
    Kind::ConsumerReady { by: instance(by), waited_for: "port 8080".into() }
}

fn unready(by: &str) -> Kind {
    let (waited_for, reason) = ("port 8080".into(), "it was not within 30s".into());
    Kind::ConsumerUnready { by: instance(by), waited_for, reason, stderr: vec!["no database".into()] }
}

/// Ready, one message sent and done, by the process whose number is given.
fn done(before: &[Kind], by: &str) -> Tape {
    let mut tape = Tape::new();
    before.iter().for_each(|kind| _ = tape.add(kind.clone()));
    tape.begin(Phase::Inject, 0, "send").sent("ok-0", "m1").end(Phase::Inject, 0);
    tape.got(by, "m1").effect(by, "ok-0").deleted(by, "m1");
    tape
}

/// The verdicts of the whole, of the expectation and of the precondition.
fn verdicts(tape: &Tape) -> (Verdict, Verdict, Verdict) {
    let judged = tape.judge(&scenario());
    let of = |id: &str| claim(&judged, id).verdict;
    (judged.verdict, of("expect[0]"), of("always consumers_ready"))
}

#[test]
fn one_that_was_ready_before_the_steps_is_judged() {
    let mut tape = done(&[ready("w-0-1")], "w-0-1");
    tape.horizon();
    assert_eq!(verdicts(&tape), (Pass, Pass, Pass));
}

#[test]
fn steps_that_began_before_anything_was_shown_count_for_nothing() {
    let mut tape = done(&[], "w-0-1");
    tape.horizon();
    assert_eq!(verdicts(&tape), (Inconclusive, Inconclusive, Inconclusive));
    let mut late = done(&[], "w-0-1");
    late.add(ready("w-0-1"));
    late.horizon();
    assert_eq!(verdicts(&late), (Inconclusive, Inconclusive, Inconclusive));
}

#[test]
fn one_that_was_never_ready_spoils_even_counterexamples() {
    let mut tape = done(&[unready("w-0-1")], "w-0-1");
    tape.effect("w-0-1", "ok-0").horizon();
    assert_eq!(verdicts(&tape), (Inconclusive, Inconclusive, Inconclusive));
    let judged = tape.judge(&scenario());
    let reason = &claim(&judged, "always consumers_ready").reason;
    assert!(reason.contains("port 8080") && reason.contains("stderr: no database"), "{reason}");
}

#[test]
fn one_that_was_not_ready_again_keeps_verdicts_and_passes_nothing() {
    let mut tape = done(&[ready("w-0-1"), unready("w-0-2")], "w-0-2");
    tape.horizon();
    assert_eq!(verdicts(&tape), (Inconclusive, Pass, Inconclusive));
    let mut twice = done(&[ready("w-0-1"), unready("w-0-2")], "w-0-2");
    twice.effect("w-0-2", "ok-0").horizon();
    assert_eq!(verdicts(&twice), (Fail, Fail, Inconclusive));
}

#[test]
fn a_later_start_that_is_ready_makes_up_for_it() {
    let mut tape = done(&[unready("w-0-1"), ready("w-0-2")], "w-0-2");
    tape.horizon();
    assert_eq!(verdicts(&tape), (Pass, Pass, Pass));
    let mut other = done(&[unready("w-0-1"), ready("w-1-1")], "w-1-1");
    other.horizon();
    assert_eq!(verdicts(&other).0, Inconclusive, "another instance does not");
}
