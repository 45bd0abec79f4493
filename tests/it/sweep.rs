//! `havoq sweep`: each mistake shows at exactly the boundaries where it must, and nowhere else.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::support::{Havoq, Ran, plain, root};

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
consumers:
  fulfilment: { CONSUMER, queue: Orders }
effects:
  charges: { http: /charges, key: $.orderId }
steady_state:
  - send: { to: Orders, as: warmup }
  - effect: { of: warmup, in: charges, exactly: 1, within: 30s }
inject:
  - send: { to: Orders, as: order }
expect:
  - effect: { of: order, in: charges, exactly: 1, within: 10m }
  - drained: { queue: Orders, within: 10m }
  - depth: { queue: OrderDLQ, visible: { exactly: 0 } }
";

const POINTS: [&str; 5] = ["after-receive", "before-effect", "after-effect", "before-delete", "after-delete"];

fn sweep(consumer: &str) -> Ran {
    Havoq::sweep(&SCENARIO.replace("CONSUMER", consumer), &[]).ran()
}

fn rows(report: &Value) -> &Vec<Value> {
    report["sweep"]["rows"].as_array().expect("rows")
}

/// The boundaries with this verdict, as `point: claims that are false`.
fn red(report: &Value) -> BTreeSet<(String, String)> {
    let columns = report["sweep"]["columns"].as_array().expect("columns");
    let red = rows(report).iter().filter(|row| row["verdict"] == "fail");
    let claims = |row: &Value| {
        let cells = row["cells"].as_array().expect("cells").iter().zip(columns);
        let failed = cells.filter(|(cell, _)| **cell == "fail");
        let names: Vec<&str> =
            failed.filter_map(|(_, column)| column["id"].as_str()?.split(' ').nth(1)).collect();
        names.join(", ")
    };
    red.map(|row| (row["point"].as_str().unwrap_or_default().to_owned(), claims(row))).collect()
}

/// Every boundary was tried, and none was inconclusive.
fn all_tried(ran: &Ran) {
    let report = ran.report();
    let sweep = &report["sweep"];
    assert_eq!(sweep["clean"], "pass", "{}", ran.all());
    assert_eq!(sweep["boundaries"], sweep["tried"], "{}", ran.all());
    assert_eq!(sweep["untried"], serde_json::json!([]), "{}", ran.all());
    let points: BTreeSet<&str> = rows(&report).iter().filter_map(|row| row["point"].as_str()).collect();
    assert_eq!(points, BTreeSet::from(POINTS), "{}", ran.all());
    for row in rows(&report) {
        assert_eq!(row["fired"], true, "{row}\n{}", ran.all());
        assert!(row["verdict"] == "pass" || row["verdict"] == "fail", "{row}\n{}", ran.all());
    }
}

/// `havoq report` on the history comes to the same finding.
fn judged_again_alike(ran: &Ran) {
    let history = ran.file("history.jsonl");
    let again = Havoq::new(&["report", history.to_str().expect("a path"), "--format", "json"]).ran();
    assert_eq!(again.code, ran.code, "{}", again.all());
    let again: Value = serde_json::from_str(&again.stdout).expect("JSON");
    assert_eq!(again["scenarios"], ran.report()["scenarios"]);
    assert_eq!(again["sweep"], ran.report()["sweep"]);
}

#[test]
fn a_correct_worker_is_green_at_every_boundary() {
    let began = havoq_base::RunStart::now();
    let ran = sweep("worker: { work: 5ms }");
    println!("a sweep of five boundaries at 180 s took {:.1} s", began.elapsed().as_secs_f64());
    ran.assert_code(0);
    all_tried(&ran);
    let report = ran.report();
    assert_eq!(rows(&report).len(), 5, "{}", ran.all());
    assert!(red(&report).is_empty());
    assert!(ran.stdout.contains("5 boundaries, 5 tried; 6 scenarios: 6 passed"), "{}", ran.all());
    for (row, point) in rows(&report).iter().zip(POINTS) {
        assert_eq!(row["scenario"], format!("orders [kill {point} #1]"), "{}", ran.all());
    }
    judged_again_alike(&ran);
}

/// The rows of docs/sweep.md for a mistake: where it is red, with which claims.
fn documented(bug: &str) -> BTreeSet<(String, String)> {
    let text = std::fs::read_to_string(root().join("docs/sweep.md")).expect("docs/sweep.md");
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    let rows = text.lines().filter(|line| line.starts_with('|')).map(cells);
    let own = rows.filter(|row| row.len() == 4 && row[0] == bug);
    let found: BTreeSet<_> = own.map(|row| (row[1].clone(), row[2].clone())).collect();
    assert!(!found.is_empty(), "docs/sweep.md has no row for {bug}");
    found
}

fn is_red_where_documented(bug: &str) {
    let ran = sweep(&format!("worker: {{ work: 5ms, bug: {bug} }}"));
    ran.assert_code(1);
    all_tried(&ran);
    assert_eq!(red(&ran.report()), documented(bug), "{}", ran.all());
    let worst = rows(&ran.report())[0]["verdict"].clone();
    assert_eq!(worst, "fail", "the worst comes first: {}", ran.all());
    judged_again_alike(&ran);
}

#[test]
fn no_idempotency_shows_between_effect_and_delete() {
    is_red_where_documented("no-idempotency");
}

#[test]
fn delete_before_effect_shows_between_delete_and_effect() {
    is_red_where_documented("delete-before-effect");
}

#[test]
fn mark_before_effect_shows_between_mark_and_effect() {
    is_red_where_documented("mark-before-effect");
}

#[test]
fn late_effect_shows_between_delete_and_effect() {
    is_red_where_documented("late-effect");
}

/// Without a kill it is red, and so nothing is swept.
fn is_red_without_a_kill(ran: &Ran) {
    ran.assert_code(1);
    let report = ran.report();
    let sweep = &report["sweep"];
    assert_eq!(sweep["clean"], "fail", "{}", ran.all());
    assert_eq!(sweep["tried"], 0);
    assert_eq!(sweep["rows"], serde_json::json!([]));
    let untried = sweep["untried"].as_array().expect("untried");
    assert_eq!(Some(untried.len() as u64), sweep["boundaries"].as_u64());
    assert!(untried.iter().all(|untried| untried["why"] == "clean-run-not-green"), "{untried:?}");
    assert_eq!(report["scenarios"].as_array().expect("scenarios").len(), 1);
    assert!(ran.stdout.contains("nothing was swept"), "{}", ran.all());
    judged_again_alike(ran);
}

#[test]
fn a_mistake_that_shows_without_a_kill_is_told_before_anything_is_swept() {
    for bug in ["never-delete", "short-visibility"] {
        is_red_without_a_kill(&sweep(&format!("worker: {{ work: 5ms, bug: {bug} }}")));
    }
}

#[test]
fn a_mistake_with_poison_shows_without_a_kill() {
    for bug in ["swallow-errors", "crash-on-poison", "ignore-body-errors"] {
        let drill = Havoq::sweep_file(Path::new("scenarios/poison-message.yaml"), &[]);
        is_red_without_a_kill(&drill.env("HAVOQ_WORKER_BUG", bug).ran());
    }
}

#[test]
fn the_drills_are_green_at_every_boundary_and_their_own_kills_are_left_out() {
    let ran = Havoq::sweep_file(Path::new("scenarios/consumer-killed.yaml"), &[]).ran();
    ran.assert_code(0);
    all_tried(&ran);
    let report = ran.report();
    let left: Vec<&str> = report["sweep"]["left_out"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|left| left["id"].as_str())
        .collect();
    assert_eq!(left, ["inject[0] kill", "inject[1] kill", "expect[0] redelivered", "expect[1] redelivered"]);
    assert!(ran.stdout.contains("left out: inject[0] kill (line 16)"), "{}", ran.all());
    judged_again_alike(&ran);
}

/// A consumer that takes ten at a time and deletes them as a batch: the kill aims at one of them.
#[test]
fn of_a_batch_the_row_says_that_one_message_is_aimed_at() {
    let scenario =
        SCENARIO.replace("CONSUMER", &plain(", batches")).replace("as: order }", "count: 10, as: order }");
    let ran = Havoq::sweep(&scenario, &[]).ran();
    all_tried(&ran);
    let report = ran.report();
    assert!(red(&report).is_empty(), "{}", ran.all());
    let batches = rows(&report).iter().filter(|row| row["in_hand"].as_u64() > Some(1));
    assert!(batches.clone().count() > 0, "{}", ran.all());
    assert!(batches.clone().any(|row| row["collateral"].as_u64() > Some(0)), "{}", ran.all());
    assert!(ran.stdout.contains(" more in hand"), "{}", ran.all());
}

#[test]
fn a_scenario_in_which_nobody_receives_has_not_passed() {
    let scenario = "
name: silent
stack: { Resources: { Orders: { Type: AWS::SQS::Queue } } }
consumers: { idle: { command: [sleep, '600'], queue: Orders, wall_clock: none } }
inject: [{ send: { to: Orders, as: order } }]
expect: [{ depth: { queue: Orders, visible: { exactly: 1 } } }]
";
    let ran = Havoq::sweep(scenario, &["--timeout", "100s"]).ran();
    ran.assert_code(3);
    assert_eq!(ran.report()["sweep"]["boundaries"], 0, "{}", ran.all());
    assert_eq!(ran.report()["sweep"]["tried"], 0);
}

#[test]
fn what_cannot_be_swept_is_refused_before_anything_starts() {
    let on_url = Havoq::sweep(SCENARIO, &["--on", "http://127.0.0.1:1"]).ran();
    on_url.assert_code(2);
    assert!(on_url.stderr.contains("a sweep cannot run on http://127.0.0.1:1"), "{}", on_url.all());
    let folder = Havoq::sweep_file(Path::new("scenarios"), &[]).ran();
    folder.assert_code(2);
    assert!(folder.stderr.contains("a sweep takes one scenario"), "{}", folder.all());
}

/// An interrupt while the variants run: what was not tried is told, and nothing looks swept.
#[test]
fn an_interrupted_sweep_tells_what_was_not_tried() {
    let scenario = SCENARIO.replace("CONSUMER", "worker: { work: 5ms }");
    let live = Havoq::sweep(&scenario, &["--jobs", "1"]).start();
    live.until("a kill", |event| event["kind"] == "fault_fired");
    live.signal(nix::sys::signal::Signal::SIGINT);
    let ran = live.ran();
    ran.assert_code(130);
    let report = ran.report();
    let sweep = &report["sweep"];
    assert_eq!(sweep["boundaries"], 5, "{}", ran.all());
    assert!(sweep["tried"].as_u64() < Some(5), "{}", ran.all());
    judged_again_alike(&ran);
}
