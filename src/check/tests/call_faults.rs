//! Diagnoses of what consumers make of faults of their calls and deliveries, and what is theirs no
//! more because a fault did it.

use super::dsl::{Tape, claim, drill, secs};
use crate::check::Verdict;
use crate::history::Attribution;
use crate::scenario::{Claim, Scenario};

/// Exactly one effect, and nothing is lost.
fn once(label: &str) -> Scenario {
    let claim = Claim::Effect { of: label.into(), effect: "charges".into(), exactly: 1, within: None };
    drill(&[(label, 1)], vec![claim])
}

fn dead_lettered(label: &str) -> Scenario {
    let claim =
        Claim::DeadLettered { of: label.into(), queue: "DLQ".into(), receives: Some(3), within: None };
    drill(&[(label, 1)], vec![claim])
}

/// It comes again after a minute or later, which is false where it was dead-lettered or deleted.
fn later(label: &str) -> Scenario {
    let claim = Claim::Redelivered { of: label.into(), not_before: Some(secs(60)), within: None };
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

fn refused(tape: &mut Tape, receives: u64, code: &str) {
    for receive in 0..receives {
        tape.t(receive * 30).got("w-0-1", "m1").effect("w-0-1", "ok-0");
        let receipt = format!("m1/{}", receive + 1);
        tape.struck("f", "w-0-1", "DeleteMessage").deleted_with("Q", "w-0-1", "m1", &receipt, Some(code));
    }
}

#[test]
fn cannot_delete() {
    let mut tape = one("ok-0");
    refused(&mut tape, 3, "AccessDenied");
    tape.t(90).dead("m1", 3);
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "cannot-delete");
}

#[test]
fn a_denial_that_did_not_last_is_a_failure_that_was_ignored() {
    let mut tape = one("ok-0");
    refused(&mut tape, 1, "AccessDenied");
    tape.t(30).got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "delete-failure-ignored");
}

#[test]
fn a_delete_that_is_cut_off_each_time_is_no_missing_delete() {
    let mut tape = one("ok-0");
    refused(&mut tape, 3, "ConnectionReset");
    tape.t(90).dead("m1", 3);
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "delete-failure-ignored");
}

#[test]
fn a_delete_that_got_lost_is_not_the_consumers_mistake_and_a_second_effect_is() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").delete_swallowed("w-0-1", "m1");
    tape.t(30).got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "no-idempotency");
}

#[test]
fn done_and_dead_lettered_after_a_delete_that_got_lost() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").delete_swallowed("w-0-1", "m1");
    tape.t(30).got("w-0-1", "m1").t(60).got("w-0-1", "m1").t(90).dead("m1", 3).depth("DLQ", 1, 0, 0);
    assert_eq!(cause(&mut tape, &later("ok"), "expect[0]"), "done-and-dead-lettered");
}

#[test]
fn one_that_deletes_each_time_and_in_vain_did_nothing_wrong() {
    let mut tape = one("ok-0");
    for receive in 0..3 {
        tape.t(receive * 30).got("w-0-1", "m1");
        tape.effect_of("w-0-1", Some("ok-0"), Attribution::Key, receive > 0).delete_swallowed("w-0-1", "m1");
    }
    tape.t(90).dead("m1", 3);
    assert_eq!(cause(&mut tape, &later("ok"), "expect[0]"), "unknown");
}

#[test]
fn never_deleted_is_told_although_a_call_of_the_process_was_hit() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").struck("slow", "w-0-1", "SendMessage").effect("w-0-1", "ok-0");
    tape.t(30).got("w-0-1", "m1").effect("w-0-1", "ok-0");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "never-deleted");
}

#[test]
fn a_message_that_is_to_be_dead_lettered_and_was_deleted_is_a_swallowed_error() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1");
    assert_eq!(cause(&mut tape, &dead_lettered("ok"), "expect[0]"), "swallowed-error");
    assert_eq!(cause(&mut tape, &dead_lettered("ok"), "always nothing_discarded"), "swallowed-error");
    // One that was to be processed tells nothing of an error.
    assert_eq!(cause(&mut tape, &once("ok"), "always nothing_discarded"), "unknown");
}

#[test]
fn a_delivery_that_a_fault_repeats_is_no_short_visibility() {
    let mut tape = one("ok-0");
    tape.got("w-0-1", "m1").got_twice("w-1-1", "m1").effect("w-0-1", "ok-0").effect("w-1-1", "ok-0");
    tape.deleted("w-0-1", "m1");
    assert_eq!(cause(&mut tape, &once("ok"), "expect[0]"), "no-idempotency");
}
