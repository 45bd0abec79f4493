use havoq_base::StackDuration;

use super::dsl::{Tape, claim, drill, secs};
use crate::check::Verdict;
use crate::scenario::{Claim, Scenario};

fn claimed(receives: Option<u32>, within: Option<StackDuration>) -> Scenario {
    let claim = Claim::DeadLettered { of: "bad".into(), queue: "DLQ".into(), receives, within };
    drill(&[("bad", 1)], vec![claim])
}

fn poisoned(receives: u32) -> Tape {
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    for receive in 0..receives {
        tape.t(u64::from(receive) * 30).got("w-0-1", "m1");
    }
    tape.t(u64::from(receives) * 30);
    tape
}

#[test]
fn after_exactly_three_receives_passes() {
    let mut tape = poisoned(3);
    tape.dead("m1", 3).horizon();
    let judged = tape.judge(&claimed(Some(3), Some(secs(1800))));
    assert_eq!(claim(&judged, "expect[0] dead_lettered").verdict, Verdict::Pass);
    assert_eq!(judged.verdict, Verdict::Pass, "{judged:#?}");
}

#[test]
fn after_two_receives_fails_with_both_numbers() {
    let mut tape = poisoned(2);
    tape.dead("m1", 2).horizon();
    let found = tape.first(&claimed(Some(3), None));
    assert_eq!(found.verdict, Verdict::Fail);
    assert_eq!(found.reason, "bad-0 was dead-lettered after 2 receives, not 3");
    assert_eq!(found.evidence.len(), 3);
    assert!(found.story.iter().any(|line| line.text.contains("moved from Q to DLQ after 2 receives")));
}

#[test]
fn a_receive_that_the_consumer_never_saw_counts_as_the_stack_counts_it() {
    let mut tape = poisoned(2);
    tape.got_unseen("w-0-1", "m1").t(120).dead("m1", 3).horizon();
    assert_eq!(tape.first(&claimed(Some(3), None)).verdict, Verdict::Pass);
}

#[test]
fn counts_that_contradict_each_other_are_an_error_and_no_verdict() {
    let mut tape = poisoned(2);
    tape.dead("m1", 3).horizon();
    let found = tape.first(&claimed(Some(3), None));
    assert_eq!(found.verdict, Verdict::Error);
    assert!(found.reason.contains("contradict"), "{}", found.reason);
}

#[test]
fn at_the_deadline_is_in_time_and_just_after_it_is_not() {
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.got("w-0-1", "m1").after(1, secs(60)).dead("m1", 1).horizon();
    assert_eq!(tape.first(&claimed(None, Some(secs(60)))).verdict, Verdict::Pass);

    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.got("w-0-1", "m1").after(1, secs(60) + StackDuration::from_micros(1)).dead("m1", 1).horizon();
    let found = tape.first(&claimed(None, Some(secs(60))));
    assert_eq!(found.verdict, Verdict::Fail);
    assert!(found.reason.contains("after the deadline"), "{}", found.reason);
}

#[test]
fn one_of_two_that_is_deleted_instead_fails() {
    let claim = Claim::DeadLettered { of: "bad".into(), queue: "DLQ".into(), receives: None, within: None };
    let scenario = drill(&[("bad", 2)], vec![claim]);
    let mut tape = Tape::with_sends(&[("bad-0", "m1"), ("bad-1", "m2")]);
    tape.got("w-0-1", "m1").got("w-0-1", "m2").deleted("w-0-1", "m2").t(30).dead("m1", 1).horizon();
    let found = tape.first(&scenario);
    assert_eq!(found.verdict, Verdict::Fail);
    assert_eq!(found.reason, "bad-1 was not moved into DLQ: it was deleted after 1 receive");
    assert_eq!(found.diagnosis.as_deref(), Some("swallowed-error"));
}

#[test]
fn every_copy_of_a_marker_must_be_moved() {
    let mut scenario = claimed(None, None);
    scenario.inject.clear();
    let mut tape = Tape::with_sends(&[("bad-0", "m1"), ("bad-0", "m2")]);
    tape.got("w-0-1", "m1").dead("m1", 1).horizon();
    assert_eq!(tape.first(&scenario).verdict, Verdict::Fail);
}

#[test]
fn a_redriven_message_was_dead_lettered_all_the_same() {
    let mut tape = poisoned(3);
    tape.dead("m1", 3).redriven("m1", "m2").got("w-0-1", "m2").deleted("w-0-1", "m2").horizon();
    assert_eq!(tape.first(&claimed(Some(3), None)).verdict, Verdict::Pass);
}

#[test]
fn a_label_without_messages_is_vacuous() {
    let mut scenario = claimed(None, None);
    scenario.inject = drill(&[("other", 1)], Vec::new()).inject;
    let mut tape = Tape::with_sends(&[("other-0", "m1")]);
    tape.horizon();
    let found = tape.first(&scenario);
    assert_eq!(found.verdict, Verdict::Inconclusive);
    assert!(found.reason.contains("nothing to judge"), "{}", found.reason);
}

#[test]
fn fewer_accepted_than_asked_for_do_not_pass() {
    let claim = Claim::DeadLettered { of: "bad".into(), queue: "DLQ".into(), receives: None, within: None };
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.got("w-0-1", "m1").dead("m1", 1).horizon();
    let found = tape.first(&drill(&[("bad", 2)], vec![claim]));
    assert_eq!(found.verdict, Verdict::Inconclusive);
    assert_eq!(found.reason, "only 1 of 2 `bad` were accepted by the stack");
}

#[test]
fn what_an_idle_consumer_left_lying_is_not_the_consumers_failure() {
    let mut tape = poisoned(1);
    tape.t(40).idle("w-0-1").t(4000).horizon();
    let found = tape.first(&claimed(Some(3), Some(secs(1800))));
    assert_eq!(found.verdict, Verdict::Inconclusive);
    assert!(found.reason.contains("live but idle"), "{}", found.reason);
}

#[test]
fn an_idle_consumer_does_not_excuse_what_it_was_given_later() {
    let mut tape = poisoned(1);
    tape.t(40).idle("w-0-1").t(50).got("w-0-1", "m1").deleted("w-0-1", "m1").horizon();
    assert_eq!(tape.first(&claimed(Some(3), None)).verdict, Verdict::Fail);
}

#[test]
fn a_history_cut_short_leaves_it_open() {
    let mut tape = poisoned(2);
    tape.cut_short();
    let found = tape.first(&claimed(Some(3), Some(secs(1800))));
    assert_eq!(found.verdict, Verdict::Inconclusive);
    assert!(found.reason.contains("timeout after 60s"), "{}", found.reason);
}
