use super::dsl::{Tape, claim, drill, secs, send, step};
use crate::check::Verdict::{Fail, Inconclusive, Pass};
use crate::history::Phase::{Inject, SteadyState};
use crate::scenario::{Action, Claim, Scenario};

/// Warm-up, then one message.
fn scenario() -> Scenario {
    let once =
        |of: &str, within| Claim::Effect { of: of.into(), effect: "charges".into(), exactly: 1, within };
    let mut scenario = drill(&[("ok", 1)], vec![once("ok", None)]);
    scenario.steady_state = vec![step(send("warm", 1)), step(Action::Await(once("warm", Some(secs(30)))))];
    scenario
}

fn warm(effect_at: Option<u64>) -> Tape {
    let mut tape = Tape::new();
    tape.begin(SteadyState, 0, "send").sent("warm-0", "w1").end(SteadyState, 0).begin(
        SteadyState,
        1,
        "effect",
    );
    if let Some(at) = effect_at {
        tape.got("w-0-1", "w1").t(at).effect("w-0-1", "warm-0").deleted("w-0-1", "w1");
    }
    tape
}

fn inject(tape: &mut Tape) {
    tape.end(SteadyState, 1).begin(Inject, 0, "send").sent("ok-0", "m1").end(Inject, 0);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
}

#[test]
fn a_steady_state_that_holds_is_judged_too() {
    let mut tape = warm(Some(1));
    inject(&mut tape);
    tape.horizon();
    let judged = tape.judge(&scenario());
    assert_eq!(judged.verdict, Pass, "{judged:#?}");
    assert_eq!(claim(&judged, "steady_state[1] effect").line, 5);
}

#[test]
fn a_false_steady_state_fails_and_the_rest_is_not_judged() {
    let mut tape = warm(None);
    tape.t(31).fail_step(SteadyState, 1, "not within 30s").cut_short();
    let judged = tape.judge(&scenario());
    assert_eq!(judged.verdict, Fail);
    assert_eq!(claim(&judged, "steady_state[1]").verdict, Fail);
    let found = claim(&judged, "expect[0]");
    assert_eq!(found.verdict, Inconclusive);
    assert!(found.reason.starts_with("not judged: the steady state did not hold"), "{}", found.reason);
}

#[test]
fn a_second_warm_up_effect_during_the_injection_breaks_the_steady_state_claim() {
    let mut tape = warm(Some(1));
    inject(&mut tape);
    tape.effect("w-0-1", "warm-0").horizon();
    assert_eq!(claim(&tape.judge(&scenario()), "steady_state[1]").verdict, Fail);
}

#[test]
fn too_late_for_the_steady_state_is_false() {
    let mut tape = warm(Some(31));
    inject(&mut tape);
    tape.horizon();
    assert_eq!(claim(&tape.judge(&scenario()), "steady_state[1]").verdict, Fail);
}

#[test]
fn an_unmet_wait_is_a_false_claim_and_leaves_the_expectations_open() {
    let mut scenario = scenario();
    let dead =
        Claim::DeadLettered { of: "ok".into(), queue: "DLQ".into(), receives: None, within: Some(secs(60)) };
    scenario.inject.push(step(Action::Await(dead)));
    scenario.inject.push(step(send("later", 1)));
    let mut tape = warm(Some(1));
    inject(&mut tape);
    tape.begin(Inject, 1, "dead_lettered").t(120).fail_step(Inject, 1, "not within 60s").horizon();
    let judged = tape.judge(&scenario);
    assert_eq!(claim(&judged, "inject[1] dead_lettered").verdict, Fail);
    assert_eq!(claim(&judged, "expect[0]").verdict, Inconclusive);
    assert_eq!(claim(&judged, "always steps_done").reason, "inject[2] send was never reached");
}

#[test]
fn a_wait_that_was_met_after_it_was_given_up_does_not_pass() {
    let mut scenario = scenario();
    let dead = Claim::DeadLettered { of: "ok".into(), queue: "DLQ".into(), receives: None, within: None };
    scenario.inject.push(step(Action::Await(dead)));
    let mut tape = warm(Some(1));
    tape.end(SteadyState, 1).begin(Inject, 0, "send").sent("ok-0", "m1").end(Inject, 0);
    tape.begin(Inject, 1, "dead_lettered")
        .fail_step(Inject, 1, "timeout")
        .got("w-0-1", "m1")
        .dead("m1", 1)
        .horizon();
    assert_eq!(claim(&tape.judge(&scenario), "inject[1]").verdict, Inconclusive);
}

#[test]
fn a_wait_for_a_drained_queue_is_met_by_one_instant() {
    let mut scenario = scenario();
    scenario.inject.push(step(Action::Await(Claim::Drained { queue: "Q".into(), within: Some(secs(60)) })));
    let mut tape = warm(Some(1));
    tape.depth("Q", 0, 0, 0);
    inject(&mut tape);
    tape.depth("Q", 1, 0, 0).begin(Inject, 1, "drained").depth("Q", 0, 0, 0).end(Inject, 1);
    tape.depth("Q", 1, 0, 0).horizon();
    assert_eq!(claim(&tape.judge(&scenario), "inject[1] drained").verdict, Pass);
    // That it was drained before the wait began is no answer.
    let mut tape = warm(Some(1));
    tape.depth("Q", 0, 0, 0);
    inject(&mut tape);
    tape.depth("Q", 1, 0, 0).begin(Inject, 1, "drained").t(120).fail_step(Inject, 1, "not within 60s");
    tape.depth("Q", 0, 0, 0).horizon();
    assert_eq!(claim(&tape.judge(&scenario), "inject[1] drained").verdict, Fail);
}
