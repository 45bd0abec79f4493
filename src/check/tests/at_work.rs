use super::dsl::{Tape, claim, drill, secs};
use crate::check::{ClaimVerdict, Verdict};
use crate::scenario::{AlarmState, Claim, ConsumerTime, Program, Scenario};

use Verdict::{Fail, Inconclusive, Pass};

fn poisoned() -> Scenario {
    let none = Claim::NoEffect { of: "bad".into(), effect: None };
    let once = Claim::Effect { of: "ok".into(), effect: "charges".into(), exactly: 1, within: None };
    drill(&[("ok", 1), ("bad", 1)], vec![none, once])
}

/// `w-0-1` charges the order and has the poison, of which it does nothing.
fn tape() -> Tape {
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("bad-0", "m2")]);
    tape.started("w-0-1").got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    tape.got("w-0-1", "m2").jumped(31).dead("m2", 3);
    tape
}

fn verdicts(tape: &Tape) -> [ClaimVerdict; 2] {
    let judged = tape.judge(&poisoned());
    [claim(&judged, "expect[0]"), claim(&judged, "expect[1]")]
}

#[test]
fn one_that_polls_on_is_done_with_what_it_left() {
    let [none, once] = verdicts(tape().horizon());
    assert_eq!((none.verdict, once.verdict), (Pass, Pass), "{none:?}");
}

#[test]
fn one_that_holds_and_does_not_come_back_may_still_be_at_work() {
    let [none, once] = verdicts(tape().horizon_with("w-0-1"));
    assert_eq!((none.verdict, once.verdict), (Inconclusive, Pass));
    assert!(none.reason.contains("may still be at work"), "{}", none.reason);
}

#[test]
fn so_may_one_that_was_found_idle_until_it_polls_again() {
    let [none, _] = verdicts(tape().idle("w-0-1").horizon());
    assert_eq!(none.verdict, Inconclusive);
    let [none, _] = verdicts(tape().idle("w-0-1").polled("w-0-1").horizon());
    assert_eq!(none.verdict, Pass);
}

#[test]
fn one_that_has_exited_is_done() {
    let [none, _] = verdicts(tape().idle("w-0-1").crashed("w-0-1").horizon());
    assert_eq!(none.verdict, Pass);
}

#[test]
fn an_act_after_the_end_leaves_no_absence_certain() {
    let mut late = tape();
    late.horizon().deleted("w-0-1", "m2");
    let [none, once] = verdicts(&late);
    assert_eq!((none.verdict, once.verdict), (Inconclusive, Inconclusive));
    assert!(none.reason.contains("after the end was reached"), "{}", none.reason);
    let mut late = tape();
    late.horizon().effect("w-0-1", "bad-0");
    assert_eq!(verdicts(&late)[0].verdict, Fail, "an effect is a counterexample, however late");
}

#[test]
fn what_a_busy_holder_has_not_done_on_a_jumping_clock_may_come() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("bad-0", "m2")]);
    tape.started("w-0-1").got("w-0-1", "m1").jumped(31).horizon_with("w-0-1");
    assert_eq!(verdicts(&tape)[1].verdict, Inconclusive);
}

/// The consumer is a command that declares nothing.
fn remembered(declared: bool) -> ClaimVerdict {
    let once = Claim::Effect { of: "ok".into(), effect: "charges".into(), exactly: 1, within: None };
    let mut scenario = drill(&[("ok", 1)], vec![once]);
    if let Some(consumer) = scenario.consumers.get_mut("w") {
        consumer.runs = Program::Command(vec!["consumer".into()]);
        consumer.keeps_no_wall_clock_state = declared;
        consumer.time = ConsumerTime::Own;
    }
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").jumped(31);
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1").horizon();
    tape.first(&scenario)
}

#[test]
fn what_a_process_remembers_over_a_jump_may_have_lapsed() {
    let undeclared = remembered(false);
    assert_eq!(undeclared.verdict, Inconclusive);
    assert!(undeclared.reason.contains("wall_clock: none"), "{}", undeclared.reason);
    assert_eq!(remembered(true).verdict, Pass);
}

#[test]
fn a_source_queues_alarm_that_came_back_to_ok_needs_the_real_clock() {
    let back = |queue: &str| {
        let claim = Claim::Alarm {
            name: "A".into(),
            reaches: AlarmState::Ok,
            after: Some(AlarmState::Alarm),
            notifies: None,
            within: Some(secs(600)),
        };
        let mut scenario = drill(&[("ok", 1)], vec![claim]);
        let alarm = super::dsl::alarm_on(crate::scenario::DimensionValue::QueueNameOf(queue.into()));
        scenario.stack.alarms.insert("A".into(), alarm);
        let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
        tape.alarm("OK", "ALARM").jumped(60).got("w-0-1", "m1").effect("w-0-1", "ok-0");
        tape.deleted("w-0-1", "m1").jumped(120).alarm("ALARM", "OK").horizon();
        tape.first(&scenario).verdict
    };
    assert_eq!(back("Q"), Inconclusive);
    assert_eq!(back("DLQ"), Pass);
}

#[test]
fn what_nobody_received_puts_nobody_to_the_test() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("bad-0", "m2")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1").crashed("w-0-1").horizon();
    let [none, once] = verdicts(&tape);
    assert_eq!((none.verdict, once.verdict), (Inconclusive, Pass));
    assert!(none.reason.contains("never received"), "{}", none.reason);
}
