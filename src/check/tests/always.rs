use super::dsl::{Tape, claim, drill, send, step};
use crate::check::{Fate, Verdict};
use crate::history::{Kind, Withheld};
use crate::scenario::Scenario;

fn one(label: &str) -> Scenario {
    drill(&[(label, 1)], Vec::new())
}

fn verdicts(tape: &Tape, scenario: &Scenario) -> (Fate, Verdict, Verdict) {
    let judged = tape.judge(scenario);
    let discarded = if scenario.allow_discarded {
        assert!(!judged.claims.iter().any(|claim| claim.id == "always nothing_discarded"));
        Verdict::Pass
    } else {
        claim(&judged, "always nothing_discarded").verdict
    };
    (judged.ledger.rows[0].fate, claim(&judged, "always nothing_lost").verdict, discarded)
}

fn received() -> Tape {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.got("w-0-1", "m1");
    tape
}

#[test]
fn the_fates_of_one_copy() {
    let fate = |tell: &dyn Fn(&mut Tape)| {
        let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
        tell(&mut tape);
        tape.horizon();
        tape.judge(&one("ok")).ledger.rows[0].fate
    };
    assert_eq!(fate(&|_| {}), Fate::StillQueued);
    assert_eq!(fate(&|tape| _ = tape.got("w-0-1", "m1")), Fate::InFlight);
    assert_eq!(fate(&|tape| _ = tape.got("w-0-1", "m1").t(31)), Fate::StillQueued);
    assert_eq!(fate(&|tape| _ = tape.got("w-0-1", "m1").extended("w-0-1", "m1", 600).t(31)), Fate::InFlight);
    assert_eq!(fate(&|tape| _ = tape.got("w-0-1", "m1").t(30).dead("m1", 1)), Fate::DeadLettered);
    assert_eq!(fate(&|tape| _ = tape.t(31).expired("Q", "m1")), Fate::Expired);
    let processed =
        |tape: &mut Tape| _ = tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    assert_eq!(fate(&processed), Fate::Processed);
    assert_eq!(fate(&|tape| _ = tape.got("w-0-1", "m1").deleted("w-0-1", "m1")), Fate::Discarded);
    assert_eq!(fate(&|tape| _ = tape.got("w-0-1", "m1").delete_failed("w-0-1", "m1")), Fate::InFlight);
}

#[test]
fn a_delayed_message_is_delayed_until_it_is_due() {
    let mut scenario = one("ok");
    scenario.stack.queues.get_mut("Q").expect("the drill has it").delay = super::dsl::secs(60);
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.t(30).horizon();
    assert_eq!(tape.judge(&scenario).ledger.rows[0].fate, Fate::Delayed);
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.t(61).horizon();
    assert_eq!(tape.judge(&scenario).ledger.rows[0].fate, Fate::StillQueued);
}

#[test]
fn a_receive_after_the_delete_means_that_the_delete_did_not_take() {
    let mut tape = received();
    tape.deleted("w-0-1", "m1").t(31).got("w-0-1", "m1").horizon();
    assert_eq!(tape.judge(&one("ok")).ledger.rows[0].fate, Fate::InFlight);
}

#[test]
fn a_late_delete_in_the_source_queue_does_not_reach_the_dead_letter_queue() {
    let mut tape = received();
    tape.effect("w-0-1", "ok-0").t(31).dead("m1", 1).deleted("w-0-1", "m1").horizon();
    assert_eq!(tape.judge(&one("ok")).ledger.rows[0].fate, Fate::DeadLettered);
}

#[test]
fn redriven_ids_supersede_the_ones_before() {
    let mut tape = received();
    tape.t(31)
        .dead("m1", 1)
        .redriven("m1", "m2")
        .got("w-0-1", "m2")
        .effect("w-0-1", "ok-0")
        .deleted("w-0-1", "m2");
    tape.horizon();
    let judged = tape.judge(&one("ok"));
    let row = &judged.ledger.rows[0];
    assert_eq!(
        (row.fate, row.copies, row.receives, row.effects, row.redriven),
        (Fate::Processed, 1, 2, 1, 1)
    );
    let totals = &judged.ledger.totals;
    assert_eq!((totals.dead_lettered, totals.redriven, totals.attempted, totals.acknowledged), (1, 1, 1, 1));
}

#[test]
fn a_copy_that_can_still_be_handled_outranks_one_that_is_done() {
    let mut scenario = one("ok");
    scenario.inject.clear();
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("ok-0", "m2")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1").horizon();
    assert_eq!(verdicts(&tape, &scenario), (Fate::StillQueued, Verdict::Pass, Verdict::Pass));
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("ok-0", "m2")]);
    tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").deleted("w-0-1", "m1");
    tape.got("w-0-1", "m2").deleted("w-0-1", "m2").horizon();
    assert_eq!(verdicts(&tape, &scenario), (Fate::Processed, Verdict::Pass, Verdict::Pass));
}

#[test]
fn deleted_without_an_effect_is_discarded_unless_allowed() {
    let mut tape = received();
    tape.deleted("w-0-1", "m1");
    assert_eq!(verdicts(&tape, &one("ok")), (Fate::Discarded, Verdict::Inconclusive, Verdict::Inconclusive));
    tape.horizon();
    assert_eq!(verdicts(&tape, &one("ok")), (Fate::Discarded, Verdict::Pass, Verdict::Fail));
    let allowed = Scenario { allow_discarded: true, ..one("ok") };
    assert_eq!(verdicts(&tape, &allowed), (Fate::Discarded, Verdict::Pass, Verdict::Pass));
}

#[test]
fn deleted_and_then_killed_before_the_effect_is_lost() {
    let mut tape = received();
    tape.deleted("w-0-1", "m1").killed("w-0-1", "ok-0", "before-effect").horizon();
    let judged = tape.judge(&one("ok"));
    let found = claim(&judged, "always nothing_lost");
    assert_eq!((found.verdict, found.diagnosis.as_deref()), (Verdict::Fail, Some("deleted-before-effect")));
    assert!(
        found.reason.contains("deleted it before any effect and then was ended by signal 9"),
        "{}",
        found.reason
    );
    assert_eq!(judged.ledger.totals.lost, 1);
    // Where discards are allowed it may have been one.
    let allowed = Scenario { allow_discarded: true, ..one("ok") };
    assert_eq!(verdicts(&tape, &allowed), (Fate::Lost, Verdict::Inconclusive, Verdict::Pass));
}

#[test]
fn deleted_by_a_process_that_crashes_with_it_open_is_lost() {
    let mut tape = received();
    tape.deleted("w-0-1", "m1").real(200).crashed("w-0-1").horizon();
    assert_eq!(verdicts(&tape, &one("ok")).0, Fate::Lost);
    // Long after the processing bound the process had done with it.
    let mut tape = received();
    tape.deleted("w-0-1", "m1").real(5_000).crashed("w-0-1").horizon();
    assert_eq!(verdicts(&tape, &one("ok")).0, Fate::Discarded);
    // A consumer that takes one at a time and has taken another had done with it, too.
    let scenario = drill(&[("bad", 1), ("ok", 1)], Vec::new());
    let mut tape = Tape::with_sends(&[("bad-0", "m1"), ("ok-0", "m2")]);
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1").got("w-0-1", "m2").killed(
        "w-0-1",
        "ok-0",
        "before-effect",
    );
    tape.horizon();
    assert_eq!(verdicts(&tape, &scenario).0, Fate::Discarded);
}

#[test]
fn a_worker_that_works_on_after_the_delete_loses_all_that_it_deleted() {
    let scenario = drill(&[("ok", 2)], Vec::new());
    let mut tape = Tape::new();
    let queues = vec!["Q".to_owned()];
    let bug = Some("late-effect".to_owned());
    tape.add(Kind::ConsumerStarted { by: super::dsl::instance("w-0-1"), pid: 7, fixed: false, bug, queues });
    tape.begin(crate::history::Phase::Inject, 0, "send").sent("ok-0", "m1").sent("ok-1", "m2");
    tape.end(crate::history::Phase::Inject, 0);
    tape.got("w-0-1", "m1").deleted("w-0-1", "m1").got("w-0-1", "m2").deleted("w-0-1", "m2");
    tape.killed("w-0-1", "ok-1", "before-effect").horizon();
    assert_eq!(tape.judge(&scenario).ledger.totals.lost, 2);
}

#[test]
fn the_end_of_the_run_loses_nothing() {
    let mut tape = received();
    tape.deleted("w-0-1", "m1");
    let ended_by = Some("end of run".to_owned());
    tape.add(Kind::ConsumerExited {
        by: super::dsl::instance("w-0-1"),
        code: None,
        signal: Some(9),
        ended_by,
        left_behind: false,
    });
    tape.horizon();
    assert_eq!(verdicts(&tape, &one("ok")).0, Fate::Discarded);
}

#[test]
fn acknowledged_and_nowhere_is_lost() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.depth("Q", 0, 0, 0).horizon();
    let judged = tape.judge(&one("ok"));
    assert_eq!(claim(&judged, "always nothing_lost").verdict, Verdict::Fail);
    // Fewer than there should be, and nobody knows which.
    let scenario = drill(&[("ok", 2)], Vec::new());
    let mut tape = Tape::with_sends(&[("ok-0", "m1"), ("ok-1", "m2")]);
    tape.depth("Q", 1, 0, 0).horizon();
    assert_eq!(claim(&tape.judge(&scenario), "always nothing_lost").verdict, Verdict::Inconclusive);
}

#[test]
fn a_message_purged_before_its_effect_is_not_told() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.add(Kind::Purged { queue: "Q".into(), message_id: "m1".into() }).horizon();
    assert_eq!(verdicts(&tape, &one("ok")), (Fate::Purged, Verdict::Inconclusive, Verdict::Pass));
}

#[test]
fn a_delete_that_was_on_its_way_when_the_process_died_loses_the_message() {
    let mut tape = received();
    tape.killed("w-0-1", "ok-0", "before-delete").deleted("w-0-1", "m1").horizon();
    assert_eq!(verdicts(&tape, &one("ok")), (Fate::Lost, Verdict::Fail, Verdict::Pass));
}

#[test]
fn still_queued_is_never_lost() {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.depth("Q", 1, 0, 0).horizon();
    assert_eq!(verdicts(&tape, &one("ok")), (Fate::StillQueued, Verdict::Pass, Verdict::Pass));
}

#[test]
fn without_declared_effects_deleted_is_processed() {
    let mut scenario = one("ok");
    scenario.effects.clear();
    let mut tape = received();
    tape.deleted("w-0-1", "m1").horizon();
    assert_eq!(verdicts(&tape, &scenario), (Fate::Processed, Verdict::Pass, Verdict::Pass));
}

#[test]
fn a_stray_effect_may_be_that_of_a_discarded_message() {
    let mut tape = received();
    tape.stray("w-0-1").deleted("w-0-1", "m1").horizon();
    assert_eq!(verdicts(&tape, &one("ok")), (Fate::Discarded, Verdict::Pass, Verdict::Inconclusive));
}

#[test]
fn a_refused_send_is_rejected_and_a_received_one_recovered() {
    let mut scenario = one("ok");
    scenario.inject = vec![step(send("ok", 1))];
    let mut tape = Tape::new();
    tape.begin(crate::history::Phase::Inject, 0, "send").refused("ok-0");
    tape.fail_step(crate::history::Phase::Inject, 0, "denied").horizon();
    let judged = tape.judge(&scenario);
    assert_eq!(judged.ledger.rows[0].fate, Fate::Rejected);
    assert_eq!((judged.ledger.totals.attempted, judged.ledger.totals.acknowledged), (1, 0));
    assert_eq!(judged.verdict, Verdict::Error);

    let mut tape = Tape::new();
    tape.refused("ok-0");
    let held = crate::history::Held {
        message_id: "m1".into(),
        receipt: "r".into(),
        receive_count: 1,
        marker: Some("ok-0".into()),
    };
    let by = super::dsl::instance("w-0-1");
    tape.add(Kind::Received {
        by,
        queue: "Q".into(),
        messages: vec![held],
        visibility: 30,
        withheld: Withheld::No,
        fault: None,
        call: None,
    });
    assert_eq!(tape.judge(&scenario).ledger.totals.recovered, 1);
}

#[test]
fn what_havoq_did_not_send_is_unexpected() {
    let mut tape = received();
    tape.got("w-0-1", "foreign").stray("w-0-1").horizon();
    assert_eq!(tape.judge(&one("ok")).ledger.totals.unexpected, 2);
}

#[test]
fn a_run_without_messages_proves_nothing() {
    let mut tape = Tape::new();
    tape.horizon();
    assert_eq!(
        claim(&tape.judge(&drill(&[], Vec::new())), "always nothing_lost").verdict,
        Verdict::Inconclusive
    );
}

#[test]
fn what_expires_unprocessed_is_lost() {
    let lost = |label: &str, effects: bool, tell: &dyn Fn(&mut Tape)| {
        let mut scenario = one(label);
        if !effects {
            scenario.effects.clear();
        }
        let marker = format!("{label}-0");
        let mut tape = Tape::with_sends(&[(marker.as_str(), "m1")]);
        tell(&mut tape);
        tape.horizon();
        claim(&tape.judge(&scenario), "always nothing_lost")
    };
    let unread = |tape: &mut Tape| _ = tape.t(31).expired("Q", "m1");
    let found = lost("ok", true, &unread);
    assert_eq!(found.verdict, Verdict::Fail);
    assert!(found.reason.contains("ok-0 expired unprocessed"), "{}", found.reason);
    assert_eq!(lost("ok", false, &unread).verdict, Verdict::Fail);
    assert_eq!(lost("bad", true, &unread).verdict, Verdict::Fail);
    let worked =
        |tape: &mut Tape| _ = tape.got("w-0-1", "m1").effect("w-0-1", "ok-0").t(31).expired("Q", "m1");
    assert_eq!(lost("ok", true, &worked).verdict, Verdict::Pass);
    let dead = |tape: &mut Tape| _ = tape.got("w-0-1", "m1").t(31).dead("m1", 1).t(99).expired("DLQ", "m1");
    assert_eq!(lost("bad", true, &dead).verdict, Verdict::Pass);
    assert_eq!(lost("ok", true, &dead).verdict, Verdict::Fail);
}
