//! What goes wrong between a function and its event source mapping is told apart.

use super::dsl::{Tape, claim, drill};
use crate::check::Verdict;
use crate::check::tests::tape::instance;
use crate::history::{InvocationOutcome, Kind};
use crate::scenario::{Claim, Scenario};

fn once(labels: &[(&str, u32)], label: &str) -> Scenario {
    let claim = Claim::Effect { of: label.into(), effect: "charges".into(), exactly: 1, within: None };
    drill(labels, vec![claim])
}

fn invoked(tape: &mut Tape, request: &str, messages: &[&str]) {
    tape.add(Kind::Invoked {
        function: "f".into(),
        request_id: request.into(),
        by: Some(instance("f-0-1")),
        environment: Some(1),
        messages: messages.iter().map(|id| (*id).into()).collect(),
    });
}

fn ended(tape: &mut Tape, request: &str, outcome: InvocationOutcome) {
    tape.add(Kind::InvocationEnded {
        function: "f".into(),
        request_id: request.into(),
        by: Some(instance("f-0-1")),
        outcome,
        error: None,
    });
}

fn settled(tape: &mut Tape, request: Option<&str>, returned: &[&str], reported: &[&str], reason: &str) {
    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).into()).collect();
    tape.add(Kind::BatchSettled {
        function: "f".into(),
        by: Some(instance("f-0-1")),
        request_id: request.map(str::to_owned),
        deleted: Vec::new(),
        returned: ids(returned),
        reported: ids(reported),
        reason: reason.into(),
        why: format!("because it is {reason}"),
    });
}

fn diagnosis(mut tape: Tape, scenario: &Scenario) -> (Option<String>, String) {
    tape.horizon();
    let found = claim(&tape.judge(scenario), "expect[0]");
    assert_eq!(found.verdict, Verdict::Fail, "{}", found.reason);
    (found.diagnosis, found.reason)
}

fn dead(label: &str) -> Scenario {
    let claim = Claim::DeadLettered { of: label.into(), queue: "DLQ".into(), receives: None, within: None };
    drill(&[(label, 1)], vec![claim])
}

#[test]
fn a_report_that_is_ignored_is_named_before_the_swallowed_error() {
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.got("f-0-1", "m1");
    invoked(&mut tape, "r", &["m1"]);
    ended(&mut tape, "r", InvocationOutcome::Returned);
    settled(&mut tape, Some("r"), &[], &["m1"], "report-ignored");
    tape.deleted("f-0-1", "m1");
    let (diagnosis, reason) = diagnosis(tape, &dead("bad"));
    assert_eq!(diagnosis.as_deref(), Some("report-ignored"));
    assert!(reason.ends_with("because it is report-ignored"), "{reason}");
}

#[test]
fn a_message_that_no_invocation_had_was_throttled_into_the_dead_letter_queue() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("f-0-1", "m1");
    tape.add(Kind::Throttled {
        function: "f".into(),
        by: Some(instance("f-0-1")),
        messages: vec!["m1".into()],
    });
    tape.t(30).dead("m1", 1);
    assert_eq!(diagnosis(tape, &once(&[("ok", 1)], "ok")).0.as_deref(), Some("throttled-into-dlq"));
}

/// A batch of two whose invocation failed after the effect of the first.
fn failed_batch(outcome: InvocationOutcome) -> Tape {
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("bad-0", "m2")]);
    tape.got("f-0-1", "m1").got("f-0-1", "m2");
    invoked(&mut tape, "r", &["m1", "m2"]);
    tape.effect("f-0-1", "ok-0");
    ended(&mut tape, "r", outcome);
    settled(&mut tape, Some("r"), &["m1", "m2"], &[], "failed");
    tape.t(30).got("f-0-1", "m1");
    invoked(&mut tape, "s", &["m1"]);
    tape.effect("f-0-1", "ok-0");
    ended(&mut tape, "s", InvocationOutcome::Returned);
    tape.deleted("f-0-1", "m1");
    tape
}

#[test]
fn done_work_that_comes_back_with_its_batch_is_a_whole_batch_retry_unless_the_process_ended() {
    let scenario = once(&[("ok", 1), ("bad", 1)], "ok");
    let of = |outcome| diagnosis(failed_batch(outcome), &scenario).0;
    assert_eq!(of(InvocationOutcome::Failed).as_deref(), Some("whole-batch-retry"));
    assert_eq!(of(InvocationOutcome::Exited).as_deref(), Some("no-idempotency"));
}

#[test]
fn a_finished_message_that_all_later_receives_refuse_is_dead_lettered() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").killed("w-0-1", "ok-0", "after-effect");
    tape.t(30).got("w-0-2", "m1").t(60).got("w-0-2", "m1").t(90).dead("m1", 3);
    let bound = crate::scenario::Bound { at_least: None, at_most: Some(0) };
    let empty = Claim::Depth {
        queue: "DLQ".into(),
        visible: Some(bound),
        in_flight: None,
        delayed: None,
        within: None,
    };
    tape.depth("DLQ", 1, 0, 0);
    let found = diagnosis(tape, &drill(&[("ok", 1)], vec![empty])).0;
    assert_eq!(found.as_deref(), Some("done-and-dead-lettered"));
}
