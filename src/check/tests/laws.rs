//! What holds for every history.

use proptest::prelude::*;

use super::dsl::{Tape, alarm_on, drain_dlq, drill, instance, secs, send, step};
use crate::check::{Index, Judgement, Verdict, judge, open_markers, standing};
use crate::history::{Attribution, Event, Kind, Phase, Withheld};
use crate::scenario::{Action, AlarmState, Bound, Claim, DimensionValue, Scenario};

fn every_claim() -> Vec<Claim> {
    let within = Some(secs(600));
    vec![
        Claim::DeadLettered { of: "bad".into(), queue: "DLQ".into(), receives: Some(3), within },
        Claim::Alarm {
            name: "A".into(),
            reaches: AlarmState::Alarm,
            after: None,
            notifies: Some("T".into()),
            within,
        },
        Claim::Redelivered { of: "bad".into(), not_before: Some(secs(30)), within },
        Claim::Effect { of: "ok".into(), effect: "charges".into(), exactly: 1, within },
        Claim::NoEffect { of: "bad".into(), effect: None },
        Claim::Depth {
            queue: "DLQ".into(),
            visible: Some(Bound { at_least: Some(1), at_most: Some(1) }),
            in_flight: None,
            delayed: None,
            within: None,
        },
        Claim::Drained { queue: "Q".into(), within },
        Claim::Stays { alarm: "B".into(), is: AlarmState::InsufficientData },
    ]
}

fn scenario() -> Scenario {
    let mut scenario = drill(&[("ok", 1), ("bad", 1)], every_claim());
    scenario.stack.alarms.insert("B".into(), alarm_on(DimensionValue::QueueNameOf("DLQ".into())));
    let warm =
        Claim::Effect { of: "warm".into(), effect: "charges".into(), exactly: 1, within: Some(secs(30)) };
    scenario.steady_state = vec![step(send("warm", 1)), step(Action::Await(warm))];
    scenario
}

/// A run of that scenario in which all is well.
fn well() -> Tape {
    let mut tape = Tape::new();
    tape.alarm("INSUFFICIENT_DATA", "OK");
    tape.begin(Phase::SteadyState, 0, "send")
        .sent("warm-0", "w1")
        .depth("Q", 1, 0, 0)
        .end(Phase::SteadyState, 0);
    tape.begin(Phase::SteadyState, 1, "effect").got("w-0-1", "w1").effect("w-0-1", "warm-0");
    tape.deleted("w-0-1", "w1").depth("Q", 0, 0, 0).end(Phase::SteadyState, 1);
    tape.begin(Phase::Inject, 0, "send").sent("ok-0", "m1").end(Phase::Inject, 0);
    tape.begin(Phase::Inject, 1, "poison").sent("bad-0", "m2").depth("Q", 2, 0, 0).end(Phase::Inject, 1);
    tape.got("w-0-1", "m1")
        .effect("w-0-1", "ok-0")
        .deleted("w-0-1", "m1")
        .got("w-0-1", "m2")
        .depth("Q", 0, 1, 0);
    tape.jumped(31).got("w-0-1", "m2").jumped(62).got("w-0-1", "m2").jumped(93).dead("m2", 3);
    tape.depth("Q", 0, 0, 0)
        .depth("DLQ", 1, 0, 0)
        .jumped(180)
        .alarm("OK", "ALARM")
        .action("ALARM")
        .t(400)
        .horizon();
    tape
}

fn json(judgement: &Judgement) -> String {
    serde_json::to_string(judgement).expect("a judgement is plain data")
}

#[test]
fn the_good_run_passes() {
    let judged = well().judge(&scenario());
    assert_eq!(judged.verdict, Verdict::Pass, "{judged:#?}");
}

#[test]
fn every_truncation_of_it_passes_nothing_that_is_judged_at_the_end() {
    let (scenario, tape) = (scenario(), well());
    let at_end =
        ["expect[2]", "expect[3]", "expect[4]", "expect[5]", "expect[6]", "expect[7]", "steady_state[1]"];
    for length in 0..tape.events.len() {
        let judged = judge(&scenario, &tape.events[..length]);
        assert_ne!(judged.verdict, Verdict::Pass, "after {length} events");
        for claim in judged.claims {
            let late =
                at_end.iter().any(|id| claim.id.starts_with(id)) || claim.id.starts_with("always nothing");
            assert!(!(late && claim.verdict == Verdict::Pass), "{} passed after {length} events", claim.id);
            assert!(claim.verdict < Verdict::Fail, "{} after {length} events: {}", claim.id, claim.reason);
        }
    }
}

#[test]
fn an_event_less_never_turns_the_whole_into_an_unfounded_error() {
    let (scenario, tape) = (scenario(), well());
    for missing in 0..tape.events.len() {
        let mut events = tape.events.clone();
        events.remove(missing);
        let judged = judge(&scenario, &events);
        assert!(
            judged.claims.iter().all(|claim| !claim.reason.contains("panicked")),
            "without event {missing}"
        );
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    let marker = prop_oneof![Just("ok-0"), Just("bad-0"), Just("bad-1"), Just("warm-0")];
    let id = prop_oneof![Just("m1"), Just("m2"), Just("m3"), Just("w1")];
    let by = prop_oneof![Just("w-0-1"), Just("w-0-2"), Just("w-1-1"), Just("d-0-1")];
    let queue = prop_oneof![Just("Q"), Just("DLQ"), Just("elsewhere")];
    (0u8..26, marker, id, by, queue, 0u64..4, any::<bool>())
        .prop_map(|(which, marker, id, by, queue, n, yes)| one_kind(which, marker, id, by, queue, n, yes))
}

fn one_kind(which: u8, marker: &str, id: &str, by: &str, queue: &str, n: u64, yes: bool) -> Kind {
    let phase = if yes { Phase::Inject } else { Phase::SteadyState };
    let mut tape = Tape::blank();
    match which {
        0 => tape.sent(marker, id),
        1 => tape.got_from(queue, by, id, if yes { Withheld::Yes } else { Withheld::No }),
        2 => tape.deleted_with(queue, by, id, &format!("{id}/1"), yes.then_some("InternalError")),
        3 => tape.extended(by, id, n * 10),
        4 => tape.dead(id, n as u32),
        5 => tape.redriven(id, if yes { "m3" } else { "m4" }),
        6 => tape.expired(queue, id),
        7 => tape.effect(by, marker),
        8 => tape.effect_of(by, Some("nobody"), Attribution::Key, yes),
        9 => tape.stray(by),
        10 => tape.started(by),
        11 => tape.idle(by),
        12 => tape.crashed(by),
        13 => {
            let (fault, by) = ("kill-0".to_owned(), yes.then(|| instance(by)));
            let (marker, collateral) = (Some(marker.into()), vec!["ok-0".into()]);
            tape.add(Kind::FaultFired { fault, by, point: None, marker, collateral })
        }
        14 => tape.armed("kill-0"),
        15 => tape.fault_ended("kill-0", yes),
        16 => tape.alarm("OK", if yes { "ALARM" } else { "OK" }),
        17 => tape.action(if yes { "ALARM" } else { "OK" }),
        18 => tape.depth(queue, n, n / 2, 0),
        19 => tape.begin(phase, n as u32, "send"),
        20 => tape.end(phase, n as u32),
        21 => tape.fail_step(phase, n as u32, "no"),
        22 => tape.overran(by, marker),
        23 => tape.refused(marker),
        24 => tape.load("sandbox"),
        _ if yes => tape.horizon(),
        _ => tape.cut_short(),
    };
    tape.events.swap_remove(0).kind
}

fn history() -> impl Strategy<Value = Vec<Event>> {
    let steps = proptest::collection::vec((kind(), 0u64..40, any::<u8>()), 0..80);
    steps.prop_map(|steps| {
        let mut tape = Tape::blank();
        let mut seconds = 0;
        for (kind, passed, jump) in steps {
            seconds += passed;
            if jump < 60 {
                tape.jumped(seconds);
            }
            tape.t(seconds).add(kind);
        }
        tape.events
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn no_history_panics_and_judging_twice_agrees(events in history()) {
        let mut scenario = scenario();
        drain_dlq(&mut scenario);
        let judged = judge(&scenario, &events);
        prop_assert!(judged.claims.iter().all(|claim| !claim.reason.contains("panicked")));
        prop_assert_eq!(json(&judged), json(&judge(&scenario, &events)));
        let mut index = Index::new(&scenario);
        for event in &events {
            index.apply(event);
            open_markers(&index);
            for claim in every_claim() {
                standing(&claim, &index, event.at, event.at);
            }
        }
    }

    #[test]
    fn nothing_passes_without_its_horizon(events in history()) {
        let whole = events.iter().any(|event| matches!(event.kind, Kind::HorizonReached { complete: true, .. }));
        prop_assume!(!whole);
        prop_assert_ne!(judge(&scenario(), &events).verdict, Verdict::Pass);
    }

    #[test]
    fn a_counterexample_is_not_undone_by_what_follows(events in history(), cut in 0usize..80) {
        // `exactly` and `no_effect` are broken by an event; more events cannot mend them, unless
        // they show that the run itself was unsound.
        let scenario = scenario();
        let sound = |events: &[Event]| !events.iter().any(|event| {
            matches!(event.kind, Kind::ClockOverran { .. } | Kind::HarnessError { .. })
        });
        let cut = cut.min(events.len());
        let (before, after) = (judge(&scenario, &events[..cut]), judge(&scenario, &events));
        for id in ["steady_state[1]", "expect[3]", "expect[4]"] {
            let verdict = |judged: &Judgement| judged.claims.iter().find(|claim| claim.id.starts_with(id)).map(|claim| claim.verdict);
            if verdict(&before) == Some(Verdict::Fail) {
                prop_assert!(!sound(&events) || verdict(&after) != Some(Verdict::Pass), "{} was mended", id);
            }
        }
    }
}
