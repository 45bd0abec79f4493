//! `havoq prove`: a suite that can fail is told from one that cannot.

use std::path::Path;

use serde_json::Value;

use crate::support::{Havoq, Ran};

const SCENARIO: &str = "
name: orders
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties:
        VisibilityTimeout: 180
        RedrivePolicy: { deadLetterTargetArn: !GetAtt OrderDLQ.Arn, maxReceiveCount: 5 }
    OrderDLQ:
      Type: AWS::SQS::Queue
    Unused:
      Type: AWS::SQS::Queue
consumers:
  fulfilment: { CONSUMER, queue: Orders }
effects:
  charges: { http: /charges, key: $.orderId }
  refunds: { http: /refunds, key: $.orderId }
steady_state:
  - send: { to: Orders, as: warmup }
  - effect: { of: warmup, in: charges, exactly: 1, within: 30s }
inject:
  - send: { to: Orders, as: order }
expect:
  - effect: { of: order, in: charges, exactly: 1, within: 10m }
";

/// Two that nothing can make false.
const VACUOUS: &str = "  - depth: { queue: Unused, visible: { at_most: 100 } }
  - no_effect: { of: order, in: refunds }
";

fn prove(consumer: &str, more: &str) -> Ran {
    Havoq::prove(&(SCENARIO.replace("CONSUMER", consumer) + more), &[]).ran()
}

fn expectations(report: &Value) -> Vec<&Value> {
    let scenarios = report["prove"]["scenarios"].as_array().expect("scenarios");
    scenarios.iter().flat_map(|scenario| scenario["expectations"].as_array().expect("a list")).collect()
}

/// The ids of those that stand like this.
fn standing(report: &Value, standing: &str) -> Vec<String> {
    let alike = expectations(report).into_iter().filter(|tested| tested["standing"] == standing);
    alike.map(|tested| tested["id"].as_str().expect("an id").to_owned()).collect()
}

/// `havoq report` on the history comes to the same finding.
fn judged_again_alike(ran: &Ran) {
    let history = ran.file("history.jsonl");
    let again = Havoq::new(&["report", history.to_str().expect("a path"), "--format", "json"]).ran();
    assert_eq!(again.code, ran.code, "{}", again.all());
    let again: Value = serde_json::from_str(&again.stdout).expect("JSON");
    assert_eq!(again["scenarios"], ran.report()["scenarios"]);
    assert_eq!(again["prove"], ran.report()["prove"]);
}

#[test]
fn the_bundled_drills_have_no_vacuous_expectation() {
    let began = havoq_base::RunStart::now();
    let ran = Havoq::prove_file(Path::new("scenarios"), &[]).ran();
    println!("a proof of the four drills took {:.1} s", began.elapsed().as_secs_f64());
    ran.assert_code(0);
    let report = ran.report();
    assert_eq!(expectations(&report).len(), 27, "{}", ran.all());
    assert_eq!(standing(&report, "proven").len(), 27, "{}", ran.all());
    judged_again_alike(&ran);
}

#[test]
fn an_expectation_that_cannot_fail_is_named() {
    let ran = prove("worker: { work: 5ms, effect: charges }", VACUOUS);
    ran.assert_code(1);
    let report = ran.report();
    assert_eq!(standing(&report, "vacuous"), ["expect[1] depth", "expect[2] no_effect"], "{}", ran.all());
    assert_eq!(standing(&report, "proven"), ["expect[0] effect"], "{}", ran.all());
    for (tested, line) in expectations(&report).into_iter().zip([25, 26, 27]) {
        assert_eq!(tested["line"], line);
        let place = format!("scenario.yaml:{line}:5: vacuous: orders");
        assert_eq!(ran.stdout.contains(&place), tested["standing"] == "vacuous", "{}", ran.all());
    }
    assert!(ran.stdout.contains("3 expectations: 1 proven, 2 vacuous"), "{}", ran.all());
    judged_again_alike(&ran);
}

#[test]
fn a_scenario_that_is_red_as_it_is_proves_nothing() {
    let ran = prove("worker: { work: 5ms, effect: charges }", RED);
    ran.assert_code(1);
    let report = ran.report();
    assert_eq!(report["prove"]["scenarios"][0]["baseline"], "fail", "{}", ran.all());
    assert!(standing(&report, "proven").is_empty() && standing(&report, "vacuous").is_empty());
    assert!(
        ran.stdout.contains("failed as it is (exit 1), and so was not run with mutations"),
        "{}",
        ran.all()
    );
    judged_again_alike(&ran);
}

/// More effects than a correct worker makes.
const RED: &str = "  - effect: { of: order, in: charges, exactly: 2, within: 10m }\n";

#[test]
fn a_proof_elsewhere_than_on_the_sandbox_is_refused() {
    let ran = Havoq::prove_file(Path::new("scenarios"), &["--on", "http://127.0.0.1:1"]).ran();
    ran.assert_code(2);
    assert!(ran.stderr.contains("--on"), "{}", ran.all());
}
