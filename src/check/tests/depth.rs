use havoq_base::StackDuration;

use super::dsl::{Tape, drill, secs};
use crate::check::Verdict;
use crate::scenario::{Bound, Claim, Scenario};

fn drained(within: Option<StackDuration>) -> Scenario {
    drill(&[("ok", 1)], vec![Claim::Drained { queue: "Q".into(), within }])
}

fn visible(queue: &str, bound: Bound) -> Scenario {
    let claim = Claim::Depth {
        queue: queue.into(),
        visible: Some(bound),
        in_flight: None,
        delayed: None,
        within: None,
    };
    drill(&[("ok", 1)], vec![claim])
}

fn at_most(most: u64) -> Bound {
    Bound { at_least: None, at_most: Some(most) }
}

fn sent() -> Tape {
    let mut tape = Tape::with_sends(&[("ok-0", "m1")]);
    tape.depth("Q", 1, 0, 0);
    tape
}

#[test]
fn an_empty_queue_at_the_horizon_is_drained() {
    let mut tape = sent();
    tape.got("w-0-1", "m1").depth("Q", 0, 1, 0).deleted("w-0-1", "m1").depth("Q", 0, 0, 0);
    assert_eq!(tape.first(&drained(None)).verdict, Verdict::Inconclusive);
    tape.horizon();
    assert_eq!(tape.first(&drained(Some(secs(300)))).verdict, Verdict::Pass);
}

#[test]
fn a_message_in_flight_is_not_drained() {
    let mut tape = sent();
    tape.got("w-0-1", "m1").depth("Q", 0, 1, 0).horizon();
    let found = tape.first(&drained(None));
    assert_eq!(found.verdict, Verdict::Fail);
    assert_eq!(found.reason, "Q has 0 visible, 1 in flight, 0 delayed");
    assert!(found.story.iter().any(|line| line.text.starts_with("sent to Q")), "{:#?}", found.story);
}

#[test]
fn drained_too_late_fails() {
    let mut tape = sent();
    tape.got("w-0-1", "m1").t(301).deleted("w-0-1", "m1").depth("Q", 0, 0, 0).horizon();
    assert_eq!(tape.first(&drained(Some(secs(300)))).verdict, Verdict::Fail);
    assert_eq!(tape.first(&drained(Some(secs(302)))).verdict, Verdict::Pass);
}

#[test]
fn drained_once_and_full_at_the_end_fails() {
    let mut tape = sent();
    tape.depth("Q", 0, 0, 0).depth("Q", 1, 0, 0).horizon();
    assert_eq!(tape.first(&drained(Some(secs(300)))).verdict, Verdict::Fail);
}

#[test]
fn a_depth_that_the_ledger_contradicts_is_not_believed() {
    let mut tape = sent();
    tape.depth("Q", 0, 0, 0).horizon();
    let found = tape.first(&drained(None));
    assert_eq!(found.verdict, Verdict::Inconclusive);
    assert!(found.reason.contains("never left it"), "{}", found.reason);
}

#[test]
fn a_queue_left_by_an_idle_consumer_is_inconclusive() {
    let mut tape = sent();
    tape.t(10).idle("w-0-1").horizon();
    assert_eq!(tape.first(&drained(None)).verdict, Verdict::Inconclusive);
}

#[test]
fn taking_the_stack_down_drains_nothing() {
    let mut tape = sent();
    tape.horizon().depth("Q", 0, 0, 0);
    assert_eq!(tape.first(&drained(None)).verdict, Verdict::Fail);
}

#[test]
fn a_queue_of_ours_that_nothing_entered_is_empty_and_a_foreign_one_is_unknown() {
    let mut tape = sent();
    tape.horizon();
    assert_eq!(tape.first(&visible("DLQ", at_most(0))).verdict, Verdict::Pass);
    let mut tape = Tape::blank();
    tape.load("http://127.0.0.1:4566");
    tape.begin(crate::history::Phase::Inject, 0, "send")
        .sent("ok-0", "m1")
        .end(crate::history::Phase::Inject, 0);
    tape.horizon();
    assert_eq!(tape.first(&visible("DLQ", at_most(0))).verdict, Verdict::Inconclusive);
}

#[test]
fn bounds_are_inclusive() {
    let mut tape = sent();
    tape.depth("Q", 2, 0, 0).horizon();
    for (bound, verdict) in [
        (at_most(2), Verdict::Pass),
        (at_most(1), Verdict::Fail),
        (Bound { at_least: Some(2), at_most: None }, Verdict::Pass),
        (Bound { at_least: Some(3), at_most: None }, Verdict::Fail),
        (Bound { at_least: Some(2), at_most: Some(2) }, Verdict::Pass),
    ] {
        assert_eq!(tape.first(&visible("Q", bound)).verdict, verdict, "{bound:?}");
    }
}

#[test]
fn too_late_says_when_and_tells_of_the_last_to_leave() {
    let mut tape = sent();
    tape.got("w-0-1", "m1").t(301).deleted("w-0-1", "m1").depth("Q", 0, 0, 0).horizon();
    let found = tape.first(&drained(Some(secs(300))));
    assert!(found.reason.starts_with("Q was as claimed only from +301"), "{}", found.reason);
    assert!(found.story.iter().any(|line| line.text == "w-0-1 deleted it from Q"), "{:#?}", found.story);
}

#[test]
fn what_an_idle_consumer_kept_out_of_the_dead_letter_queue_is_inconclusive() {
    let mut tape = sent();
    tape.t(10).idle("w-0-1").horizon();
    let least = Bound { at_least: Some(1), at_most: None };
    assert_eq!(tape.first(&visible("DLQ", least)).verdict, Verdict::Inconclusive);
}
