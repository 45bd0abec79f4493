//! Consumers that a jumping clock could misjudge, on both clocks: the two verdicts never contradict
//! each other, and each is what production would show.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Havoq, Ran, provided, root, scenario};

/// Seconds instead of minutes, so that the real clock can run it too.
const SCENARIO: &str = r#"
name: NAME
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties:
        VisibilityTimeout: 4
        RedrivePolicy: { deadLetterTargetArn: !GetAtt OrderDLQ.Arn, maxReceiveCount: 3 }
    OrderDLQ:
      Type: AWS::SQS::Queue
consumers:
  client: { command: [COMMAND], queue: Orders, restart: at-once, MORE }
effects:
  charges: { http: /charges, key: $.orderId }
steady_state:
  - send: { to: Orders, as: warmup }
  - effect: { of: warmup, in: charges, exactly: 1, within: 40s }
inject:
  INJECT
expect:
  - effect: { of: orders, in: charges, exactly: 1, within: 30s }
  - drained: { queue: Orders, within: 40s }
"#;

const ORDERS: &str = "- send: { to: Orders, count: 2, as: orders }";
const ORDERS_AND_POISON: &str = "- send: { to: Orders, count: 2, as: orders }
  - poison: { to: Orders, form: wrong-type, as: bad }";
const EXPECT_POISON: &str = "  - dead_lettered: { of: bad, in: OrderDLQ, receives: 3, within: 40s }
  - no_effect: { of: bad }
";

struct Adversary {
    name: &'static str,
    program: &'static str,
    /// More about the consumer.
    more: &'static str,
    inject: &'static str,
    /// What production would show, and so does the real clock.
    real: &'static str,
    jumping: &'static str,
    /// Why that is so.
    because: &'static str,
}

const ADVERSARIES: &[Adversary] = &[
    Adversary {
        name: "sleeps-between-polls",
        program: "sleeps_between_polls.py",
        more: "",
        inject: ORDERS_AND_POISON,
        real: "pass",
        jumping: "pass",
        because: "it is slow to come back and correct",
    },
    Adversary {
        name: "acknowledges-early-and-dies",
        program: "acknowledges_early.py",
        more: "",
        inject: "- kill: { consumer: client, at: before-effect, of: orders }
  - send: { to: Orders, count: 1, as: orders }",
        real: "fail",
        jumping: "fail",
        because: "the order was deleted before the death and is lost",
    },
    Adversary {
        name: "acknowledges-early-and-lives",
        program: "acknowledges_early.py",
        more: "",
        inject: ORDERS,
        real: "pass",
        jumping: "pass",
        because: "nobody dies, so the early delete does no harm",
    },
    Adversary {
        name: "effect-after-delete",
        program: "effect_after_delete.py",
        more: "",
        inject: ORDERS_AND_POISON,
        real: "pass",
        jumping: "pass",
        because: "nobody dies, and each order is charged in the end",
    },
    Adversary {
        name: "retries-in-process",
        program: "retries_in_process.py",
        more: "",
        inject: ORDERS_AND_POISON,
        real: "pass",
        jumping: "pass",
        because: "its retries end before the visibility timeout does",
    },
    Adversary {
        name: "own-ttl",
        program: "own_ttl.py",
        more: "",
        inject: "- duplicate: { to: Orders, as: orders, copies: 2, gap: 6s }",
        real: "fail",
        jumping: "inconclusive",
        because: "after six seconds it has forgotten the order, for which a jump leaves no time",
    },
    Adversary {
        name: "buffers-deletes",
        program: "buffers_deletes.py",
        more: "",
        inject: ORDERS_AND_POISON,
        real: "pass",
        jumping: "pass",
        because: "its deletes come late, but in time",
    },
    Adversary {
        name: "buffers-deletes-in-node",
        program: "buffers_deletes.mjs",
        more: "",
        inject: ORDERS_AND_POISON,
        real: "pass",
        jumping: "pass",
        because: "its deletes come late, but in time",
    },
    Adversary {
        name: "prefetches",
        program: "prefetches.py",
        more: "env: { PER_ORDER: \"0.5\" }",
        inject: ORDERS_AND_POISON,
        real: "pass",
        jumping: "pass",
        because: "the whole batch is done before its visibility timeout",
    },
    Adversary {
        name: "prefetches-past-visibility",
        program: "prefetches.py",
        more: "instances: 2, env: { PER_ORDER: \"1.5\" }",
        inject: "- send: { to: Orders, count: 6, as: orders }",
        real: "fail",
        jumping: "fail",
        because: "the tail of the batch outlives its visibility timeout and comes again elsewhere",
    },
    Adversary {
        name: "heartbeat",
        program: "heartbeat.py",
        more: "",
        inject: ORDERS_AND_POISON,
        real: "pass",
        jumping: "pass",
        because: "it extends the visibility in time",
    },
    Adversary {
        name: "heartbeat-in-node",
        program: "heartbeat.mjs",
        more: "",
        inject: ORDERS_AND_POISON,
        real: "pass",
        jumping: "pass",
        because: "it extends the visibility in time",
    },
    Adversary {
        name: "stopped-and-resumed",
        program: "plain.py",
        more: "instances: 2",
        inject: "- kill: { consumer: client, signal: SIGSTOP, at: before-effect, of: orders, call: forward, resume: 7s }
  - send: { to: Orders, count: 1, as: orders }",
        real: "fail",
        jumping: "fail",
        because: "while one instance stands still the other charges the order once more",
    },
    Adversary {
        name: "hung-on-poison",
        program: "hung_on_poison.py",
        more: "bound: 100ms",
        inject: ORDERS_AND_POISON,
        real: "fail",
        jumping: "inconclusive",
        because: "it charges for poison after three seconds, for which a bound of 100 ms leaves no time",
    },
];

#[test]
fn the_clocks_never_contradict_and_tell_what_production_would() {
    let Some(python) = provided("HAVOQ_TEST_PYTHON") else { return };
    let Some(modules) = provided("HAVOQ_TEST_NODE_MODULES") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    write_scenarios(folder.path(), &python, &modules);
    let (real, jumping) = std::thread::scope(|scope| {
        let real = scope.spawn(|| run(folder.path(), "real", "7"));
        let jumping = run(folder.path(), "virtual", "4");
        (real.join().expect("the real clock's run"), jumping)
    });
    let (reports, mut wrong) = ([real.report(), jumping.report()], Vec::new());
    for adversary in ADVERSARIES {
        let [real, jumping] = reports.each_ref().map(|report| scenario(report, adversary.name));
        wrong.extend(contradictions(real, jumping));
        wrong.extend(surprise("real", adversary.real, real, adversary));
        wrong.extend(surprise("jumping", adversary.jumping, jumping, adversary));
    }
    assert!(wrong.is_empty(), "{}\nreal clock: {}\njumping: {}", wrong.join("\n"), real.all(), jumping.all());
}

/// Too many at once are slow to start, which the jumping clock may take for idle. The real one
/// mostly sleeps.
fn run(folder: &Path, clock: &str, jobs: &str) -> Ran {
    Havoq::run(&[folder], &["--clock", clock, "--timeout", "80s", "--jobs", jobs]).ran()
}

fn write_scenarios(folder: &Path, python: &Path, modules: &Path) {
    for adversary in ADVERSARIES {
        let program = root().join("tests/consumers/adversaries").join(adversary.program);
        let command = if adversary.program.ends_with(".mjs") {
            // Node looks for packages from the file upwards, so the file is put beside them.
            let beside = modules.with_file_name(format!("adversary_{}", adversary.program));
            std::fs::copy(&program, &beside).expect("a copy");
            [PathBuf::from("node"), beside]
        } else {
            [python.to_owned(), program]
        };
        let command: Vec<String> =
            command.iter().map(|part| format!("{:?}", part.to_string_lossy())).collect();
        let more = if adversary.more.is_empty() { "instances: 1" } else { adversary.more };
        let mut text = SCENARIO.replace("NAME", adversary.name).replace("COMMAND", &command.join(", "));
        text = text.replace("MORE", more).replace("INJECT", adversary.inject);
        if adversary.inject.contains("poison") {
            text.push_str(EXPECT_POISON);
        }
        std::fs::write(folder.join(format!("{}.yaml", adversary.name)), text).expect("a scenario");
    }
}

fn claims(scenario: &Value) -> impl Iterator<Item = (&str, &str)> {
    let claims = scenario["claims"].as_array().into_iter().flatten();
    claims.map(|claim| {
        (claim["id"].as_str().unwrap_or_default(), claim["verdict"].as_str().unwrap_or_default())
    })
}

/// Claims may differ by inconclusive alone.
fn contradictions(real: &Value, jumping: &Value) -> Vec<String> {
    let pairs = claims(real).zip(claims(jumping));
    let contradict = pairs.filter(|((_, real), (_, jumping))| {
        matches!((*real, *jumping), ("pass", "fail") | ("fail", "pass"))
            || [*real, *jumping].contains(&"error")
    });
    contradict.map(|(real, jumping)| format!("contradiction: real {real:?}, jumping {jumping:?}")).collect()
}

fn surprise(clock: &str, expected: &str, found: &Value, adversary: &Adversary) -> Option<String> {
    let Adversary { name, because, .. } = adversary;
    (found["verdict"] != expected).then(|| {
        format!("{name} on the {clock} clock: {}, but {expected} is right, since {because}", found["verdict"])
    })
}
