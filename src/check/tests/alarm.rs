use super::dsl::{Tape, claim, drain_dlq, drill, secs};
use crate::check::Verdict;
use crate::history::{Phase, Withheld};
use crate::scenario::{AlarmState, Claim, DimensionValue, Scenario};

fn reaches(state: AlarmState, after: Option<AlarmState>, notifies: bool) -> Scenario {
    let notifies = notifies.then(|| "T".to_owned());
    let claim = Claim::Alarm { name: "A".into(), reaches: state, after, notifies, within: Some(secs(1200)) };
    drill(&[("bad", 1)], vec![claim])
}

fn fires() -> Scenario {
    reaches(AlarmState::Alarm, None, false)
}

fn stays(is: AlarmState) -> Scenario {
    drill(&[("bad", 1)], vec![Claim::Stays { alarm: "A".into(), is }])
}

/// The alarm was OK when the only step, a send, was done.
fn calm() -> Tape {
    let mut tape = Tape::new();
    tape.alarm("INSUFFICIENT_DATA", "OK");
    tape.begin(Phase::Inject, 0, "poison").sent("bad-0", "m1").end(Phase::Inject, 0);
    tape
}

#[test]
fn a_transition_after_the_injection_passes_without_a_horizon() {
    let mut tape = calm();
    tape.t(200).alarm("OK", "ALARM");
    assert_eq!(tape.first(&fires()).verdict, Verdict::Pass);
}

#[test]
fn the_deadline_is_part_of_the_time() {
    let mut tape = calm();
    tape.after(0, secs(1200)).alarm("OK", "ALARM");
    assert_eq!(tape.first(&fires()).verdict, Verdict::Pass);
    let mut tape = calm();
    tape.after(0, secs(1201)).alarm("OK", "ALARM");
    assert_eq!(tape.first(&fires()).verdict, Verdict::Fail);
}

#[test]
fn a_transition_before_the_injection_does_not_count() {
    let mut tape = Tape::new();
    tape.alarm("INSUFFICIENT_DATA", "ALARM");
    tape.begin(Phase::Inject, 0, "poison").sent("bad-0", "m1").end(Phase::Inject, 0).t(1300).horizon();
    let found = tape.first(&fires());
    assert_eq!(found.verdict, Verdict::Fail);
    assert!(found.reason.starts_with("A did not reach ALARM: it was ALARM throughout"), "{}", found.reason);
}

#[test]
fn before_the_deadline_a_silent_alarm_is_open_even_at_the_horizon() {
    let mut tape = calm();
    tape.t(600).horizon();
    assert_eq!(tape.first(&fires()).verdict, Verdict::Inconclusive);
}

#[test]
fn without_a_deadline_the_alarm_gets_its_window() {
    let claim = Claim::Alarm {
        name: "A".into(),
        reaches: AlarmState::Alarm,
        after: None,
        notifies: None,
        within: None,
    };
    let scenario = drill(&[("bad", 1)], vec![claim]);
    let mut tape = calm();
    tape.t(100).horizon();
    assert_eq!(tape.first(&scenario).verdict, Verdict::Inconclusive);
    let mut tape = calm();
    tape.t(300).horizon();
    assert_eq!(tape.first(&scenario).verdict, Verdict::Fail);
}

#[test]
fn after_asks_for_the_other_state_in_between() {
    let recovers = reaches(AlarmState::Ok, Some(AlarmState::Alarm), false);
    let mut tape = calm();
    tape.t(100).alarm("OK", "ALARM").t(200).alarm("ALARM", "OK");
    assert_eq!(tape.first(&recovers).verdict, Verdict::Pass);
    let mut tape = calm();
    tape.t(100).alarm("OK", "INSUFFICIENT_DATA").t(200).alarm("INSUFFICIENT_DATA", "OK").t(1300).horizon();
    assert_eq!(tape.first(&recovers).verdict, Verdict::Fail);
}

#[test]
fn notifies_asks_for_the_action_of_that_transition() {
    let told = reaches(AlarmState::Alarm, None, true);
    let mut tape = calm();
    tape.t(100).alarm("OK", "ALARM").action("ALARM");
    assert_eq!(tape.first(&told).verdict, Verdict::Pass);
    let mut tape = calm();
    tape.t(100).alarm("OK", "ALARM").t(200).alarm("ALARM", "OK").action("OK").t(1300).horizon();
    let found = tape.first(&told);
    assert_eq!(found.verdict, Verdict::Fail);
    assert!(found.reason.contains("with an action on T"), "{}", found.reason);
}

#[test]
fn an_alarm_that_cannot_fire_is_named() {
    let wrong = |change: &dyn Fn(&mut crate::scenario::Alarm)| {
        let mut scenario = fires();
        change(scenario.stack.alarms.get_mut("A").expect("the drill has it"));
        let mut tape = calm();
        tape.t(1300).horizon();
        tape.first(&scenario)
    };
    let cases = [
        wrong(&|alarm| alarm.namespace = "SQS".into()),
        wrong(&|alarm| alarm.metric = "NumberOfMessagesSent".into()),
        wrong(&|alarm| alarm.metric = "MessagesVisible".into()),
        wrong(&|alarm| alarm.dimensions[0].1 = DimensionValue::Literal("orders-dql".into())),
        wrong(&|alarm| alarm.dimensions[0].0 = "Queue".into()),
        wrong(&|alarm| alarm.statistic = crate::scenario::Statistic::SampleCount),
    ];
    for found in cases {
        assert_eq!(found.verdict, Verdict::Fail);
        assert_eq!(found.diagnosis.as_deref(), Some("alarm-cannot-fire"), "{}", found.reason);
        assert!(found.reason.contains("; A "), "{}", found.reason);
    }
}

#[test]
fn a_drained_dead_letter_queue_is_named() {
    let mut scenario = fires();
    drain_dlq(&mut scenario);
    let mut tape = calm();
    tape.t(10).got("w-0-1", "m1").t(40).dead("m1", 1).got_from("DLQ", "d-0-1", "m1", Withheld::No);
    tape.deleted_with("DLQ", "d-0-1", "m1", "m1/2", None).t(1300).horizon();
    let found = tape.first(&scenario);
    assert_eq!(found.verdict, Verdict::Fail);
    assert_eq!(found.diagnosis.as_deref(), Some("alarm-on-drained-dlq"));
    assert!(found.story.iter().any(|line| line.text.contains("d-0-1 received 1 message from DLQ")));
}

#[test]
fn a_silent_alarm_behind_an_idle_consumer_is_inconclusive() {
    let mut tape = calm();
    tape.t(10).idle("w-0-1").t(1300).horizon();
    assert_eq!(tape.first(&fires()).verdict, Verdict::Inconclusive);
}

#[test]
fn stays_ok_passes_at_the_horizon_only() {
    let mut tape = calm();
    tape.t(300);
    assert_eq!(tape.first(&stays(AlarmState::Ok)).verdict, Verdict::Inconclusive);
    tape.horizon();
    assert_eq!(tape.first(&stays(AlarmState::Ok)).verdict, Verdict::Pass);
}

#[test]
fn leaving_the_state_breaks_stays_at_once() {
    let mut tape = calm();
    tape.t(100).alarm("OK", "ALARM");
    let found = tape.first(&stays(AlarmState::Ok));
    assert_eq!(found.verdict, Verdict::Fail);
    assert!(found.reason.starts_with("A went from OK to ALARM at +"), "{}", found.reason);
}

#[test]
fn a_wrong_state_at_the_start_breaks_stays() {
    let mut tape = Tape::new();
    tape.alarm("INSUFFICIENT_DATA", "ALARM");
    tape.begin(Phase::Inject, 0, "poison").sent("bad-0", "m1").end(Phase::Inject, 0).horizon();
    assert_eq!(tape.first(&stays(AlarmState::Ok)).verdict, Verdict::Fail);
    assert_eq!(tape.first(&stays(AlarmState::Alarm)).verdict, Verdict::Pass);
}

#[test]
fn an_alarm_that_was_never_evaluated_before_is_not_told() {
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.t(60).alarm("INSUFFICIENT_DATA", "OK").t(300).horizon();
    assert_eq!(tape.first(&stays(AlarmState::Ok)).verdict, Verdict::Inconclusive);
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.t(60).alarm("INSUFFICIENT_DATA", "ALARM").t(300).horizon();
    assert_eq!(tape.first(&stays(AlarmState::Ok)).verdict, Verdict::Fail);
}

#[test]
fn a_green_depth_alarm_on_a_drained_queue_proves_nothing_under_jumps() {
    let mut scenario = stays(AlarmState::Ok);
    let alarm = scenario.stack.alarms.get_mut("A").expect("the drill has it");
    alarm.dimensions[0].1 = DimensionValue::QueueNameOf("Q".into());
    let mut tape = calm();
    tape.jumped(300).horizon();
    let found = tape.first(&scenario);
    assert_eq!(found.verdict, Verdict::Inconclusive);
    assert!(found.reason.contains("--clock real"), "{}", found.reason);
    // A dead-letter queue that nobody drains has no rate, and a red one stands.
    assert_eq!(tape.first(&stays(AlarmState::Ok)).verdict, Verdict::Pass);
    let mut tape = calm();
    tape.jumped(100).alarm("OK", "ALARM").t(300).horizon();
    assert_eq!(tape.first(&scenario).verdict, Verdict::Fail);
}

#[test]
fn in_the_steady_state_being_there_already_is_enough() {
    let mut scenario = drill(&[], Vec::new());
    let calm = Claim::Alarm {
        name: "A".into(),
        reaches: AlarmState::Ok,
        after: None,
        notifies: None,
        within: Some(secs(600)),
    };
    scenario.steady_state = vec![super::dsl::step(crate::scenario::Action::Await(calm))];
    let mut tape = Tape::new();
    tape.alarm("INSUFFICIENT_DATA", "OK").begin(Phase::SteadyState, 0, "alarm").end(Phase::SteadyState, 0);
    tape.t(100).alarm("OK", "ALARM").horizon();
    assert_eq!(claim(&tape.judge(&scenario), "steady_state[0] alarm").verdict, Verdict::Pass);
}

#[test]
fn having_been_in_the_other_state_before_the_injection_does_not_count() {
    let mut tape = Tape::new();
    tape.alarm("INSUFFICIENT_DATA", "ALARM").alarm("ALARM", "INSUFFICIENT_DATA");
    tape.begin(Phase::Inject, 0, "poison").sent("bad-0", "m1").end(Phase::Inject, 0);
    tape.t(200).alarm("INSUFFICIENT_DATA", "OK").t(1300).horizon();
    let recovers = reaches(AlarmState::Ok, Some(AlarmState::Alarm), false);
    assert_eq!(tape.first(&recovers).verdict, Verdict::Fail);
}

#[test]
fn an_alarm_that_never_was_quiet_is_no_reaction() {
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.t(40).dead("m1", 1).t(60).alarm("INSUFFICIENT_DATA", "ALARM").t(1300).horizon();
    let found = tape.first(&fires());
    assert_eq!(found.verdict, Verdict::Inconclusive);
    assert!(found.reason.contains("- alarm: { name: A, reaches: OK, within: 10m }"), "{}", found.reason);
    // It was quiet once, and lost its data in between.
    let mut tape = calm();
    tape.t(40).dead("m1", 1).alarm("OK", "INSUFFICIENT_DATA").t(60).alarm("INSUFFICIENT_DATA", "ALARM");
    assert_eq!(tape.first(&fires()).verdict, Verdict::Pass);
    // It settled and then went off.
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.alarm("INSUFFICIENT_DATA", "ALARM").alarm("ALARM", "OK").t(60).dead("m1", 1).alarm("OK", "ALARM");
    assert_eq!(tape.first(&fires()).verdict, Verdict::Pass);
}

#[test]
fn an_alarm_that_goes_off_before_any_dead_letter_cannot_fire() {
    let mut tape = Tape::with_sends(&[("bad-0", "m1")]);
    tape.t(20).alarm("INSUFFICIENT_DATA", "ALARM").t(60).dead("m1", 1).t(1300).horizon();
    let mut wrong = fires();
    let found = tape.first(&wrong);
    assert_eq!((found.verdict, found.diagnosis.as_deref()), (Verdict::Fail, Some("alarm-cannot-fire")));
    assert!(found.reason.contains("before any message was dead-lettered"), "{}", found.reason);
    let alarm = wrong.stack.alarms.get_mut("A").expect("the drill has it");
    alarm.namespace = "SQS".into();
    let found = tape.first(&wrong);
    assert_eq!((found.verdict, found.diagnosis.as_deref()), (Verdict::Fail, Some("alarm-cannot-fire")));
    // The depth of the source queue may well be high before anything is dead-lettered.
    let mut source = fires();
    let alarm = source.stack.alarms.get_mut("A").expect("the drill has it");
    alarm.dimensions[0].1 = DimensionValue::QueueNameOf("Q".into());
    assert_eq!(tape.first(&source).verdict, Verdict::Inconclusive);
}

#[test]
fn an_alarm_on_another_queue_is_named_with_the_queue_of_the_dead_letters() {
    let mut scenario = fires();
    let alarm = scenario.stack.alarms.get_mut("A").expect("the drill has it");
    alarm.dimensions[0].1 = DimensionValue::QueueNameOf("Q".into());
    let mut tape = calm();
    tape.t(40).dead("m1", 1).t(1300).horizon();
    let found = tape.first(&scenario);
    assert_eq!(found.diagnosis.as_deref(), Some("alarm-cannot-fire"));
    let note = "A watches Q ApproximateNumberOfMessagesVisible, the dead letters went to DLQ";
    assert!(found.reason.contains(note), "{}", found.reason);
}

#[test]
fn a_green_count_of_polls_proves_nothing_under_jumps() {
    for metric in ["NumberOfEmptyReceives", "NumberOfMessagesReceived"] {
        let mut scenario = stays(AlarmState::Ok);
        let alarm = scenario.stack.alarms.get_mut("A").expect("the drill has it");
        alarm.metric = metric.into();
        alarm.dimensions[0].1 = DimensionValue::QueueNameOf("Q".into());
        let mut tape = calm();
        tape.jumped(300).horizon();
        let found = tape.first(&scenario);
        assert_eq!(found.verdict, Verdict::Inconclusive);
        assert!(found.reason.contains("--clock real"), "{}", found.reason);
        let mut tape = calm();
        tape.t(300).horizon();
        assert_eq!(tape.first(&scenario).verdict, Verdict::Pass);
        let mut tape = calm();
        tape.jumped(100).alarm("OK", "ALARM").t(300).horizon();
        assert_eq!(tape.first(&scenario).verdict, Verdict::Fail);
    }
}
