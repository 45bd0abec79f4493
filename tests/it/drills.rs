//! The four drills at production settings: a correct worker passes them, and each mistake fails.

use std::path::Path;

use serde_json::Value;

use crate::support::{Havoq, Ran, diagnoses, root, scenario};

fn run_drills(bug: Option<&str>) -> Ran {
    let havoq = Havoq::run(&[Path::new("scenarios")], &[]);
    match bug {
        Some(bug) => havoq.env("HAVOQ_WORKER_BUG", bug).ran(),
        None => havoq.ran(),
    }
}

#[test]
fn a_correct_worker_passes_the_four_drills() {
    let ran = run_drills(None);
    ran.assert_code(0);
    let report = ran.report();
    assert_eq!(report["totals"]["scenarios"]["pass"], 4);
    let virtual_s = report["virtual_s"].as_f64().expect("a number");
    // Alarm periods begin at multiples of five minutes, so it varies by as much.
    assert!(virtual_s > 3_000.0, "about an hour of virtual time: {virtual_s}");
    judged_again_alike(&ran);
}

/// The stack counts no receive for what a fault delivers.
#[test]
fn a_correct_worker_passes_with_each_message_delivered_twice() {
    let text = std::fs::read_to_string(root().join("scenarios/poison-message.yaml")).expect("a drill");
    let stacks = root().join("scenarios/stacks");
    let text = text.replace("stack: stacks", &format!("stack: {}", stacks.display()));
    let ran =
        Havoq::on(&text.replace("inject:", "inject:\n  - fault: { does: duplicate-delivery }"), &[]).ran();
    ran.assert_code(0);
    let forged =
        ran.events().into_iter().filter(|event| event["kind"] == "received" && event["fault"] == "inject[0]");
    assert!(forged.count() > 20, "{}", ran.all());
}

/// `havoq report` on the history must agree, byte for byte but for times.
fn judged_again_alike(ran: &Ran) {
    let history = ran.file("history.jsonl");
    let again = Havoq::new(&["report", history.to_str().expect("a path"), "--format", "json"]).ran();
    assert_eq!(again.code, ran.code, "{}", again.all());
    let again: Value = serde_json::from_str(&again.stdout).expect("JSON");
    assert_eq!(again["scenarios"], ran.report()["scenarios"]);
    assert_eq!(again["seed"], ran.report()["seed"]);
    assert_eq!(again["run_id"], ran.report()["run_id"]);
}

/// The cells of the table in docs/worker.md: bug, drill, diagnosis (or a dash where it passes).
fn documented(bug: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join("docs/worker.md")).expect("docs/worker.md");
    let rows: Vec<Vec<String>> = text
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| {
            line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
        })
        .collect();
    let head = rows.iter().find(|row| row[0] == "bug").expect("the table's head");
    let row = rows
        .iter()
        .find(|row| row[0] == bug && row.len() == head.len())
        .unwrap_or_else(|| panic!("no row for {bug}"));
    head.iter().cloned().zip(row.iter().cloned()).skip(1).collect()
}

fn the_documented_drills_catch(bug: &str) {
    let ran = run_drills(Some(bug));
    ran.assert_code(1);
    let report = ran.report();
    for (drill, expected) in documented(bug) {
        let scenario = scenario(&report, &drill);
        let found = diagnoses(scenario);
        if expected == "-" {
            assert_eq!(scenario["verdict"], "pass", "{bug} in {drill}: {found:?}\n{}", ran.stdout);
        } else {
            assert_eq!(scenario["verdict"], "fail", "{bug} in {drill}\n{}", ran.stdout);
            assert!(found.contains(&&*expected), "{bug} in {drill}: {found:?}\n{}", ran.stdout);
        }
    }
    judged_again_alike(&ran);
}

macro_rules! bugs {
    ($($test:ident: $bug:literal,)*) => {
        $(
            #[test]
            fn $test() {
                the_documented_drills_catch($bug);
            }
        )*
    };
}

bugs! {
    no_idempotency_is_caught: "no-idempotency",
    delete_before_effect_is_caught: "delete-before-effect",
    mark_before_effect_is_caught: "mark-before-effect",
    swallow_errors_is_caught: "swallow-errors",
    never_delete_is_caught: "never-delete",
    crash_on_poison_is_caught: "crash-on-poison",
    ignore_body_errors_is_caught: "ignore-body-errors",
    short_visibility_is_caught: "short-visibility",
    late_effect_is_caught: "late-effect",
}
