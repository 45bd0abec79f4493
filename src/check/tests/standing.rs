use havoq_base::StackTime;
use havoq_base::ids::Marker;

use super::dsl::{START, Tape, drill, secs};
use crate::check::{Index, Progress, open_markers, standing};
use crate::scenario::{AlarmState, Claim, Scenario};

fn once() -> Claim {
    Claim::Effect { of: "ok".into(), effect: "charges".into(), exactly: 1, within: Some(secs(30)) }
}

fn index(scenario: &Scenario, tape: &Tape) -> Index {
    let mut index = Index::new(scenario);
    tape.events.iter().for_each(|event| index.apply(event));
    index
}

fn at(seconds: u64) -> StackTime {
    StackTime::from_secs(START + seconds)
}

#[test]
fn a_claim_is_open_until_its_deadline_and_broken_after_it() {
    let scenario = drill(&[("ok", 1)], vec![once()]);
    let index = index(&scenario, &Tape::with_sends(&[("ok-0", "m1")]));
    let open = Progress::Open { deadline: Some(at(30)) };
    assert_eq!(standing(&once(), &index, at(0), at(1)), open);
    assert_eq!(standing(&once(), &index, at(0), at(30)), open);
    let broken = Progress::Broken("ok-0 had 0 effects in charges, not 1".into());
    assert_eq!(standing(&once(), &index, at(0), at(31)), broken);
}

#[test]
fn n_reached_holds_and_exceeded_is_broken() {
    let scenario = drill(&[("ok", 1)], vec![once()]);
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0");
    assert_eq!(standing(&once(), &index(&scenario, &tape), at(0), at(1)), Progress::Holds);
    tape.effect("w-0-1", "ok-0");
    assert!(matches!(standing(&once(), &index(&scenario, &tape), at(0), at(1)), Progress::Broken(_)));
}

#[test]
fn an_alarm_without_a_deadline_gets_one() {
    let scenario = drill(&[("ok", 1)], Vec::new());
    let claim = Claim::Alarm {
        name: "A".into(),
        reaches: AlarmState::Alarm,
        after: None,
        notifies: None,
        within: None,
    };
    let index = index(&scenario, &Tape::with_sends(&[("ok-0", "m1")]));
    let Progress::Open { deadline: Some(deadline) } = standing(&claim, &index, at(0), at(0)) else {
        panic!("an alarm settles");
    };
    assert!(deadline >= at(180) && deadline < at(181));
}

#[test]
fn a_vacuous_claim_never_holds() {
    let scenario = drill(&[], Vec::new());
    let index = index(&scenario, &Tape::new());
    assert_eq!(standing(&once(), &index, at(0), at(20)), Progress::Open { deadline: Some(at(30)) });
    assert!(matches!(standing(&once(), &index, at(0), at(60)), Progress::Broken(_)), "a wait must end");
}

#[test]
fn markers_are_open_while_a_message_lies_where_a_consumer_reads() {
    let scenario = drill(&[("ok", 4)], Vec::new());
    let mut tape = Tape::with_sends(&[("ok-0", "m0"), ("ok-1", "m1"), ("ok-2", "m2"), ("ok-3", "m3")]);
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1").got("w-0-1", "m2").dead("m2", 1).expired("Q", "m3");
    let mut index = index(&scenario, &tape);
    assert_eq!(open_markers(&index), vec![Marker::new("ok-0")]);
    assert_eq!(index.queues_of(&"ok-2".into()), vec!["DLQ"]);
    let from = tape.events.len();
    tape.redriven("m2", "m9");
    tape.events[from..].iter().for_each(|event| index.apply(event));
    assert_eq!(open_markers(&index), vec![Marker::new("ok-0"), Marker::new("ok-2")]);
}
