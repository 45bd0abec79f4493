//! Powertools for Python, unmodified, under awslambdaric: its batch processor, and its idempotency
//! layer on the sandbox's DynamoDB.

use crate::functions::{Function, ONCE, ONE, function};
use crate::support::provided;

/// The function of tests/functions/payments.py.
fn payments(settings: &'static str) -> Option<Function> {
    let python = provided("HAVOQ_TEST_PYTHON")?;
    let command = format!("[{python:?}, -m, awslambdaric, payments.handle]");
    Some(Function { command, ..function(settings) })
}

const REPORTS: &str = "report_batch_item_failures: true, timeout: 30s";
const DIES: &str = "kill: { consumer: f, at: after-effect, of: order }";

#[test]
fn a_batch_with_a_bad_message_and_one_order_sent_twice() {
    let Some(function) = payments(REPORTS) else { return };
    let ran = function.ran(
        &[
            "send: { to: Orders, as: order, count: 3 }",
            "duplicate: { to: Orders, as: twin, copies: 2, gap: 10s }",
            "poison: { to: Orders, form: truncated-json, as: bad }",
        ],
        &[
            ONCE,
            "effect: { of: twin, in: charges, exactly: 1, within: 1h }",
            "dead_lettered: { of: bad, in: OrderDLQ, receives: 3, within: 1h }",
            "drained: { queue: Orders, within: 1h }",
        ],
    );
    ran.verdict("pass");
}

/// A15: the mark lapses with the function's timeout, on the clock that jumps, and the charge that
/// was made is made again.
#[test]
fn an_in_progress_mark_lapses_while_the_clock_jumps() {
    let Some(function) = payments(REPORTS) else { return };
    let ran = function.ran(&[DIES, ONE], &[ONCE]);
    ran.verdict("fail").diagnosed("no-idempotency");
    assert_eq!(ran.effects("order"), [2], "{}", ran.ran.all());
    assert!(ran.of_kind("consumer_time").iter().all(|event| event["follows"] == true));
}

/// A15: without the invocation's context the mark outlives all receives, and what is paid is
/// dead-lettered.
#[test]
fn an_in_progress_mark_outlives_all_receives() {
    let Some(function) = payments(REPORTS) else { return };
    let ran = Function { manners: "CONTEXT: no", receives: 4, ..function }
        .ran(&[DIES, ONE], &[ONCE, "depth: { queue: OrderDLQ, visible: { exactly: 0 } }"]);
    ran.verdict("fail").diagnosed("done-and-dead-lettered");
    assert_eq!(ran.effects("order"), [1], "{}", ran.ran.all());
}
