use havoq_base::StackDuration;

use super::dsl::{Tape, claim, drill, secs};
use crate::check::Verdict;
use crate::history::Attribution;
use crate::scenario::{Claim, Scenario};

fn exactly(exactly: u64, within: Option<StackDuration>) -> Scenario {
    let claim = Claim::Effect { of: "ok".into(), effect: "charges".into(), exactly, within };
    drill(&[("ok", 1)], vec![claim])
}

fn no_effect() -> Scenario {
    drill(&[("bad", 1)], vec![Claim::NoEffect { of: "bad".into(), effect: None }])
}

fn done() -> Tape {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    tape
}

#[test]
fn one_effect_passes_at_the_horizon_and_not_before() {
    let mut tape = done();
    let found = tape.first(&exactly(1, None));
    assert_eq!(found.verdict, Verdict::Inconclusive);
    assert!(found.reason.contains("before the horizon"), "{}", found.reason);
    tape.horizon();
    let judged = tape.judge(&exactly(1, Some(secs(30))));
    assert_eq!(judged.verdict, Verdict::Pass, "{judged:#?}");
}

#[test]
fn two_effects_fail_with_who_and_when() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").killed("w-0-1", "ok-0", "after-effect");
    tape.jumped(30)
        .started("w-0-2")
        .got("w-0-2", "m1")
        .effect("w-0-2", "ok-0")
        .deleted("w-0-2", "m1")
        .horizon();
    let found = tape.first(&exactly(1, None));
    assert_eq!(found.verdict, Verdict::Fail);
    assert!(found.reason.starts_with("ok-0 had 2 effects in charges: one by w-0-1 at +"), "{}", found.reason);
    assert!(found.reason.contains("one by w-0-2 at +30"), "{}", found.reason);
    assert_eq!(found.diagnosis.as_deref(), Some("no-idempotency"));
    assert!(
        found.story.iter().any(|line| line.text.contains("the clock had jumped 30s ahead")),
        "{:#?}",
        found.story
    );
}

#[test]
fn two_effects_fail_without_a_horizon_too() {
    let mut tape = done();
    tape.effect("w-0-1", "ok-0");
    assert_eq!(tape.first(&exactly(1, None)).verdict, Verdict::Fail);
}

#[test]
fn a_second_effect_after_the_horizon_still_counts() {
    let mut tape = done();
    tape.horizon().effect("w-0-1", "ok-0");
    assert_eq!(tape.first(&exactly(1, None)).verdict, Verdict::Fail);
}

#[test]
fn replays_are_not_counted() {
    let mut tape = done();
    tape.replay("w-0-1", "ok-0").horizon();
    assert_eq!(tape.first(&exactly(1, None)).verdict, Verdict::Pass);
}

#[test]
fn a_missing_effect_fails_at_the_horizon() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1").horizon();
    let found = tape.first(&exactly(1, None));
    assert_eq!(found.verdict, Verdict::Fail);
    assert_eq!(found.reason, "ok-0 had 0 effects in charges, not 1");
}

#[test]
fn a_missing_effect_fails_once_its_deadline_is_over() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.t(29).depth("Q", 1, 0, 0);
    assert_eq!(tape.first(&exactly(1, Some(secs(30)))).verdict, Verdict::Inconclusive);
    tape.t(31).depth("Q", 0, 1, 0);
    assert_eq!(tape.first(&exactly(1, Some(secs(30)))).verdict, Verdict::Fail);
}

#[test]
fn an_effect_after_the_deadline_fails() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").t(31).effect("w-0-1", "ok-0").deleted("w-0-1", "m1").horizon();
    let found = tape.first(&exactly(1, Some(secs(30))));
    assert_eq!(found.verdict, Verdict::Fail);
    assert!(found.reason.contains("came only at +31"), "{}", found.reason);
}

#[test]
fn the_nth_effect_exactly_at_the_deadline_is_in_time() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").after(1, secs(30)).effect("w-0-1", "ok-0").deleted("w-0-1", "m1").horizon();
    assert_eq!(tape.first(&exactly(1, Some(secs(30)))).verdict, Verdict::Pass);
}

#[test]
fn an_effect_that_cannot_be_tied_to_a_message_keeps_exactly_from_passing() {
    let mut tape = done();
    tape.stray("w-0-1").horizon();
    let found = tape.first(&exactly(1, None));
    assert_eq!(found.verdict, Verdict::Inconclusive);
    assert!(found.reason.contains("could not be tied to a message"), "{}", found.reason);
}

#[test]
fn a_missing_effect_may_be_the_one_that_names_no_message() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").stray("w-0-1").deleted("w-0-1", "m1").horizon();
    assert_eq!(tape.first(&exactly(1, None)).verdict, Verdict::Inconclusive);
}

#[test]
fn more_missing_than_stray_effects_fail() {
    let claim = Claim::Effect { of: "ok".into(), effect: "charges".into(), exactly: 1, within: None };
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("ok-1", "m2")]);
    tape.got("w-0-1", "m1").stray("w-0-1").deleted("w-0-1", "m1");
    tape.got("w-0-1", "m2").deleted("w-0-1", "m2").horizon();
    assert_eq!(tape.first(&drill(&[("ok", 2)], vec![claim])).verdict, Verdict::Fail);
}

#[test]
fn a_stray_effect_before_the_injection_says_nothing_about_it() {
    let mut tape = Tape::new();
    tape.stray("w-0-1");
    tape.begin(crate::history::Phase::Inject, 0, "send")
        .sent("ok-0", "m1")
        .end(crate::history::Phase::Inject, 0);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1").horizon();
    assert_eq!(tape.first(&exactly(1, None)).verdict, Verdict::Pass);
}

#[test]
fn no_effect_passes_when_there_was_none() {
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.got("w-0-1", "m1").t(30).dead("m1", 1);
    assert_eq!(tape.first(&no_effect()).verdict, Verdict::Inconclusive);
    tape.horizon();
    assert_eq!(tape.first(&no_effect()).verdict, Verdict::Pass);
}

#[test]
fn no_effect_fails_by_key_and_by_exclusion() {
    for attribution in [Attribution::Key, Attribution::Exclusion] {
        let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
        tape.got("w-0-1", "m1").effect_of("w-0-1", Some("bad-0"), attribution, false).deleted("w-0-1", "m1");
        let found = tape.first(&no_effect());
        assert_eq!(found.verdict, Verdict::Fail);
        assert_eq!(found.diagnosis.as_deref(), Some("effect-from-invalid-message"));
    }
}

#[test]
fn an_effect_by_one_that_held_only_bad_messages_breaks_no_effect() {
    let scenario = drill(&[("bad", 2)], vec![Claim::NoEffect { of: "bad".into(), effect: None }]);
    let mut tape = Tape::with_sends(&[("bad-0", "m1"), ("bad-1", "m2")]);
    tape.got("w-0-1", "m1").got("w-0-1", "m2").stray("w-0-1").horizon();
    let found = tape.first(&scenario);
    assert_eq!(found.verdict, Verdict::Fail);
    assert_eq!(found.diagnosis.as_deref(), Some("effect-from-invalid-message"));
}

#[test]
fn an_effect_by_one_that_held_others_too_leaves_no_effect_open() {
    let scenario = drill(
        &[("bad", 1), ("ok", 1)],
        vec![Claim::NoEffect { of: "bad".into(), effect: Some("charges".into()) }],
    );
    let mut tape = Tape::with_sends(&[("bad-0", "m1"), ("ok-0", "m2")]);
    tape.got("w-0-1", "m1").got("w-0-1", "m2").stray("w-0-1").horizon();
    assert_eq!(tape.first(&scenario).verdict, Verdict::Inconclusive);
}

#[test]
fn no_effect_without_any_sink_is_vacuous() {
    let mut scenario = no_effect();
    scenario.effects.clear();
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.horizon();
    assert_eq!(tape.first(&scenario).verdict, Verdict::Inconclusive);
}

#[test]
fn the_same_message_twice_with_an_effect_each_fails() {
    let mut scenario = exactly(1, None);
    scenario.inject.clear();
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("ok-0", "m2")]);
    for id in ["m1", "m2"] {
        tape.got("w-0-1", id).effect("w-0-1", "ok-0").deleted("w-0-1", id);
    }
    tape.horizon();
    let judged = tape.judge(&scenario);
    let found = claim(&judged, "expect[0]");
    assert_eq!((found.verdict, found.diagnosis.as_deref()), (Verdict::Fail, Some("no-idempotency")));
    assert_eq!(judged.ledger.totals.duplicated, 1);
}

#[test]
fn an_idle_consumer_makes_a_missing_effect_inconclusive_and_a_second_one_not() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.t(40).idle("w-0-1").horizon();
    assert_eq!(tape.first(&exactly(1, None)).verdict, Verdict::Inconclusive);

    let mut tape = done();
    tape.effect("w-0-1", "ok-0").t(40).idle("w-0-1").horizon();
    assert_eq!(tape.first(&exactly(1, None)).verdict, Verdict::Fail);
}

#[test]
fn a_replay_is_no_effect_of_its_own() {
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.got("w-0-1", "m1").replay("w-0-1", "bad-0").t(30).dead("m1", 1).horizon();
    assert_eq!(tape.first(&no_effect()).verdict, Verdict::Pass);
}

#[test]
fn at_the_deadline_itself_a_missing_effect_may_still_come() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.after(0, secs(30)).depth("Q", 1, 0, 0);
    assert_eq!(tape.first(&exactly(1, Some(secs(30)))).verdict, Verdict::Inconclusive);
    tape.depth("Q", 1, 0, 0);
    assert_eq!(tape.first(&exactly(1, Some(secs(30)))).verdict, Verdict::Fail);
}
