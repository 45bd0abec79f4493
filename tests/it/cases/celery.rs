//! A Celery worker on SQS, as it is.

use super::{Case, KILLED_AT_WORK, REDELIVERED, in_python};

/// A task message in Celery's own form.
const TASK: &str = r#", id: $.headers.id, body: {
    body: '[["{{id}}"], {}, {}]', content-type: application/json, content-encoding: utf-8,
    headers: { lang: py, task: orders.charge, id: "{{id}}" },
    properties: { delivery_mode: 2, delivery_tag: "{{uuid}}", delivery_info: { exchange: "", routing_key: orders } } }"#;
const BAD_TASK: &str = r#"- send: { to: Orders, as: order, id: $.headers.id, body: {
    body: '[["{{id}}", true], {}, {}]', content-type: application/json, content-encoding: utf-8,
    headers: { lang: py, task: orders.charge, id: "{{id}}" },
    properties: { delivery_mode: 2, delivery_tag: "{{uuid}}", delivery_info: { exchange: "", routing_key: orders } } } }"#;

fn case(more: &str, inject: &'static str) -> Option<Case> {
    let consumer = in_python("celery_at_work.py")? + more;
    Some(Case { visibility: 6, receives: 3, message: TASK, ..Case::of(consumer, inject) })
}

/// A7: acknowledged on receipt, and killed at work.
#[test]
fn killed_at_work_and_acknowledging_on_receipt() {
    let Some(case) = case("", KILLED_AT_WORK) else { return };
    let ran = case.ran();
    ran.verdict("fail").diagnosed("deleted-before-effect");
    assert_eq!(ran.traffic(), (0, vec![1]), "{}", ran.ran.all());
    assert!(!ran.dead(), "{}", ran.ran.all());
}

/// A8: acknowledges late, killed at work.
#[test]
fn killed_at_work_and_acknowledging_late() {
    let Some(case) = case(", env: { ACKS_LATE: \"1\" }", KILLED_AT_WORK) else { return };
    let ran = Case { more: REDELIVERED, ..case }.ran();
    ran.verdict("pass");
    assert_eq!(ran.traffic(), (1, vec![1, 2]), "{}", ran.ran.all());
}

/// A9: acknowledges late, and failures as well.
#[test]
fn a_failure_that_is_acknowledged() {
    let Some(case) = case(", env: { ACKS_LATE: \"1\" }", BAD_TASK) else { return };
    let expect = "  - dead_lettered: { of: order, in: OrderDLQ, receives: 3, within: 1m }\n";
    let ran = Case { expect, ..case }.ran();
    ran.verdict("fail").diagnosed("swallowed-error");
    assert_eq!(ran.traffic(), (0, vec![1]), "{}", ran.ran.all());
    assert!(!ran.dead(), "{}", ran.ran.all());
}
