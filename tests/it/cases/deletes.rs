//! Deletes that are not made, not done, or refused.

use super::{Case, Outcome, SENT, in_python, sqs_consumer};
use crate::foreign::Foreign;

const FAILED_ONCE: &str = "- fault: { does: failed-entries, call: DeleteMessageBatch, of: order, times: 1 }
  - send: { to: Orders, as: order }
  - send: { to: Orders, as: other }";
const FAILED_FOR_EVER: &str = "- fault: { does: failed-entries, call: DeleteMessageBatch, of: order }
  - send: { to: Orders, as: order }
  - send: { to: Orders, as: other }";
const LOST_ONCE: &str = "- fault: { does: swallow, call: DeleteMessage, of: order, times: 1 }
  - send: { to: Orders, as: order }";

fn case(consumer: String, inject: &'static str, visibility: u32) -> Case {
    Case { visibility, receives: 3, ..Case::of(consumer, inject) }
}

/// Three receives, so many effects, and dead-lettered although it was done.
fn is_used_up(ran: &Outcome, effects: usize) {
    assert_eq!(ran.traffic(), (effects, vec![1, 2, 3]), "{}", ran.ran.all());
    assert!(ran.dead(), "{}", ran.ran.all());
}

/// A1: a handler that returns nothing, which this version takes for a refusal.
#[test]
fn a_handler_that_returns_nothing() {
    let Some(consumer) = sqs_consumer(", env: { RETURNS: nothing }") else { return };
    let ran = case(consumer, SENT, 1).ran();
    ran.verdict("fail").diagnosed("never-deleted");
    is_used_up(&ran, 3);
}

fn failed_once(on: Option<&Foreign>) {
    let Some(consumer) = sqs_consumer(", env: { BATCHES: \"1\" }") else { return };
    let ran = at(case(consumer, FAILED_ONCE, 2), on).ran();
    ran.verdict("fail").diagnosed("delete-failure-ignored");
    assert_eq!(ran.traffic(), (2, vec![1, 2]), "{}", ran.ran.all());
}

fn failed_for_ever(on: Option<&Foreign>) {
    let Some(consumer) = sqs_consumer(", env: { BATCHES: \"1\" }") else { return };
    let ran = at(case(consumer, FAILED_FOR_EVER, 2), on).ran();
    ran.verdict("fail").diagnosed("delete-failure-ignored");
    is_used_up(&ran, 3);
}

fn lost_without_idempotency(on: Option<&Foreign>) {
    let Some(consumer) = sqs_consumer("") else { return };
    let ran = at(case(consumer, LOST_ONCE, 2), on).ran();
    ran.verdict("fail").diagnosed("no-idempotency");
    assert_eq!(ran.traffic(), (2, vec![1, 2]), "{}", ran.ran.all());
}

fn lost_with_idempotency(on: Option<&Foreign>) {
    let Some(consumer) = sqs_consumer(", env: { IDEMPOTENT: \"1\" }") else { return };
    let ran = at(case(consumer, LOST_ONCE, 2), on).ran();
    ran.verdict("pass");
    assert_eq!(ran.traffic(), (1, vec![1, 2]), "{}", ran.ran.all());
}

fn at(case: Case, on: Option<&Foreign>) -> Case {
    match on {
        Some(stack) => Case { on: vec!["--on".into(), stack.url()], ..case },
        None => case,
    }
}

/// A2: one entry of a batch fails, once.
#[test]
fn an_entry_that_fails_once() {
    failed_once(None);
}

/// A2: one entry of a batch fails, for ever.
#[test]
fn an_entry_that_fails_for_ever() {
    failed_for_ever(None);
}

/// A3: a delete is answered and not done, where the effect is repeated.
#[test]
fn a_lost_delete_without_idempotency() {
    lost_without_idempotency(None);
}

/// A3: the same where it is not.
#[test]
fn a_lost_delete_with_idempotency() {
    lost_with_idempotency(None);
}

/// A2 and A3 on a stack that is not ours.
#[test]
fn failed_and_lost_deletes_on_moto() {
    let Some(stack) = Foreign::moto() else { return };
    let on = Some(&stack);
    std::thread::scope(|scope| {
        scope.spawn(|| failed_once(on));
        scope.spawn(|| failed_for_ever(on));
        scope.spawn(|| lost_without_idempotency(on));
        scope.spawn(|| lost_with_idempotency(on));
    });
    stack.assert_nothing_left();
}

/// A4: every delete is denied.
#[test]
fn denied_deletes() {
    let Some(consumer) = sqs_consumer("") else { return };
    let inject = "- fault: { does: denied, call: DeleteMessage, of: order }
  - send: { to: Orders, as: order }";
    let ran = case(consumer, inject, 1).ran();
    ran.verdict("fail").diagnosed("cannot-delete");
    is_used_up(&ran, 3);
}

/// A5: remembers in memory what it did, and a delete that got lost is never made good.
#[test]
fn a_lost_delete_of_a_message_that_is_ignored_from_then_on() {
    let Some(consumer) = in_python("remembers_what_it_did.py") else { return };
    let ran = case(consumer, LOST_ONCE, 2).ran();
    ran.verdict("fail").diagnosed("done-and-dead-lettered");
    is_used_up(&ran, 1);
}
