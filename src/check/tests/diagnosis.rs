use super::dsl::{Tape, claim, drill, secs};
use crate::check::{Verdict, diagnoses, explain, known};
use crate::history::{Attribution, Withheld};
use crate::scenario::{Bound, Claim, Scenario};

fn once(label: &str) -> Scenario {
    let claim = Claim::Effect { of: label.into(), effect: "charges".into(), exactly: 1, within: None };
    drill(&[(label, 1)], vec![claim])
}

fn dead() -> Scenario {
    let claim =
        Claim::DeadLettered { of: "bad".into(), queue: "DLQ".into(), receives: Some(3), within: None };
    drill(&[("bad", 1)], vec![claim])
}

/// Nothing may be left in the dead-letter queue.
fn dlq_empty(label: &str) -> Scenario {
    let bound = Bound { at_least: None, at_most: Some(0) };
    let claim = Claim::Depth {
        queue: "DLQ".into(),
        visible: Some(bound),
        in_flight: None,
        delayed: None,
        within: None,
    };
    drill(&[(label, 1)], vec![claim])
}

fn one(marker: &str) -> Tape {
    Tape::with_sends(&[(marker, "m1")])
}

fn cause(tape: &mut Tape, scenario: &Scenario, id: &str) -> String {
    tape.horizon();
    let found = claim(&tape.judge(scenario), id);
    assert_eq!(found.verdict, Verdict::Fail, "{}", found.reason);
    found.diagnosis.unwrap_or_default()
}

#[test]
fn no_idempotency_by_redelivery() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").killed("w-0-1", "ok-0", "before-delete");
    tape.t(30).got("w-0-2", "m1").effect("w-0-2", "ok-0").deleted("w-0-2", "m1");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "no-idempotency");
}

#[test]
fn late_effect_is_a_delete_before_the_effect() {
    // An effect after its delete; a second copy makes the claim false.
    let mut scenario = once("ok");
    scenario.inject.clear();
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("ok-0", "m2")]);
    for id in ["m1", "m2"] {
        tape.got("w-0-1", id).deleted("w-0-1", id).effect("w-0-1", "ok-0");
    }
    assert_eq!(cause(&mut tape, &scenario, "expect[0]"), "deleted-before-effect");
}

#[test]
fn deleted_before_effect_by_a_kill() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1").killed("w-0-1", "ok-0", "before-effect");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "deleted-before-effect");
    assert_eq!(cause(&mut tape, &once("ok"), "always nothing_lost"), "deleted-before-effect");
}

#[test]
fn marked_before_effect() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").killed("w-0-1", "ok-0", "before-effect");
    tape.t(30).got("w-0-2", "m1").deleted("w-0-2", "m1");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "marked-before-effect");
    assert_eq!(cause(&mut tape, &once("ok"), "always nothing_discarded"), "marked-before-effect");
}

#[test]
fn swallowed_error() {
    let mut tape = one("bad-0");
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1");
    assert_eq!(cause(&mut tape, &dead(), "expect[0]"), "swallowed-error");
    assert_eq!(cause(&mut tape, &dead(), "always nothing_discarded"), "swallowed-error");
}

#[test]
fn never_deleted() {
    let mut tape = one("ok-0");
    for receive in 0..3 {
        tape.t(receive * 30).got("w-0-1", "m1").effect_of(
            "w-0-1",
            Some("ok-0"),
            Attribution::Key,
            receive > 0,
        );
    }
    tape.t(90).dead("m1", 3).depth("DLQ", 1, 0, 0);
    assert_eq!(cause(&mut tape, &dlq_empty("ok"), "expect[0]"), "never-deleted");
}

#[test]
fn never_deleted_comes_before_the_second_effect_that_it_causes() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").t(30).got("w-0-1", "m1").effect("w-0-1", "ok-0");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "never-deleted");
}

#[test]
fn crashes_on_poison() {
    let mut tape = one("bad-0");
    tape.got("w-0-1", "m1").crashed("w-0-1").t(30).got("w-0-2", "m1").crashed("w-0-2").t(4000);
    assert_eq!(cause(&mut tape, &dead(), "expect[0]"), "crashes-on-poison");
}

#[test]
fn what_a_crashing_consumer_leaves_behind_is_blamed_on_the_poison() {
    let mut scenario = once("ok");
    scenario.inject.extend(drill(&[("bad", 1)], Vec::new()).inject);
    let mut tape = Tape::with_sends(&[("ok-0", "m2"), ("bad-0", "m1")]);
    tape.got("w-0-1", "m1").crashed("w-0-1").t(60);
    assert_eq!(cause(&mut tape, &scenario, "expect[0]"), "crashes-on-poison");
}

#[test]
fn a_kill_by_havoq_is_no_crash() {
    let mut tape = one("bad-0");
    tape.got("w-0-1", "m1").killed("w-0-1", "bad-0", "after-receive").t(4000);
    assert_eq!(cause(&mut tape, &dead(), "expect[0]"), "unknown");
}

#[test]
fn effect_from_invalid_message() {
    let scenario = drill(&[("bad", 1)], vec![Claim::NoEffect { of: "bad".into(), effect: None }]);
    let mut tape = one("bad-0");
    tape.got("w-0-1", "m1").effect_of("w-0-1", Some("bad-0"), Attribution::Exclusion, false);
    tape.deleted("w-0-1", "m1");
    assert_eq!(cause(&mut tape, &scenario, "expect[0]"), "effect-from-invalid-message");
}

#[test]
fn visibility_shorter_than_processing() {
    let mut tape = one("ok-0");
    tape.visibility = 1;
    tape.got("w-0-1", "m1").real(1_000).got("w-1-1", "m1").real(500).effect("w-0-1", "ok-0");
    tape.deleted_with("Q", "w-0-1", "m1", "m1/1", None).real(1_000).effect("w-1-1", "ok-0");
    tape.deleted("w-1-1", "m1");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "visibility-shorter-than-processing");
}

#[test]
fn two_instances_that_never_delete_are_no_short_visibility() {
    let mut tape = one("ok-0");
    for (receive, by) in [(0, "w-0-1"), (30, "w-1-1"), (60, "w-0-1")] {
        tape.t(receive).got(by, "m1").effect(by, "ok-0");
    }
    tape.t(90).dead("m1", 3);
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "never-deleted");
}

#[test]
fn delete_failure_ignored() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").delete_failed("w-0-1", "m1");
    tape.t(30).got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "delete-failure-ignored");
    // Tried again with success, the second effect has another cause.
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").delete_failed("w-0-1", "m1").deleted("w-0-1", "m1");
    tape.effect("w-0-1", "ok-0");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "no-idempotency");
}

#[test]
fn retry_burn() {
    let mut tape = one("ok-0");
    for _ in 0..3 {
        tape.got("w-0-1", "m1").extended("w-0-1", "m1", 0);
    }
    tape.dead("m1", 3);
    let claim = Claim::Redelivered { of: "ok".into(), not_before: Some(secs(1)), within: None };
    assert_eq!(cause(&mut tape, &drill(&[("ok", 1)], vec![claim]), "expect[0]"), "retry-burn");
}

#[test]
fn no_dlq() {
    let mut scenario = dead();
    scenario.stack.queues.get_mut("Q").expect("the drill has it").redrive = None;
    let mut tape = one("bad-0");
    tape.got("w-0-1", "m1").t(30).got("w-0-1", "m1").t(60).got("w-0-1", "m1").t(120);
    assert_eq!(cause(&mut tape, &scenario, "expect[0]"), "no-dlq");
}

#[test]
fn max_receive_count_one() {
    let mut scenario = once("ok");
    let queue = scenario.stack.queues.get_mut("Q").expect("the drill has it");
    queue.redrive.as_mut().expect("it has a policy").max_receive_count = 1;
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").killed("w-0-1", "ok-0", "before-effect").t(30).dead("m1", 1);
    assert_eq!(cause(&mut tape, &scenario, "expect[0]"), "max-receive-count-one");
}

#[test]
fn poison_loop() {
    let mut tape = one("bad-0");
    for receive in 0..3 {
        tape.t(receive * 30).got("w-0-1", "m1");
    }
    tape.t(90).dead("m1", 3).redriven("m1", "m2").got("w-0-1", "m2").t(120).got("w-0-1", "m2");
    tape.t(150).got("w-0-1", "m2").t(180).dead("m2", 3).depth("DLQ", 1, 0, 0);
    assert_eq!(cause(&mut tape, &dlq_empty("bad"), "expect[0]"), "poison-loop");
}

#[test]
fn unknown_is_a_fair_answer() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "unknown");
}

#[test]
fn every_diagnosis_of_the_table_is_in_the_docs() {
    let docs = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/verdicts.md"));
    for diagnosis in diagnoses() {
        assert!(docs.contains(&format!("`{}`", diagnosis.id)), "{} is not in docs/verdicts.md", diagnosis.id);
        assert_eq!(known(diagnosis.id), Some(diagnosis));
    }
}

#[test]
fn a_failure_explains_itself_in_one_paragraph() {
    let mut tape = one("bad-0");
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1").got_from("DLQ", "w-0-1", "other", Withheld::No).horizon();
    let text = explain(&tape.first(&dead()));
    assert!(text.starts_with("Claimed: `bad` is dead-lettered in DLQ after exactly 3 receives. This was false: bad-0 was not moved"), "{text}");
    assert!(
        text.contains("What happened: at +0s sent to Q as m1; at +0s w-0-1 received it from Q"),
        "{text}"
    );
    assert!(text.contains("in the end it is discarded"), "{text}");
    assert!(text.contains("Likely cause: the consumer deletes a message that it could not process (swallowed-error). Usual fix: "), "{text}");
    assert!(!text.contains('\n'));
}

#[test]
fn a_silent_alarm_is_explained_by_the_poison_that_never_came() {
    let claim = Claim::Alarm {
        name: "A".into(),
        reaches: crate::scenario::AlarmState::Alarm,
        after: None,
        notifies: None,
        within: Some(secs(60)),
    };
    let mut tape = one("bad-0");
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1").t(61).horizon();
    let found = tape.first(&drill(&[("bad", 1)], vec![claim]));
    assert_eq!((found.verdict, found.diagnosis.as_deref()), (Verdict::Fail, Some("swallowed-error")));
    assert!(found.reason.ends_with("; see bad-0"), "{}", found.reason);
}

#[test]
fn another_marker_may_show_what_the_first_does_not() {
    let mut scenario = dlq_empty("ok");
    scenario.inject = drill(&[("ok", 2)], Vec::new()).inject;
    let mut tape = Tape::with_sends(&[("ok-0", "m0"), ("ok-1", "m1")]);
    tape.got("w-0-1", "m0")
        .effect("w-0-1", "ok-0")
        .killed("w-0-1", "ok-0", "before-delete")
        .t(30)
        .dead("m0", 1);
    tape.got("w-0-2", "m1").effect("w-0-2", "ok-1").t(60).dead("m1", 1).depth("DLQ", 2, 0, 0);
    assert_eq!(cause(&mut tape, &scenario, "expect[0]"), "never-deleted");
}
