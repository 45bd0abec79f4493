//! The boundaries in a clean run's history, and the grid of a sweep.

use super::dsl::*;
use crate::check::{Crossing, Sweep, Tried, Why, boundaries, judge, vary};
use crate::history::{self, Held, Kind, Phase, Withheld};
use crate::scenario::{
    Action, Aim, At, Claim, Crash, CrashAt, CrashPoint, HeldCall, Kill, Lambda, Place, Poison, PoisonForm,
    Program, Scenario, Signal,
};

fn found(scenario: &Scenario, tape: &Tape) -> Vec<Crossing> {
    boundaries(scenario, &tape.events)
}

/// `after-receive #1 of order`, in order.
fn told(found: &[Crossing]) -> Vec<String> {
    let line = |aim: &Aim| format!("{} #{} of {}", aim.boundary.at, aim.boundary.nth, aim.of);
    found.iter().map(|crossing| line(&crossing.aim)).collect()
}

fn handled(tape: &mut Tape, by: &str, marker: &str, id: &str) {
    tape.got(by, id).effect(by, marker).deleted(by, id);
}

#[test]
fn each_crossing_of_a_handled_message_is_a_boundary() {
    let mut tape = Tape::with_sends(&[("order-0", "m-1"), ("order-1", "m-2")]);
    handled(&mut tape, "w-0-1", "order-0", "m-1");
    handled(&mut tape, "w-0-1", "order-1", "m-2");
    let found = found(&drill(&[("order", 2)], vec![]), &tape);
    let expected = [
        "after-receive #1 of order",
        "before-effect #1 of order",
        "after-effect #1 of order",
        "before-delete #1 of order",
        "after-delete #1 of order",
    ];
    assert_eq!(told(&found), expected, "the second message crosses nothing new");
    assert!(found.iter().all(|crossing| crossing.in_hand == 1));
}

#[test]
fn a_run_in_which_nobody_received_has_no_boundary() {
    let tape = Tape::with_sends(&[("order-0", "m-1")]);
    assert!(found(&drill(&[("order", 1)], vec![]), &tape).is_empty());
}

#[test]
fn messages_of_the_steady_state_are_not_aimed_at() {
    let mut tape = Tape::with_sends(&[("warm-0", "m-1")]);
    handled(&mut tape, "w-0-1", "warm-0", "m-1");
    let mut scenario = drill(&[("order", 1)], vec![]);
    scenario.steady_state = vec![step(send("warm", 1))];
    assert!(found(&scenario, &tape).is_empty());
}

#[test]
fn several_effects_and_receives_are_counted_by_message() {
    let mut tape = Tape::with_sends(&[("order-0", "m-1")]);
    tape.got("w-0-1", "m-1").effect("w-0-1", "order-0").effect("w-0-1", "order-0");
    tape.t(40).got("w-0-1", "m-1").deleted("w-0-1", "m-1");
    let told = told(&found(&drill(&[("order", 1)], vec![]), &tape));
    for expected in ["before-effect #2 of order", "after-effect #2 of order", "after-receive #2 of order"] {
        assert!(told.contains(&expected.to_owned()), "{told:?}");
    }
    assert_eq!(told.len(), 8, "{told:?}");
}

#[test]
fn of_a_batch_one_message_is_aimed_at() {
    let mut tape = Tape::with_sends(&[("order-0", "m-1"), ("order-1", "m-2")]);
    let held = |id: &str| Held {
        message_id: id.into(),
        receipt: format!("{id}/1").into(),
        receive_count: 1,
        marker: None,
    };
    tape.add(Kind::Received {
        by: instance("w-0-1"),
        queue: "Q".into(),
        messages: vec![held("m-1"), held("m-2")],
        visibility: 30,
        withheld: Withheld::No,
        fault: None,
        call: None,
    });
    tape.deleted_with("Q", "w-0-1", "m-1", "m-1/1", None).deleted_with("Q", "w-0-1", "m-2", "m-2/1", None);
    let found = found(&drill(&[("order", 2)], vec![]), &tape);
    assert_eq!(told(&found).len(), 3);
    assert!(found.iter().all(|crossing| crossing.in_hand == 2), "{found:?}");
}

#[test]
fn a_change_of_visibility_is_a_boundary() {
    let mut tape = Tape::with_sends(&[("order-0", "m-1")]);
    tape.got("w-0-1", "m-1").extended("w-0-1", "m-1", 30).extended("w-0-1", "m-1", 30);
    let found = found(&drill(&[("order", 1)], vec![]), &tape);
    let told = told(&found);
    for expected in
        ["before ChangeMessageVisibility #1 of order", "after ChangeMessageVisibility #2 of order"]
    {
        assert!(told.contains(&expected.to_owned()), "{told:?}");
    }
}

#[test]
fn other_calls_with_a_message_in_hand_are_boundaries() {
    let mut tape = Tape::with_sends(&[("order-0", "m-1")]);
    let called = |operation: &str| Kind::Called {
        by: instance("w-0-1"),
        operation: operation.into(),
        queue: None,
        status: 200,
        error: None,
        call: None,
    };
    tape.add(called("GetQueueUrl")).got("w-0-1", "m-1");
    tape.add(called("PutItem")).add(called("PutItem")).add(called("DeleteMessageBatch"));
    tape.deleted("w-0-1", "m-1").add(called("PutItem"));
    let found = found(&drill(&[("order", 1)], vec![]), &tape);
    let told = told(&found);
    let calls: Vec<&str> = told.iter().map(String::as_str).filter(|told| told.contains("PutItem")).collect();
    let expected = ["before PutItem #1", "after PutItem #1", "before PutItem #2", "after PutItem #2"];
    assert_eq!(calls, expected.map(|call| format!("{call} of order")));
    assert!(!told.iter().any(|told| told.contains("GetQueueUrl") || told.contains("Batch")), "{told:?}");
}

#[test]
fn a_message_that_is_to_be_handled_is_aimed_at_before_poison() {
    let mut tape = Tape::with_sends(&[("bad-0", "m-1"), ("order-0", "m-2")]);
    tape.got("w-0-1", "m-1");
    tape.got("w-0-1", "m-2").t(40).got("w-0-1", "m-1");
    let mut scenario = drill(&[("bad", 1), ("order", 1)], vec![]);
    let (to, label, form) = ("Q".into(), "bad".into(), PoisonForm::NotJson);
    scenario.inject[0] = step(Action::Poison(Poison { to, count: 1, label, form, group: None }));
    assert_eq!(
        told(&found(&scenario, &tape)),
        ["after-receive #1 of order", "after-receive #2 of bad"],
        "the second is crossed by nobody else"
    );
}

#[test]
fn what_is_done_on_the_way_out_is_no_boundary() {
    let mut tape = Tape::with_sends(&[("order-0", "m-1")]);
    tape.got("w-0-1", "m-1");
    tape.horizon().deleted("w-0-1", "m-1");
    assert_eq!(told(&found(&drill(&[("order", 1)], vec![]), &tape)), ["after-receive #1 of order"]);
}

#[test]
fn the_poller_of_a_function_is_not_aimed_at() {
    let mut tape = Tape::with_sends(&[("order-0", "m-1")]);
    handled(&mut tape, "w-0-1", "order-0", "m-1");
    let mut scenario = drill(&[("order", 1)], vec![]);
    if let Some(consumer) = scenario.consumers.get_mut("w") {
        consumer.runs = Program::Lambda(lambda());
    }
    let told = told(&found(&scenario, &tape));
    assert_eq!(told, ["before-effect #1 of order", "after-effect #1 of order"]);
}

fn lambda() -> Lambda {
    Lambda {
        command: vec!["run".into()],
        handler: None,
        code: None,
        function: None,
        timeout: At { value: secs(3), place: Place::default() },
        memory: 128,
        reserved_concurrency: None,
        batching: None,
    }
}

fn swept(point: &str) -> history::Sweep {
    let (consumer, of) = ("w".to_owned(), "order".to_owned());
    history::Sweep { kill: Some(history::SweptKill { consumer, point: point.to_owned(), nth: 1, of }) }
}

fn tried(sweep: &history::Sweep, tape: Tape) -> Tried {
    let scenario = vary(drill(&[("order", 1)], vec![]), sweep).expect("a variant");
    let judgement = judge(&scenario, &tape.events);
    Tried { scenario, events: tape.events, judgement }
}

fn clean() -> Tape {
    let mut tape = Tape::with_sends(&[("order-0", "m-1")]);
    handled(&mut tape, "w-0-1", "order-0", "m-1");
    tape.horizon();
    tape
}

#[test]
fn a_boundary_without_a_run_is_told_and_the_sweep_is_not_whole() {
    let runs = vec![tried(&history::Sweep::default(), clean())];
    let sweep = Sweep::of(&runs).expect("a sweep");
    assert_eq!((sweep.boundaries, sweep.tried, sweep.untried.len()), (5, 0, 5));
    assert!(sweep.untried.iter().all(|untried| untried.why == Why::NotRun), "{:?}", sweep.untried);
    assert!(!sweep.is_whole());
}

#[test]
fn a_kill_that_left_no_trace_does_not_count_as_tried() {
    let runs = vec![tried(&history::Sweep::default(), clean()), tried(&swept("before-delete"), clean())];
    let sweep = Sweep::of(&runs).expect("a sweep");
    assert_eq!(sweep.rows.len(), 1);
    assert!(!sweep.rows[0].fired);
    assert_eq!(sweep.rows[0].verdict, crate::check::Verdict::Inconclusive, "{:?}", sweep.rows[0]);
    assert_eq!(sweep.tried, 0);
}

#[test]
fn a_variant_has_a_name_of_its_own_and_is_read_back_as_it_was_recorded() {
    let scenario = vary(drill(&[("order", 1)], vec![]), &swept("after-effect")).expect("a variant");
    assert_eq!(scenario.name.value, "drill [kill after-effect #1]");
    let again = scenario.swept.as_ref().map(crate::check::recorded).expect("swept");
    assert_eq!(again, swept("after-effect"));
    let called = vary(drill(&[("order", 1)], vec![]), &swept("before PutItem")).expect("a variant");
    assert_eq!(called.swept.as_ref().map(crate::check::recorded), Some(swept("before PutItem")));
    assert!(vary(drill(&[("order", 1)], vec![]), &swept("nowhere")).is_err());
    assert!(vary(drill(&[("other", 1)], vec![]), &swept("after-effect")).is_err());
}

#[test]
fn its_own_kills_and_what_rests_on_them_are_left_out() {
    let of = |label: &str| Claim::Redelivered { of: label.into(), not_before: None, within: None };
    let mut scenario = drill(&[("order", 1)], vec![of("order"), of("other")]);
    let at = Crash {
        at: CrashAt::Point(CrashPoint::AfterEffect),
        of: Some("order".into()),
        nth: 1,
        call: HeldCall::Drop,
    };
    let kill = Kill { consumer: "w".into(), at: Some(at), signal: Signal::Kill, resume: None, restart: None };
    scenario.inject.insert(0, step(Action::Kill(kill)));
    let clean = scenario.without_kills();
    assert!(matches!(clean.inject[0].action, Action::Wait(_)), "the steps keep their numbers");
    assert_eq!(clean.claimed().map(|(at, _)| at).collect::<Vec<_>>(), [1]);
    let swept = clean.swept.as_ref().expect("swept");
    let ids: Vec<&str> = swept.left_out.iter().map(|left| left.id.as_str()).collect();
    assert_eq!(ids, ["inject[0] kill", "expect[0] redelivered"]);
    let mut tape = Tape::new();
    tape.begin(Phase::Inject, 0, "wait").end(Phase::Inject, 0);
    let judged = judge(&clean, &tape.events);
    assert!(judged.claims.iter().any(|claim| claim.id == "expect[1] redelivered"));
    assert!(!judged.claims.iter().any(|claim| claim.id == "expect[0] redelivered"));
}
