//! A foreign stack is seen from outside only: what it does not show is no counterexample, and no
//! proof either.

use super::dsl::{Tape, claim, drain_dlq, drill, secs, step};
use crate::check::{ClaimVerdict, Verdict};
use crate::history::Phase;
use crate::scenario::{Action, AlarmState, Claim, MissingData, RedriveStep, Scaled, Scenario};

/// One message was sent there as the only step.
fn afar(marker: &str) -> Tape {
    let mut tape = Tape::blank();
    tape.load("http://127.0.0.1:4566");
    tape.begin(Phase::Inject, 0, "send").sent(marker, "m1").end(Phase::Inject, 0);
    tape
}

fn told(found: &ClaimVerdict, verdict: Verdict, reason: &str) {
    assert_eq!(found.verdict, verdict, "{}", found.reason);
    assert!(found.reason.contains(reason), "{}", found.reason);
}

fn alarm(reaches: AlarmState, notifies: bool) -> Scenario {
    let notifies = notifies.then(|| "T".to_owned());
    let claim = Claim::Alarm { name: "A".into(), reaches, after: None, notifies, within: Some(secs(60)) };
    drill(&[("bad", 1)], vec![claim])
}

#[test]
fn an_alarm_that_nobody_evaluates_is_not_judged() {
    let mut tape = afar("bad-0");
    tape.t(100).horizon();
    told(&tape.first(&alarm(AlarmState::Alarm, false)), Verdict::Inconclusive, "not seen to evaluate alarms");
    let mut tape = afar("bad-0");
    tape.alarm("INSUFFICIENT_DATA", "OK").t(100).horizon();
    // That one became OK without data shows nothing of data either.
    told(&tape.first(&alarm(AlarmState::Alarm, false)), Verdict::Inconclusive, "not seen to evaluate alarms");
}

#[test]
fn an_alarm_that_is_evaluated_is_judged() {
    let mut tape = afar("bad-0");
    tape.alarm("INSUFFICIENT_DATA", "ALARM").t(100).horizon();
    told(&tape.first(&alarm(AlarmState::Alarm, false)), Verdict::Inconclusive, "without ever having been OK");
    assert_eq!(tape.first(&alarm(AlarmState::Ok, false)).verdict, Verdict::Fail);
    let mut by_default = alarm(AlarmState::Ok, false);
    by_default.stack.alarms.get_mut("A").expect("the alarm").missing_data = MissingData::Breaching;
    told(&tape.first(&by_default), Verdict::Inconclusive, "not seen to evaluate alarms");
}

#[test]
fn a_notification_that_is_not_heard_is_not_judged_until_one_was() {
    let scenario = alarm(AlarmState::Alarm, true);
    let mut tape = afar("bad-0");
    tape.alarm("INSUFFICIENT_DATA", "ALARM").t(100).horizon();
    told(&tape.first(&scenario), Verdict::Inconclusive, "was not heard even once");
    let mut tape = afar("bad-0");
    tape.alarm("INSUFFICIENT_DATA", "OK").action("OK").alarm("OK", "ALARM").t(100).horizon();
    assert_eq!(tape.first(&scenario).verdict, Verdict::Fail);
}

#[test]
fn staying_ok_proves_nothing_where_nothing_was_evaluated() {
    let stays = drill(&[("bad", 1)], vec![Claim::Stays { alarm: "A".into(), is: AlarmState::Ok }]);
    let mut tape = Tape::blank();
    tape.load("http://127.0.0.1:4566").alarm("INSUFFICIENT_DATA", "OK");
    tape.begin(Phase::Inject, 0, "send").sent("bad-0", "m1").end(Phase::Inject, 0);
    tape.horizon();
    told(&tape.first(&stays), Verdict::Inconclusive, "not seen to evaluate alarms");
}

#[test]
fn what_a_probe_found_against_the_stack_is_named() {
    let probed = |check: &str| {
        let mut tape = Tape::blank();
        tape.load("http://127.0.0.1:4566").probed(check, "wrong", "expected a; saw b");
        tape.begin(Phase::Inject, 0, "send").sent("bad-0", "m1").end(Phase::Inject, 0).t(700).horizon();
        tape
    };
    let redelivered = Claim::Redelivered { of: "bad".into(), not_before: None, within: Some(secs(60)) };
    let redelivered = drill(&[("bad", 1)], vec![redelivered]);
    for (scenario, check) in [
        (dead_lettered(), "sqs-dlq-after-maximum"),
        (redelivered, "sqs-visibility-returns"),
        (alarm(AlarmState::Alarm, false), "cw-alarm-depth"),
    ] {
        let named = format!("check {check} is wrong: expected a; saw b");
        told(&probed(check).first(&scenario), Verdict::Inconclusive, &named);
        let other = probed("sqs-move-to-source").first(&scenario);
        assert!(!other.reason.contains("probe"), "{}", other.reason);
    }
}

fn dead_lettered() -> Scenario {
    let (of, queue, within) = ("bad".to_owned(), "DLQ".to_owned(), Some(secs(600)));
    drill(&[("bad", 1)], vec![Claim::DeadLettered { of, queue, receives: Some(3), within }])
}

#[test]
fn a_move_that_was_inferred_counts_like_one_that_was_told() {
    let mut tape = afar("bad-0");
    tape.got("w-0-1", "m1").t(31).got("w-0-1", "m1").t(62).got("w-0-1", "m1").t(93).dead("m1", 3).horizon();
    assert_eq!(tape.first(&dead_lettered()).verdict, Verdict::Pass);
}

#[test]
fn a_move_that_was_seen_late_may_have_been_done_in_time() {
    let mut tape = afar("bad-0");
    tape.got("w-0-1", "m1").t(31).got("w-0-1", "m1").t(62).got("w-0-1", "m1").t(700).dead("m1", 3).horizon();
    told(&tape.first(&dead_lettered()), Verdict::Inconclusive, "may have been there before");
    let mut tape = afar("bad-0");
    tape.got("w-0-1", "m1").t(31).got("w-0-1", "m1").t(580).got("w-0-1", "m1").t(700).dead("m1", 3).horizon();
    assert_eq!(tape.first(&dead_lettered()).verdict, Verdict::Fail, "it was held beyond the deadline");
}

#[test]
fn a_stack_that_delivers_for_ever_is_what_is_wrong() {
    let mut tape = afar("bad-0");
    for second in 0..5 {
        tape.t(second * 31).got("w-0-1", "m1");
    }
    tape.t(700).cut_short();
    told(&tape.first(&dead_lettered()), Verdict::Inconclusive, "does not dead-letter as SQS does");
}

#[test]
fn what_could_not_be_looked_at_may_be_there() {
    let mut tape = afar("bad-0");
    tape.depth("DLQ", 1, 0, 0).t(700).horizon();
    told(&tape.first(&dead_lettered()), Verdict::Inconclusive, "only 0 of the 1 messages in DLQ");
    let mut read = dead_lettered();
    drain_dlq(&mut read);
    let mut tape = afar("bad-0");
    tape.t(700).horizon();
    told(&tape.first(&read), Verdict::Inconclusive, "a consumer reads DLQ");
    assert_eq!(tape.first(&dead_lettered()).verdict, Verdict::Fail, "the queue is empty, as far as seen");
}

fn one_effect(within: u64) -> Scenario {
    let (of, effect) = ("ok".to_owned(), "charges".to_owned());
    let within = Some(secs(within));
    drill(&[("ok", 1)], vec![Claim::Effect { of, effect, exactly: 1, within }])
}

#[test]
fn a_message_that_is_nowhere_is_not_the_consumers_loss() {
    let mut tape = afar("ok-0");
    tape.depth("Q", 0, 0, 0).t(100).horizon();
    let judged = tape.judge(&one_effect(60));
    told(&claim(&judged, "always nothing_lost"), Verdict::Inconclusive, "where it went cannot be told");
    told(&claim(&judged, "expect[0]"), Verdict::Inconclusive, "where it went cannot be told");
}

#[test]
fn a_message_that_its_dead_holder_deleted_is_lost_anywhere() {
    let mut tape = afar("ok-0");
    tape.started("w-0-1").got("w-0-1", "m1").deleted("w-0-1", "m1").killed("w-0-1", "ok-0", "before-effect");
    tape.depth("Q", 0, 0, 0).t(100).horizon();
    assert_eq!(claim(&tape.judge(&one_effect(60)), "always nothing_lost").verdict, Verdict::Fail);
}

#[test]
fn a_redrive_that_the_stack_cannot_do_is_not_an_error() {
    let mut scenario = one_effect(60);
    let redrive = RedriveStep { from: "DLQ".into(), to: None, rate: None };
    scenario.inject.push(step(Action::Redrive(redrive)));
    let mut tape = afar("ok-0");
    tape.begin(Phase::Inject, 1, "redrive").fail_step(Phase::Inject, 1, "this stack does not do it");
    tape.cut_short();
    told(&claim(&tape.judge(&scenario), "always steps_done"), Verdict::Inconclusive, "does not do it");
}

/// Judged as if its durations had been sixty times as long.
fn scaled(mut scenario: Scenario) -> Scenario {
    let scale = "1/60".parse().expect("a scale");
    scenario.scaled = Some(Scaled { scale, unfit: Vec::new() });
    scenario
}

#[test]
fn what_comes_late_at_a_scale_is_not_judged_and_what_never_comes_is_false() {
    let mut late = afar("ok-0");
    late.got("w-0-1", "m1").t(7).effect("w-0-1", "ok-0").deleted("w-0-1", "m1").horizon();
    assert_eq!(late.first(&one_effect(5)).verdict, Verdict::Fail);
    told(&late.first(&scaled(one_effect(5))), Verdict::Inconclusive, "real work does not shrink");
    let mut never = afar("ok-0");
    never.got("w-0-1", "m1").deleted("w-0-1", "m1").t(7).horizon();
    assert_eq!(never.first(&scaled(one_effect(5))).verdict, Verdict::Fail);
    let mut open = afar("ok-0");
    open.t(7).cut_short();
    assert_eq!(open.first(&scaled(one_effect(5))).verdict, Verdict::Inconclusive);
}

#[test]
fn work_that_outlasts_a_scaled_timeout_spoils_the_run() {
    let mut tape = afar("ok-0");
    tape.got("w-0-1", "m1").t(32).got("w-1-1", "m1").effect("w-1-1", "ok-0");
    tape.t(40).effect("w-0-1", "ok-0").deleted("w-0-1", "m1").horizon();
    assert_eq!(tape.first(&one_effect(60)).verdict, Verdict::Fail);
    let judged = tape.judge(&scaled(one_effect(60)));
    told(&claim(&judged, "always scale_sound"), Verdict::Inconclusive, "longer than the visibility timeout");
    told(&claim(&judged, "expect[0]"), Verdict::Inconclusive, "not judged");
}

#[test]
fn the_effect_of_another_copy_is_no_late_work() {
    let mut tape = afar("ok-0");
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    tape.t(40).sent("ok-0", "m2").got("w-0-1", "m2").effect("w-0-1", "ok-0").deleted("w-0-1", "m2").horizon();
    let judged = tape.judge(&scaled(one_effect(60)));
    assert_eq!(claim(&judged, "always scale_sound").verdict, Verdict::Pass);
    assert_eq!(claim(&judged, "expect[0]").verdict, Verdict::Fail);
}

#[test]
fn what_cannot_be_scaled_is_not_judged() {
    let mut scenario = scaled(one_effect(60));
    scenario.scaled.as_mut().expect("scaled").unfit.push("the visibility timeout of Q would be 500ms".into());
    let mut tape = afar("ok-0");
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1").horizon();
    told(&tape.first(&scenario), Verdict::Inconclusive, "would be 500ms");
}
