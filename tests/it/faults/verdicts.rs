//! Faults together with the clock and with kills: the verdict is that of production.

use crate::support::Havoq;

const SCENARIO: &str = "
name: verdict
stack:
  Resources:
    Orders: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 6 } }
consumers:
  c: { worker: { bug: BUG, effect: charges }, queue: Orders }
effects:
  charges: { http: /charges, key: $.orderId }
inject:
  STEPS
  - send: { to: Orders, as: order }
expect:
  - effect: { of: order, in: charges, exactly: 1, within: 1m }
";

fn code(bug: &str, steps: &str) -> Option<i32> {
    let scenario = SCENARIO.replace("BUG", bug).replace("STEPS", steps);
    let ran = Havoq::on(&scenario, &["--timeout", "60s"]).ran();
    println!("{}", ran.all());
    ran.code
}

/// Due after 1 s, it is taken before the visibility timeout ends, whoever could jump there.
#[test]
fn the_clock_waits_for_a_late_delivery_to_be_taken() {
    assert_eq!(code("none", "- fault: { does: { late: { by: 1s } }, of: order, times: 1 }"), Some(0));
}

/// A delete that was throttled was not done, so this is no place behind it; the one that the SDK
/// tries then is, and what was deleted before its effect is lost.
#[test]
fn behind_a_delete_is_where_it_was_done() {
    let throttle = "- fault: { does: throttle, call: DeleteMessage, of: order, times: 1 }";
    let kill = "- kill: { consumer: c, at: after-delete, of: order, restart: at-once }";
    assert_eq!(code("delete-before-effect", &format!("{throttle}\n  {kill}")), Some(1));
}

/// A copy that nobody took was not delivered, and what the fault was to show was not shown.
#[test]
fn a_delivery_that_finds_nobody_is_no_pass() {
    let late = "- fault: { does: { late: { by: 30s } }, of: order, times: 1 }";
    let kill = "- kill: { consumer: c, at: after-delete, of: order, restart: never }";
    assert_eq!(code("none", &format!("{late}\n  {kill}")), Some(3));
}
