//! The clock must be right or say that it was not.

use crate::support::Havoq;

const SLOW: &str = r#"
name: slow-worker
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties: { VisibilityTimeout: 180 }
consumers:
  fulfilment: { worker: { work: WORK }, queue: Orders, instances: 2, bound: 50ms }
effects:
  charges: { http: /charges, key: $.orderId }
inject:
  - send: { to: Orders, count: 2, as: orders }
expect:
  - effect: { of: orders, in: charges, exactly: 1, within: 10m }
  - drained: { queue: Orders, within: 10m }
"#;

fn run(work: &str) -> crate::support::Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("slow.yaml");
    std::fs::write(&file, SLOW.replace("WORK", work)).expect("a scenario");
    Havoq::run(&[&file], &[]).ran()
}

/// Work that outlasts a bound chosen too small is seen, and not judged.
#[test]
fn work_that_outlasts_its_bound_is_inconclusive() {
    let ran = run("1500ms");
    ran.assert_code(3);
    assert!(ran.events().iter().any(|event| event["kind"] == "clock_overran"), "{}", ran.all());
    assert!(ran.stdout.contains("clock"), "{}", ran.all());
}

/// Work that outlasts the patience for its next poll as well.
#[test]
fn work_that_never_comes_back_is_inconclusive() {
    run("20s").assert_code(3);
}
