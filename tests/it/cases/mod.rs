//! Failures from public reports: each is told, and told apart, as it was in life.

mod celery;
mod deletes;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Havoq, Ran, diagnoses, provided, root, scenario};

const SCENARIO: &str = r#"
name: case
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties:
        VisibilityTimeout: VISIBILITY
        RedrivePolicy: { deadLetterTargetArn: !GetAtt OrderDLQ.Arn, maxReceiveCount: RECEIVES }
    OrderDLQ:
      Type: AWS::SQS::Queue
consumers:
  client: { CONSUMER, queue: Orders, restart: at-once, wall_clock: none }
effects:
  charges: { http: /charges, key: $.orderId }
steady_state:
  - send: { to: Orders, as: warmup MESSAGE }
  - effect: { of: warmup, in: charges, exactly: 1, within: 40s }
inject:
  INJECT
expect:
"#;

/// What is right for an order that can be charged.
const CHARGED: &str = "  - effect: { of: order, in: charges, exactly: 1, within: 1m }
  - depth: { queue: OrderDLQ, visible: { exactly: 0 } }
";
const SENT: &str = "- send: { to: Orders, as: order MESSAGE }";

const KILLED_AT_WORK: &str = "- kill: { consumer: client, at: before-effect, of: order }
  - send: { to: Orders, as: order MESSAGE }";
const KILLED_AFTER_EFFECT: &str = "- kill: { consumer: client, at: after-effect, of: order }
  - send: { to: Orders, as: order }";
const REDELIVERED: &str = "  - redelivered: { of: order, not_before: VISIBILITYs, within: 1m }\n";

struct Case {
    consumer: String,
    inject: &'static str,
    visibility: u32,
    receives: u32,
    /// Which clock, or which stack.
    on: Vec<String>,
    /// The body, where it is not havoq's own.
    message: &'static str,
    expect: &'static str,
    more: &'static str,
}

fn clock(which: &str) -> Vec<String> {
    ["--clock", which].map(str::to_owned).into()
}

impl Case {
    fn of(consumer: String, inject: &'static str) -> Self {
        let (on, message, expect, more) = (clock("virtual"), "", CHARGED, "");
        Self { consumer, inject, visibility: 4, receives: 5, on, message, expect, more }
    }

    fn ran(&self) -> Outcome {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("case.yaml");
        let text = format!("{SCENARIO}{}{}", self.expect, self.more);
        let text = text.replace("CONSUMER", &self.consumer).replace("INJECT", self.inject);
        let text = text.replace(" MESSAGE", self.message);
        let text = text.replace("VISIBILITY", &self.visibility.to_string());
        std::fs::write(&file, text.replace("RECEIVES", &self.receives.to_string())).expect("a scenario");
        let on = self.on.iter().map(String::as_str).chain(["--timeout", "110s"]);
        let ran = Havoq::run(&[&file], &on.collect::<Vec<_>>()).ran();
        let report = ran.report();
        Outcome { case: scenario(&report, "case").clone(), ran }
    }
}

/// What came of a case.
struct Outcome {
    case: Value,
    ran: Ran,
}

impl Outcome {
    fn verdict(&self, expected: &str) -> &Self {
        assert_eq!(self.case["verdict"], expected, "{}", self.ran.all());
        self
    }

    fn diagnosed(&self, id: &str) -> &Self {
        let found = diagnoses(&self.case);
        assert!(found.contains(&id), "{found:?}\n{}", self.ran.all());
        self
    }

    /// Effects and the receive counts of the order.
    fn traffic(&self) -> (usize, Vec<u64>) {
        let rows = self.case["ledger"]["rows"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["label"] == "order").expect("the order");
        let events = self.ran.events();
        let received = events.iter().filter(|event| event["kind"] == "received");
        let held = received.flat_map(|event| event["messages"].as_array().cloned().unwrap_or_default());
        let own = held.filter(|held| held["marker"] == row["marker"]);
        let counts = own.filter_map(|held| held["receive_count"].as_u64()).collect();
        (row["effects"].as_u64().unwrap_or_default() as usize, counts)
    }

    /// In the dead-letter queue at the end.
    fn dead(&self) -> bool {
        let rows = self.case["ledger"]["rows"].as_array().expect("rows");
        rows.iter().any(|row| row["label"] == "order" && row["fate"] == "dead-lettered")
    }
}

/// The sqs-consumer of the cases, beside its packages.
fn sqs_consumer(more: &str) -> Option<String> {
    let modules = provided("HAVOQ_TEST_NODE_MODULES")?;
    let beside = modules.with_file_name("sqs_consumer_at_work.mjs");
    std::fs::copy(root().join("tests/consumers/cases/sqs_consumer_at_work.mjs"), &beside).expect("a copy");
    Some(format!("command: [node, {:?}]{more}", beside.to_string_lossy()))
}

/// A program of the cases in Python.
fn in_python(program: &str) -> Option<String> {
    let python = provided("HAVOQ_TEST_PYTHON")?;
    let program: PathBuf = root().join("tests/consumers/cases").join(program);
    let [python, program]: [&Path; 2] = [&python, &program];
    Some(format!("command: [{python:?}, {program:?}]"))
}

fn in_progress_marks(lapse: u32) -> Option<String> {
    Some(in_python("in_progress_marks.py")? + &format!(", instances: 2, env: {{ IN_PROGRESS: \"{lapse}\" }}"))
}

/// A6: visibility 2 s, work 5 s, two workers.
#[test]
fn visibility_shorter_than_the_work() {
    let Some(consumer) = sqs_consumer(", instances: 2, bound: 6s, env: { WORK: \"5000\" }") else { return };
    let case = Case { visibility: 2, ..Case::of(consumer, SENT) };
    let ran = case.ran();
    ran.verdict("fail").diagnosed("visibility-shorter-than-processing");
    assert!(ran.traffic().0 >= 2, "{}", ran.ran.all());
}

/// A15: a crash between effect and completion, with a mark that lapses soon.
#[test]
fn an_in_progress_mark_that_lapses_before_the_last_receive() {
    let Some(consumer) = in_progress_marks(3) else { return };
    let case = Case { visibility: 2, on: clock("real"), ..Case::of(consumer, KILLED_AFTER_EFFECT) };
    let ran = case.ran();
    ran.verdict("fail").diagnosed("no-idempotency");
    assert_eq!(ran.traffic(), (2, vec![1, 2, 3]), "one try is refused: {}", ran.ran.all());
    assert!(!ran.dead());
}

/// A15: the same with a mark that outlives all receives.
#[test]
fn an_in_progress_mark_that_outlives_all_receives() {
    let Some(consumer) = in_progress_marks(60) else { return };
    let case =
        Case { visibility: 2, receives: 4, on: clock("real"), ..Case::of(consumer, KILLED_AFTER_EFFECT) };
    let ran = case.ran();
    ran.verdict("fail");
    assert_eq!(ran.traffic(), (1, vec![1, 2, 3, 4]), "{}", ran.ran.all());
    assert!(ran.dead(), "a finished order is dead-lettered: {}", ran.ran.all());
    assert!(!diagnoses(&ran.case).contains(&"no-idempotency"), "{}", ran.ran.all());
}

/// A18: SIGKILL at 2.2 s of work.
#[test]
fn killed_at_work() {
    let Some(consumer) = sqs_consumer(", env: { WORK: \"2200\" }") else { return };
    let ran = Case { more: REDELIVERED, ..Case::of(consumer, KILLED_AT_WORK) }.ran();
    ran.verdict("pass");
    assert_eq!(ran.traffic(), (1, vec![1, 2]), "{}", ran.ran.all());
}

/// A19: a crash after the effect and before the delete, without idempotency.
#[test]
fn killed_between_effect_and_delete() {
    let Some(consumer) = sqs_consumer("") else { return };
    let ran = Case::of(consumer, KILLED_AFTER_EFFECT).ran();
    ran.verdict("fail").diagnosed("no-idempotency");
    assert_eq!(ran.traffic(), (2, vec![1, 2]), "{}", ran.ran.all());
}

/// A20: one order sent twice, without idempotency.
#[test]
fn sent_twice() {
    let Some(consumer) = sqs_consumer("") else { return };
    let inject = "- duplicate: { to: Orders, as: order, copies: 2, gap: 0s }";
    let ran = Case::of(consumer, inject).ran();
    ran.verdict("fail").diagnosed("no-idempotency");
    assert_eq!(ran.traffic(), (2, vec![1, 1]), "{}", ran.ran.all());
}

/// A21: five throttled receives, and consumption resumes.
#[test]
fn five_throttled_receives() {
    let Some(consumer) = sqs_consumer("") else { return };
    let inject = "- fault: { does: throttle, call: ReceiveMessage, times: 5 }
  - send: { to: Orders, as: order }";
    let ran = Case::of(consumer, inject).ran();
    ran.verdict("pass");
    assert_eq!(ran.traffic(), (1, vec![1]), "{}", ran.ran.all());
    assert_eq!(ran.ran.of_kind("fault_fired").len(), 5);
}
