use havoq_base::StackDuration;

use super::dsl::{Tape, drill, secs};
use crate::check::Verdict;
use crate::history::Withheld;
use crate::scenario::{Claim, Scenario};

fn claimed(not_before: u64, within: Option<StackDuration>) -> Scenario {
    let claim = Claim::Redelivered { of: "ok".into(), not_before: Some(secs(not_before)), within };
    drill(&[("ok", 1)], vec![claim])
}

fn killed() -> Tape {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").killed("w-0-1", "ok-0", "before-effect");
    tape
}

#[test]
fn after_the_timeout_passes() {
    let mut tape = killed();
    tape.after(2, secs(30)).got("w-0-2", "m1").effect("w-0-2", "ok-0").deleted("w-0-2", "m1").horizon();
    let judged = tape.judge(&claimed(30, Some(secs(60))));
    assert_eq!(judged.verdict, Verdict::Pass, "{judged:#?}");
}

#[test]
fn before_the_timeout_fails() {
    let mut tape = killed();
    tape.t(10).got("w-0-2", "m1").horizon();
    let found = tape.first(&claimed(30, None));
    assert_eq!(found.verdict, Verdict::Fail);
    assert!(found.reason.starts_with("ok-0 came back "), "{}", found.reason);
}

#[test]
fn a_hairs_breadth_early_is_the_tap_and_half_a_second_is_not_told() {
    for (early, verdict) in [(5, Verdict::Pass), (700, Verdict::Inconclusive), (1_500, Verdict::Fail)] {
        let mut tape = killed();
        let span = secs(30).saturating_sub(StackDuration::from_millis(early));
        tape.after(2, span).got("w-0-2", "m1").horizon();
        assert_eq!(tape.first(&claimed(30, None)).verdict, verdict, "{early} ms early");
    }
}

#[test]
fn a_grant_shorter_than_claimed_is_no_jitter() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.visibility = 29;
    tape.got("w-0-1", "m1").after(0, StackDuration::from_millis(29_950)).got("w-0-1", "m1").horizon();
    assert_eq!(tape.first(&claimed(30, None)).verdict, Verdict::Fail);
}

#[test]
fn the_gap_counts_from_the_last_extension() {
    let mut tape = killed();
    tape.events.truncate(tape.events.len() - 2);
    tape.t(20).extended("w-0-1", "m1", 30).t(35).got("w-0-2", "m1").horizon();
    assert_eq!(tape.first(&claimed(30, None)).verdict, Verdict::Fail);
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").t(20).extended("w-0-1", "m1", 30).t(51).got("w-0-2", "m1").horizon();
    assert_eq!(tape.first(&claimed(30, None)).verdict, Verdict::Pass);
}

#[test]
fn two_copies_are_no_redelivery() {
    let mut scenario = claimed(30, None);
    scenario.inject.clear();
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("ok-0", "m2")]);
    tape.got("w-0-1", "m1").got("w-0-1", "m2").horizon();
    let found = tape.first(&scenario);
    assert_eq!(found.verdict, Verdict::Fail);
    assert_eq!(found.reason, "ok-0 was never redelivered (2 receives in all)");
}

#[test]
fn a_move_and_a_redrive_are_no_redelivery() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").t(30).dead("m1", 1).got_from("DLQ", "w-0-1", "m1", Withheld::No);
    tape.t(70).redriven("m1", "m2").got("w-0-1", "m2").horizon();
    assert_eq!(tape.first(&claimed(30, None)).verdict, Verdict::Fail);
}

#[test]
fn a_redelivery_before_the_injection_does_not_count() {
    let mut tape = Tape::new();
    tape.sent("ok-0", "m1").got("w-0-1", "m1").t(30).got("w-0-1", "m1");
    tape.begin(crate::history::Phase::Inject, 0, "send").end(crate::history::Phase::Inject, 0).horizon();
    assert_eq!(tape.first(&claimed(30, None)).verdict, Verdict::Fail);
}

#[test]
fn each_marker_must_come_back() {
    let claim = Claim::Redelivered { of: "ok".into(), not_before: None, within: Some(secs(60)) };
    let scenario = drill(&[("ok", 2)], vec![claim]);
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("ok-1", "m2")]);
    tape.got("w-0-1", "m1").got("w-0-1", "m2").t(30).got("w-0-1", "m1");
    assert_eq!(tape.first(&scenario).verdict, Verdict::Inconclusive);
    tape.t(61).depth("Q", 0, 2, 0);
    assert_eq!(tape.first(&scenario).verdict, Verdict::Fail);
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("ok-1", "m2")]);
    tape.got("w-0-1", "m1").got("w-0-1", "m2").t(30).got("w-0-1", "m1").got("w-0-1", "m2");
    // Without `not_before` it is decided as soon as it has happened.
    assert_eq!(tape.first(&scenario).verdict, Verdict::Pass);
}

#[test]
fn too_late_fails_and_an_idle_consumer_excuses_it() {
    let mut tape = killed();
    tape.t(90).got("w-0-2", "m1").horizon();
    assert_eq!(tape.first(&claimed(30, Some(secs(60)))).verdict, Verdict::Fail);
    let mut tape = killed();
    tape.t(40).idle("w-0-2").t(90).got("w-0-2", "m1").horizon();
    assert_eq!(tape.first(&claimed(30, Some(secs(60)))).verdict, Verdict::Inconclusive);
}
