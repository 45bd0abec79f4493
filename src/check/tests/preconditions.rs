use super::dsl::{Tape, claim, drill, step};
use crate::check::{Verdict, judge};
use crate::history::{Kind, Phase};
use crate::scenario::{Action, Claim, Crash, CrashAt, CrashPoint, HeldCall, Kill, Scenario, Signal};

fn once() -> Scenario {
    let claim = Claim::Effect { of: "ok".into(), effect: "charges".into(), exactly: 1, within: None };
    drill(&[("ok", 1)], vec![claim])
}

fn done() -> Tape {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    tape
}

fn twice() -> Tape {
    let mut tape = done();
    tape.effect("w-0-1", "ok-0");
    tape
}

/// The verdicts of the whole, of the expectation and of one precondition.
fn verdicts(tape: &Tape, scenario: &Scenario, name: &str) -> (Verdict, Verdict, Verdict) {
    let judged = tape.judge(scenario);
    (judged.verdict, claim(&judged, "expect[0]").verdict, claim(&judged, &format!("always {name}")).verdict)
}

use Verdict::{Error, Fail, Inconclusive, Pass};

#[test]
fn all_hold_in_a_sound_run() {
    let mut tape = done();
    tape.horizon();
    let judged = tape.judge(&once());
    assert_eq!(judged.verdict, Pass, "{judged:#?}");
    let ids: Vec<&str> = judged.claims.iter().map(|claim| claim.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "expect[0] effect",
            "always nothing_lost",
            "always nothing_discarded",
            "always every_fault_fired",
            "always steps_done",
            "always consumers_ready",
            "always clock_sound",
            "always scale_sound",
            "always harness_sound",
            "always horizon_reached",
            "always not_interrupted",
            "always nobody_left_behind",
            "always stack_followed",
        ]
    );
}

#[test]
fn a_fault_that_never_fired_makes_the_scenario_inconclusive() {
    let mut tape = done();
    tape.armed("kill-0").horizon();
    assert_eq!(verdicts(&tape, &once(), "every_fault_fired"), (Inconclusive, Pass, Inconclusive));
    tape.fault_ended("kill-0", false);
    let found = claim(&tape.judge(&once()), "always every_fault_fired");
    assert!(found.reason.contains("never fired: nothing crossed it"), "{}", found.reason);
}

#[test]
fn a_fault_that_fired_is_fine_and_one_that_denies_it_is_not() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.armed("kill-0")
        .got("w-0-1", "m1")
        .killed("w-0-1", "ok-0", "before-effect")
        .fault_ended("kill-0", true);
    tape.t(30).got("w-0-2", "m1").effect("w-0-2", "ok-0").deleted("w-0-2", "m1").horizon();
    assert_eq!(verdicts(&tape, &once(), "every_fault_fired"), (Pass, Pass, Pass));
    // A second crossing at which there was nothing left to kill changes nothing.
    tape.fault_ended("kill-0", false);
    assert_eq!(verdicts(&tape, &once(), "every_fault_fired"), (Pass, Pass, Pass));
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.armed("kill-0")
        .got("w-0-1", "m1")
        .killed("w-0-1", "ok-0", "before-effect")
        .fault_ended("kill-0", false);
    tape.t(30).got("w-0-2", "m1").effect("w-0-2", "ok-0").deleted("w-0-2", "m1").horizon();
    assert_eq!(verdicts(&tape, &once(), "every_fault_fired"), (Inconclusive, Pass, Inconclusive));
}

#[test]
fn a_kill_step_that_left_no_trace_is_noticed() {
    let mut scenario = once();
    let crash = Crash {
        at: CrashAt::Point(CrashPoint::BeforeEffect),
        of: Some("ok".into()),
        nth: 1,
        call: HeldCall::Drop,
    };
    let kill =
        Kill { consumer: "w".into(), at: Some(crash), signal: Signal::Kill, resume: None, restart: None };
    scenario.inject.push(step(Action::Kill(kill)));
    let mut tape = done();
    tape.begin(Phase::Inject, 1, "kill").end(Phase::Inject, 1).horizon();
    assert_eq!(verdicts(&tape, &scenario, "every_fault_fired"), (Inconclusive, Pass, Inconclusive));
}

#[test]
fn an_overrun_voids_passes_and_fails() {
    let mut tape = done();
    tape.overran("w-0-1", "ok-0").horizon();
    assert_eq!(verdicts(&tape, &once(), "clock_sound"), (Inconclusive, Inconclusive, Inconclusive));
    let mut tape = twice();
    tape.horizon().overran("w-0-1", "ok-0");
    assert_eq!(verdicts(&tape, &once(), "clock_sound"), (Inconclusive, Inconclusive, Inconclusive));
    let found = claim(&tape.judge(&once()), "expect[0]");
    assert!(found.reason.contains("it would be false: ok-0 had 2 effects"), "{}", found.reason);
}

#[test]
fn a_fault_of_havoq_is_an_error() {
    let mut tape = done();
    tape.horizon().add(Kind::HarnessError { message: "the tap died".into() });
    assert_eq!(verdicts(&tape, &once(), "harness_sound"), (Error, Inconclusive, Error));
    let mut tape = twice();
    tape.add(Kind::HarnessError { message: "the tap died".into() });
    assert_eq!(verdicts(&tape, &once(), "harness_sound"), (Error, Inconclusive, Error));
}

#[test]
fn an_incomplete_horizon_leaves_the_undecided_open_with_its_reason() {
    let mut tape = done();
    tape.cut_short();
    assert_eq!(verdicts(&tape, &once(), "horizon_reached"), (Inconclusive, Inconclusive, Inconclusive));
    let found = claim(&tape.judge(&once()), "expect[0]");
    assert!(found.reason.contains("timeout after 60s"), "{}", found.reason);
    let mut tape = twice();
    tape.cut_short();
    assert_eq!(verdicts(&tape, &once(), "horizon_reached"), (Fail, Fail, Inconclusive));
}

#[test]
fn an_interrupted_run_passes_nothing() {
    let mut tape = done();
    tape.horizon().add(Kind::Interrupted {});
    assert_eq!(verdicts(&tape, &once(), "not_interrupted"), (Inconclusive, Inconclusive, Inconclusive));
    let mut tape = twice();
    tape.add(Kind::Interrupted {});
    assert_eq!(verdicts(&tape, &once(), "not_interrupted"), (Fail, Fail, Inconclusive));
}

#[test]
fn a_step_that_the_stack_refused_is_an_error() {
    let mut tape = Tape::new();
    tape.begin(Phase::Inject, 0, "send").sent("ok-0", "m1").fail_step(Phase::Inject, 0, "denied");
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1").horizon();
    assert_eq!(verdicts(&tape, &once(), "steps_done"), (Error, Inconclusive, Error));
}

#[test]
fn a_step_that_was_never_reached_leaves_only_counterexamples() {
    let mut scenario = once();
    scenario.inject.push(step(super::dsl::send("later", 1)));
    let mut tape = done();
    tape.horizon();
    assert_eq!(verdicts(&tape, &scenario, "steps_done"), (Inconclusive, Inconclusive, Inconclusive));
    let mut tape = twice();
    tape.horizon();
    assert_eq!(verdicts(&tape, &scenario, "steps_done"), (Fail, Fail, Inconclusive));
}

#[test]
fn an_empty_history_judges_nothing() {
    let judged = judge(&once(), &[]);
    assert_eq!((judged.verdict, judged.attempts), (Inconclusive, 0));
    assert!(judged.claims.iter().all(|claim| claim.verdict != Fail && claim.verdict != Error));
    assert_eq!(claim(&judged, "expect[0]").verdict, Inconclusive);
}

#[test]
fn a_history_without_its_beginning_or_out_of_order_passes_nothing() {
    let mut tape = done();
    tape.horizon();
    let headless = judge(&once(), &tape.events[1..]);
    assert_eq!(claim(&headless, "expect[0]").verdict, Inconclusive);
    tape.events.swap(4, 5);
    assert_eq!(claim(&tape.judge(&once()), "expect[0]").verdict, Inconclusive);
}

#[test]
fn the_last_attempt_counts() {
    let mut tape = twice();
    tape.horizon();
    let mut second = done();
    second.horizon();
    let offset = tape.events.len() as u64;
    let later = second.events.into_iter().map(|mut event| {
        event.seq += offset;
        event.attempt = 2;
        event
    });
    let events: Vec<_> = tape.events.iter().cloned().chain(later).collect();
    let judged = judge(&once(), &events);
    assert_eq!((judged.verdict, judged.attempts), (Pass, 2));
}

#[test]
fn a_process_that_was_left_behind_voids_passes_and_fails() {
    let mut tape = done();
    let by = super::dsl::instance("w-0-1");
    tape.add(Kind::ConsumerExited { by, code: Some(0), signal: None, ended_by: None, left_behind: true });
    tape.horizon();
    assert_eq!(verdicts(&tape, &once(), "nobody_left_behind"), (Inconclusive, Inconclusive, Inconclusive));
}

fn called(operation: &str, queue: Option<&str>) -> Kind {
    let (by, queue) = (super::dsl::instance("w-0-1"), queue.map(str::to_owned));
    Kind::Called { by, operation: operation.into(), queue, status: 200, error: None, call: None }
}

#[test]
fn messages_that_go_where_nobody_follows_them_leave_counterexamples_on_a_real_clock_alone() {
    for call in [
        called("SendMessage", Some("own")),
        called("StartMessageMoveTask", None),
        called("DeleteAlarms", None),
        called("CreateSchedule", None),
        called("PurgeQueue", Some("Q")),
    ] {
        let mut tape = done();
        tape.add(call.clone());
        tape.horizon();
        assert_eq!(verdicts(&tape, &once(), "stack_followed"), (Inconclusive, Inconclusive, Inconclusive));
        let mut tape = twice();
        tape.add(call);
        tape.horizon();
        assert_eq!(verdicts(&tape, &once(), "stack_followed"), (Fail, Fail, Inconclusive));
    }
}

#[test]
fn only_what_a_consumer_subscribed_is_beyond_the_stack() {
    let topic = "arn:aws:sqs:us-east-1:000000000000:havoq-T:6ad0";
    let own = "arn:aws:sqs:us-east-1:000000000000:havoq-Sub";
    for (subscription, seen) in [(topic, Inconclusive), (own, Pass), (&format!("{own}#target"), Pass)] {
        let mut tape = done();
        tape.add(Kind::Delivered {
            topic: "T".into(),
            subscription: subscription.into(),
            message_id: "n1".into(),
            attempts: 1,
            queue_message_id: None,
        });
        tape.horizon();
        assert_eq!(verdicts(&tape, &once(), "stack_followed"), (seen, seen, seen), "{subscription}");
    }
}

#[test]
fn calls_within_the_stack_and_refused_ones_are_not_beyond_it() {
    let mut tape = done();
    let refused = Kind::Called {
        by: super::dsl::instance("w-0-1"),
        operation: "SendMessage".into(),
        queue: Some("own".into()),
        status: 400,
        error: Some("AWS.SimpleQueueService.NonExistentQueue".into()),
        call: None,
    };
    for call in [called("SendMessage", Some("Q")), called("GetQueueAttributes", Some("own")), refused] {
        tape.add(call);
    }
    tape.horizon();
    assert_eq!(verdicts(&tape, &once(), "stack_followed"), (Pass, Pass, Pass));
}
