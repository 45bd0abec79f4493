//! Faults at the tap as real clients see them, by programs that tell what came of their calls.

mod calls;
mod deliveries;
mod foreign;
mod sdks;
mod verdicts;

use std::path::Path;

use serde_json::Value;

use crate::support::{Havoq, Ran, provided, root};

/// A scenario whose client plays scenes when a message says that everything is armed and sent. Each
/// queue has the visibility timeout behind its name.
fn scenario(command: &str, queues: &[(&str, u32)], steps: &str) -> String {
    let queue = |(name, visibility): &(&str, u32)| {
        format!(
            "    {name}: {{ Type: 'AWS::SQS::Queue', Properties: {{ VisibilityTimeout: {visibility} }} }}\n"
        )
    };
    let queues: String = queues.iter().map(queue).collect();
    format!(
        "name: faults
stack:
  Resources:
    Start: {{ Type: 'AWS::SQS::Queue' }}
{queues}consumers:
  client: {{ command: {command}, queue: Start, wall_clock: none, bound: 4s }}
inject:
{steps}  - send: {{ to: Start, as: start }}
expect:
  - drained: {{ queue: Start, within: 5m }}
"
    )
}

/// calls.py with these scenes.
fn boto3(scenes: &[&str]) -> Option<String> {
    let python = provided("HAVOQ_TEST_PYTHON")?;
    let program = root().join("tests/consumers/faults/calls.py");
    Some(command(&[&python, &program], scenes))
}

fn command(program: &[&Path], arguments: &[&str]) -> String {
    let parts = program.iter().map(|part| part.display().to_string());
    let quoted = parts.chain(arguments.iter().map(|&part| part.to_owned())).map(|part| format!("{part:?}"));
    format!("[{}]", quoted.collect::<Vec<_>>().join(", "))
}

/// What the client told.
struct Told {
    scenes: Value,
    ran: Ran,
}

impl Told {
    fn by(scenario: &str, more: &[&str]) -> Self {
        let ran = Havoq::on(scenario, &[&["--seed", "7", "--timeout", "100s"], more].concat()).ran();
        let log = ran.log("client-0-1.out");
        let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let told = lines.filter_map(|line| line.as_object().cloned()).flatten();
        Self { scenes: told.collect::<serde_json::Map<_, _>>().into(), ran }
    }

    fn assert(&self, scene: &str, expected: Value) {
        assert_eq!(
            self.scenes[scene],
            expected,
            "{scene}\n{}\n{}",
            self.ran.all(),
            self.ran.log("client-0-1.err")
        );
    }

    /// How often each fault is in the history, in the order in which they were armed.
    fn fired(&self) -> Vec<usize> {
        let fired = self.ran.of_kind("fault_fired");
        let armed = self.ran.of_kind("fault_armed");
        let count = |armed: &Value| fired.iter().filter(|fired| fired["fault"] == armed["fault"]).count();
        armed.iter().map(count).collect()
    }
}
