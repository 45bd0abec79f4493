//! The clock must be right or say that it was not.

use serde_json::Value;

use crate::support::{Havoq, Ran, scenario};

const SLOW: &str = r#"
name: slow-worker
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties: { VisibilityTimeout: 180 }
consumers:
  fulfilment: { worker: { work: 3s }, queue: Orders, instances: 2, bound: 100ms }
effects:
  charges: { http: /charges, key: $.orderId }
inject:
  - send: { to: Orders, count: 2, as: orders }
expect:
  - effect: { of: orders, in: charges, exactly: 1, within: 10m }
  - drained: { queue: Orders, within: 10m }
"#;

fn run_with(bound: &str) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("slow.yaml");
    std::fs::write(&file, SLOW.replace("100ms", bound)).expect("a scenario");
    Havoq::run(&[&file], &[]).ran()
}

/// `havoq report` on the history comes to the same verdict.
fn judged_again_alike(ran: &Ran) {
    let history = ran.file("history.jsonl");
    let again = Havoq::new(&["report", history.to_str().expect("a path"), "--format", "json"]).ran();
    let again: Value = serde_json::from_str(&again.stdout).expect("JSON");
    assert_eq!(again["scenarios"], ran.report()["scenarios"]);
}

fn of_kind(ran: &Ran, kind: &str) -> Vec<Value> {
    ran.events().into_iter().filter(|event| event["kind"] == kind).collect()
}

/// Work that outlasts a bound chosen far too small is seen, and not judged.
#[test]
fn work_that_outlasts_its_bound_is_inconclusive() {
    let ran = run_with("100ms");
    ran.assert_code(3);
    assert!(!of_kind(&ran, "clock_overran").is_empty(), "{}", ran.all());
    assert!(ran.stdout.contains("overran") || ran.stdout.contains("outlasted"), "{}", ran.all());
    assert_eq!(scenario(&ran.report(), "slow-worker")["attempts"], 3, "{}", ran.all());
    judged_again_alike(&ran);
}

/// One attempt is void, the next one has the patience; its markers are its own.
#[test]
fn an_overrun_is_tried_again_with_longer_bounds() {
    let ran = run_with("1s");
    ran.assert_code(0);
    assert_eq!(scenario(&ran.report(), "slow-worker")["attempts"], 2, "{}", ran.all());
    let times: Vec<Value> =
        of_kind(&ran, "scenario_loaded").iter().map(|event| event["bounds_times"].clone()).collect();
    assert_eq!(times, [1, 4]);
    let bounds: Vec<Value> =
        of_kind(&ran, "bound_set").iter().map(|event| event["processing"].clone()).collect();
    assert!(bounds.contains(&1.0.into()) && bounds.contains(&4.0.into()), "{bounds:?}");
    let markers = of_kind(&ran, "sent").into_iter().map(|event| event["marker"].to_string());
    assert_eq!(markers.collect::<std::collections::BTreeSet<_>>().len(), 4, "two in each attempt");
    judged_again_alike(&ran);
}
