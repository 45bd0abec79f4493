use super::dsl::{Tape, attempts, claim, drill};
use crate::check::{Verdict, further_attempt, judge};
use crate::history::Event;
use crate::scenario::{Claim, Scenario};

use Verdict::{Fail, Inconclusive, Pass};

fn once() -> Scenario {
    let claim = Claim::Effect { of: "ok".into(), effect: "charges".into(), exactly: 1, within: None };
    drill(&[("ok", 1)], vec![claim])
}

/// It acts `silent` milliseconds after its receive.
fn well(silent: u64) -> Tape {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.bound("w", 4_000).got("w-0-1", "m1").real(silent).effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    tape.horizon();
    tape
}

/// Its holder is silent for its bound, the clock jumps, and both charge.
fn twice_by_a_jump() -> Tape {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.bound("w", 1_000).got("w-0-1", "m1").effect("w-0-1", "ok-0").jumped_past(31, "w-0-1", "m1");
    tape.got("w-1-1", "m1").effect("w-1-1", "ok-0").deleted("w-1-1", "m1").horizon();
    tape
}

fn overrun() -> Tape {
    let mut tape = well(0);
    tape.overran("w-0-1", "ok-0");
    tape
}

/// The whole verdict, that of the claim, and its reason.
fn verdict(events: &[Event]) -> (Verdict, Verdict, String) {
    let judged = judge(&once(), events);
    let claim = claim(&judged, "expect[0]");
    (judged.verdict, claim.verdict, claim.reason)
}

#[test]
fn a_sound_first_attempt_is_enough() {
    assert_eq!(further_attempt(&once(), &attempts(vec![well(0)])), None);
}

#[test]
fn an_overrun_is_tried_again_twice() {
    let why = |overruns: usize| {
        let tapes = (0..overruns).map(|_| overrun()).collect();
        further_attempt(&once(), &attempts(tapes))
    };
    assert!(why(1).is_some_and(|why| why.contains("overran")));
    assert!(why(2).is_some());
    assert_eq!(why(3), None);
}

#[test]
fn after_an_overrun_the_last_attempt_counts() {
    assert_eq!(verdict(&attempts(vec![overrun(), well(0)])).0, Pass);
    assert_eq!(verdict(&attempts(vec![overrun(), overrun(), overrun()])).0, Inconclusive);
}

#[test]
fn a_red_that_a_jump_may_have_made_is_confirmed() {
    let first = attempts(vec![twice_by_a_jump()]);
    assert!(further_attempt(&once(), &first).is_some_and(|why| why.contains("confirmed")));
    let events = attempts(vec![twice_by_a_jump(), twice_by_a_jump()]);
    assert_eq!(further_attempt(&once(), &events), None, "once is enough");
    let (whole, claim, reason) = verdict(&events);
    assert_eq!((whole, claim), (Fail, Fail));
    assert!(reason.contains("confirmed by attempt 2"), "{reason}");
}

#[test]
fn a_red_in_doubt_that_was_not_confirmed_is_no_fail() {
    let (whole, claim, reason) = verdict(&attempts(vec![twice_by_a_jump()]));
    assert_eq!((whole, claim), (Inconclusive, Inconclusive));
    assert!(reason.contains("had 2 effects") && reason.contains("not confirmed"), "{reason}");
}

#[test]
fn a_pass_that_does_not_explain_the_red_before_it_contradicts_it() {
    let (whole, claim, reason) = verdict(&attempts(vec![twice_by_a_jump(), well(900)]));
    assert_eq!((whole, claim), (Inconclusive, Inconclusive));
    assert!(reason.contains("contradict"), "{reason}");
}

#[test]
fn a_pass_that_shows_the_bound_to_have_been_too_short_is_believed() {
    let (whole, claim, reason) = verdict(&attempts(vec![twice_by_a_jump(), well(1_100)]));
    assert_eq!((whole, claim), (Pass, Pass));
    assert!(reason.contains("too quick for w"), "{reason}");
}

#[test]
fn a_red_with_no_message_that_its_bound_closed_needs_no_confirmation() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").crashed("w-0-1").jumped(31);
    tape.got("w-0-2", "m1").effect("w-0-2", "ok-0").deleted("w-0-2", "m1").horizon();
    let events = attempts(vec![tape]);
    assert_eq!(further_attempt(&once(), &events), None);
    assert_eq!(verdict(&events).0, Fail);
}

#[test]
fn a_counterexample_before_the_jump_needs_no_confirmation() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").effect("w-0-1", "ok-0");
    tape.jumped_past(31, "w-0-1", "m1").horizon();
    assert_eq!(further_attempt(&once(), &attempts(vec![tape])), None);
}

#[test]
fn a_finished_message_casts_no_doubt() {
    let claim = Claim::Drained { queue: "Q".into(), within: None };
    let scenario = drill(&[("ok", 1)], vec![claim]);
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    tape.depth("Q", 1, 0, 0).jumped_past(31, "w-0-1", "m1").horizon();
    assert_eq!(further_attempt(&scenario, &attempts(vec![tape])), None);
}

#[test]
fn an_overrun_while_confirming_is_tried_again() {
    let events = attempts(vec![twice_by_a_jump(), overrun()]);
    assert!(further_attempt(&once(), &events).is_some());
    let events = attempts(vec![twice_by_a_jump(), overrun(), twice_by_a_jump()]);
    assert_eq!(further_attempt(&once(), &events), None);
    assert_eq!(verdict(&events).0, Fail);
}

#[test]
fn a_consumer_that_comes_back_after_it_was_given_up_gets_more_patience() {
    let given_up = || {
        let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
        tape.idle("w-0-1").jumped(600).horizon();
        tape
    };
    assert_eq!(further_attempt(&once(), &attempts(vec![given_up()])), None);
    let came_back = || {
        let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
        tape.idle("w-0-1").jumped(600).polled("w-0-1").cut_short();
        tape
    };
    assert!(further_attempt(&once(), &attempts(vec![came_back()])).is_some());
    assert_eq!(verdict(&attempts(vec![came_back(), well(0)])).0, Pass);
    let mut fine = Tape::with_sends(&[("ok-0", "m1")]);
    fine.idle("w-0-1").polled("w-0-1").got("w-0-1", "m1").effect("w-0-1", "ok-0");
    fine.deleted("w-0-1", "m1").horizon();
    assert_eq!(further_attempt(&once(), &attempts(vec![fine])), None, "it was judged all the same");
}
