//! Powertools for Python, unmodified, under awslambdaric: its batch processor, and its idempotency
//! layer on the sandbox's DynamoDB.

use crate::functions::{Function, ONCE, ONE, function};
use crate::support::{Havoq, provided};

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

/// A13: a1, poison, a3 of one group and b1 of another come in one batch. Two blockers, each in a
/// batch of its own, keep the poller away until all four are there.
fn groups(manners: &'static str) -> Option<Vec<String>> {
    let function = payments("report_batch_item_failures: true, timeout: 30s, maximum_concurrency: 2")?;
    let text = Function { manners, receives: 1, ..function }.text(
        &[
            "send: { to: Orders, as: blocker-1 }",
            "wait: 1s",
            "send: { to: Orders, as: blocker-2 }",
            "wait: 1s",
            "send: { to: Orders, as: a1, group: g1 }",
            "poison: { to: Orders, form: wrong-type, as: bad, group: g1 }",
            "send: { to: Orders, as: a3, group: g1 }",
            "send: { to: Orders, as: b1, group: g2 }",
        ],
        &["effect: { of: a1, in: charges, exactly: 1, within: 1h }"],
    );
    let fifo = "Type: AWS::SQS::Queue\n      Properties:\n        FifoQueue: true";
    let text = text.replace("Type: AWS::SQS::Queue\n      Properties:", fifo);
    let text = text.replace("Type: AWS::SQS::Queue\nconsumers", &format!("{fifo}\nconsumers"));
    // A blocker is silent for longer than a bound that nothing has calibrated.
    let text = text.replace("    queue: Orders\n", "    queue: Orders\n    bound: 10s\n");
    let ran = Havoq::on(&text, &[]).ran();
    ran.assert_code(0);
    let moved = ran.of_kind("moved");
    let sent = ran.of_kind("sent");
    let label = |moved: &serde_json::Value| {
        let sent = sent.iter().find(|sent| sent["message_id"] == moved["message_id"])?;
        Some(sent["label"].as_str()?.to_owned())
    };
    let mut labels: Vec<String> = moved.iter().filter_map(label).collect();
    labels.sort();
    Some(labels)
}

#[test]
fn the_first_failure_of_a_fifo_batch_fails_other_groups_too() {
    let Some(dead) = groups("SLOW: blocker") else { return };
    assert_eq!(dead, ["a3", "b1", "bad"], "b1 is innocent");
}

#[test]
fn with_skip_group_on_error_other_groups_go_on() {
    let Some(dead) = groups("SLOW: blocker, GROUPS: skip") else { return };
    assert_eq!(dead, ["a3", "bad"]);
}
