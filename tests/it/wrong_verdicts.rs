//! Deliberate attempts at a wrong verdict. docs/wrong-verdicts.md tells what each one is about, and
//! must say what is found here.

use std::path::Path;

use crate::support::{Havoq, provided, root, scenario};

const HEAD: &str = r#"
name: NAME
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties:
        VisibilityTimeout: 30
        RedrivePolicy: { deadLetterTargetArn: !GetAtt OrderDLQ.Arn, maxReceiveCount: 3 }
    OrderDLQ:
      Type: AWS::SQS::Queue
    Alarm:
      Type: AWS::CloudWatch::Alarm
      Properties:
        Namespace: AWS/SQS
        MetricName: ApproximateNumberOfMessagesVisible
        Dimensions: [{ Name: QueueName, Value: !GetAtt OrderDLQ.QueueName }]
        Statistic: Maximum
        Period: 60
        EvaluationPeriods: 1
        Threshold: 0
        ComparisonOperator: GreaterThanThreshold
        TreatMissingData: notBreaching
effects:
  charges: { http: /charges, key: $.orderId }
consumers:
  client: { CONSUMER, queue: Orders, wall_clock: none }
"#;

const POISON: &str = "
inject:
  - poison: { to: Orders, form: wrong-type, as: bad }
expect:
  - no_effect: { of: bad }
";
const ORDERS: &str = "
inject:
  - send: { to: Orders, count: 4, as: orders }
expect:
  - effect: { of: orders, in: charges, exactly: 1, within: 2m }
";
const ONE_ORDER: &str = "
inject:
  - send: { to: Orders, as: orders }
expect:
  - effect: { of: orders, in: charges, exactly: 1, within: 2m }
  - drained: { queue: Orders, within: 2m }
";
const BESIDE_A_WORKER: &str = "  beside: { worker: { work: 100ms }, queue: Orders }

steady_state:
  - send: { to: Orders, count: 30, as: warmup }
  - drained: { queue: Orders, within: 1m }
inject:
  - send: { to: Orders, count: 40, as: orders }
expect:
  - effect: { of: orders, in: charges, exactly: 1, within: 2m }
";
const ONE_KILLED: &str = "  beside: { worker: {}, queue: Orders }

inject:
  - kill: { consumer: client, at: before-effect, of: orders }
  - send: { to: Orders, count: 20, as: orders }
expect:
  - effect: { of: orders, in: charges, exactly: 1, within: 5m }
  - drained: { queue: Orders, within: 5m }
";
const FAULT_WITHOUT_A_CHANCE: &str = "
inject:
  - kill: { consumer: client, at: after-delete, of: bad }
  - poison: { to: Orders, form: not-json, as: bad }
expect:
  - no_effect: { of: bad }
";
const IN_ALARM_BEFORE: &str = "
steady_state:
  - send: { to: Orders, body: \"no order\", as: early }
  - alarm: { name: Alarm, reaches: ALARM, within: 20m }
inject:
  - send: { to: Orders, as: orders }
expect:
  - alarm: { name: Alarm, reaches: ALARM, within: 20m }
";
const DEAD_LETTER_BEFORE: &str = "
steady_state:
  - send: { to: Orders, body: \"no order\", as: early }
  - dead_lettered: { of: early, in: OrderDLQ, within: 20m }
inject:
  - poison: { to: Orders, form: next-version, as: later }
expect:
  - dead_lettered: { of: later, in: OrderDLQ, within: 10m }
";

const QUIET_ALARM: &str = "
steady_state:
  - alarm: { name: Alarm, reaches: OK, within: 10m }
inject:
  - poison: { to: Orders, form: wrong-type, as: bad }
  - wait: 10m
expect:
  - stays: { alarm: { name: Alarm, is: OK } }
";

/// Name, consumer (a file is one of the adversaries), more about it, the rest, the verdict.
const ATTEMPTS: &[(&str, &str, &str, &str, &str)] = &[
    ("poison-in-a-thread", "charges_poison_in_a_thread.py", ", bound: 100ms", POISON, "inconclusive"),
    ("nobody-there", "true", "", POISON, "inconclusive"),
    ("daemonises", "daemonises.py", "", ORDERS, "inconclusive"),
    ("escapes", "escapes.py", "", ORDERS, "inconclusive"),
    ("deleted-by-another", "deletes_unseen.py", "", BESIDE_A_WORKER, "fail"),
    ("old-handle", "deletes_with_an_old_handle.py", "", ONE_ORDER, "inconclusive"),
    ("effects-for-others", "charges_for_another.py", "", ORDERS, "fail"),
    ("effects-without-a-key", "charges_without_a_key.py", "", ORDERS, "inconclusive"),
    ("sends-copies", "sends_copies.py", "", ORDERS, "fail"),
    ("passes-on", "passes_on.py", "", ORDERS, "inconclusive"),
    ("deletes-the-alarm", "deletes_the_alarm.py", "", QUIET_ALARM, "inconclusive"),
    ("extends-for-ever", "extends_for_ever.py", "", ONE_ORDER, "inconclusive"),
    ("one-of-two-killed", "worker", "", ONE_KILLED, "pass"),
    ("fault-never-fires", "worker", "", FAULT_WITHOUT_A_CHANCE, "inconclusive"),
    ("in-alarm-before", "worker", "", IN_ALARM_BEFORE, "fail"),
    ("dead-letter-before", "worker", "", DEAD_LETTER_BEFORE, "fail"),
];

#[test]
fn no_attempt_at_a_wrong_verdict_succeeds() {
    let Some(python) = provided("HAVOQ_TEST_PYTHON") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for attempt in ATTEMPTS {
        write_scenario(folder.path(), &python, attempt);
    }
    let ran = Havoq::run(&[folder.path()], &["--jobs", "5", "--timeout", "45s"]).ran();
    let report = ran.report();
    let wrong = ATTEMPTS.iter().filter_map(|(name, .., expected)| {
        let found = &scenario(&report, name)["verdict"];
        (found != expected).then(|| format!("{name}: {found}, not {expected}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), ran.all());
}

#[test]
fn the_document_says_what_is_found() {
    let text = std::fs::read_to_string(root().join("docs/wrong-verdicts.md")).expect("the document");
    for (name, .., verdict) in ATTEMPTS {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/wrong-verdicts.md has no row for {name}"));
        assert!(row.contains(&format!("| {verdict} |")), "{row} should say {verdict}");
    }
}

fn write_scenario(folder: &Path, python: &Path, attempt: &(&str, &str, &str, &str, &str)) {
    let (name, consumer, more, rest, _) = attempt;
    let program = match *consumer {
        "worker" => "worker: {}".to_owned(),
        "true" => "command: [\"true\"]".to_owned(),
        file => {
            let file = root().join("tests/consumers/adversaries").join(file);
            format!("command: [{python:?}, {file:?}]")
        }
    };
    let text = format!("{HEAD}{rest}").replace("NAME", name);
    let text = text.replace("CONSUMER", &format!("{program}{more}"));
    std::fs::write(folder.join(format!("{name}.yaml")), text).expect("a scenario");
}
