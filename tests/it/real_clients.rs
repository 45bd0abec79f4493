//! Consumers that know nothing of havoq, on real SDKs, in front of the embedded stack.

use std::path::Path;

use serde_json::Value;

use crate::support::{Havoq, provided, root, scenario};

/// A drill with a poison message and a kill, at production settings.
const SCENARIO: &str = r#"
name: real-client
stack: STACK
consumers:
  client: { command: [COMMAND], queue: OrderQueue, restart: at-once, wall_clock: none }
effects:
  charges: { http: /charges, key: $.orderId }
steady_state:
  - send: { to: OrderQueue, count: 3, as: warmup }
  - effect: { of: warmup, in: charges, exactly: 1, within: 30s }
inject:
  - kill: { consumer: client, at: before-delete, of: victim }
  - send: { to: OrderQueue, count: 5, as: healthy }
  - send: { to: OrderQueue, as: victim }
  - poison: { to: OrderQueue, form: wrong-type, as: bad }
expect:
  - dead_lettered: { of: bad, in: OrderDLQ, receives: 5, within: 40m }
  - redelivered: { of: victim, not_before: 180s, within: 10m }
  - effect: { of: victim, in: charges, exactly: 1 }
  - effect: { of: healthy, in: charges, exactly: 1 }
  - no_effect: { of: bad }
  - alarm: { name: OrderDLQAlarm, reaches: ALARM, within: 40m }
  - drained: { queue: OrderQueue, within: 40m }
"#;

fn passes(command: &[&Path]) {
    let folder = tempfile::tempdir().expect("a folder");
    let command: Vec<String> =
        command.iter().map(|part| format!("{:?}", part.display().to_string())).collect();
    let stack = root().join("scenarios/stacks/orders.yaml");
    let text =
        SCENARIO.replace("COMMAND", &command.join(", ")).replace("STACK", &stack.display().to_string());
    let file = folder.path().join("real-client.yaml");
    std::fs::write(&file, text).expect("a scenario");
    let ran = Havoq::run(&[&file], &[]).ran();
    let logs = || {
        let logs = std::fs::read_dir(ran.file("logs/real-client")).expect("logs");
        let text =
            |entry: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(entry.ok()?.path()).ok();
        logs.filter_map(text).collect::<String>()
    };
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.all(), logs());
    let report = ran.report();
    let claims: &Vec<Value> = scenario(&report, "real-client")["claims"].as_array().expect("claims");
    assert!(claims.iter().all(|claim| claim["verdict"] == "pass"), "{}", ran.all());
}

#[test]
fn boto3() {
    let Some(python) = provided("HAVOQ_TEST_PYTHON") else { return };
    passes(&[&python, &root().join("tests/consumers/boto3_consumer.py")]);
}

/// Node looks for packages from the file upwards, so the file is put beside them.
fn node(consumer: &str) {
    let Some(modules) = provided("HAVOQ_TEST_NODE_MODULES") else { return };
    let beside = modules.with_file_name(consumer);
    std::fs::copy(root().join("tests/consumers").join(consumer), &beside).expect("a copy");
    passes(&[Path::new("node"), &beside]);
}

#[test]
fn sdk_for_javascript() {
    node("sdk_v3_consumer.mjs");
}

#[test]
fn sqs_consumer() {
    node("sqs_consumer.mjs");
}

/// What it receives and deletes is known as well as in JSON: else nothing here could be judged.
#[test]
fn the_query_protocol() {
    passes(&[Path::new("python3"), &root().join("tests/consumers/query_consumer.py")]);
}
