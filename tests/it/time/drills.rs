//! What a consumer's clock means for a verdict.

use serde_json::Value;

use super::live::compile;
use crate::support::{Havoq, Ran, root, scenario};

/// A message and its duplicate, for a consumer that remembers what it has charged for one hour.
const SCENARIO: &str = r#"
name: hour
stack:
  Resources:
    Orders: { Type: AWS::SQS::Queue, Properties: { VisibilityTimeout: 1500, MessageRetentionPeriod: 14400 } }
consumers:
  c: { CONSUMER, queue: Orders }
effects:
  charges: { http: /charges, key: $.orderId }
inject:
STEPS
expect:
  - effect: { of: twin, in: charges, exactly: 1, within: 3h }
"#;

fn run(consumer: &str, steps: &str) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hour.yaml");
    std::fs::write(&file, SCENARIO.replace("CONSUMER", consumer).replace("STEPS", steps))
        .expect("a scenario");
    Havoq::run(&[&file], &[]).ran()
}

/// The second copy comes so much later.
fn run_with_gap(consumer: &str, gap: &str) -> Ran {
    run(consumer, &format!("  - duplicate: {{ to: Orders, as: twin, copies: 2, gap: {gap} }}"))
}

fn python(before: &str) -> String {
    let consumer = root().join("tests/consumers/remembers_an_hour.py");
    format!("command: [{before}python3, {:?}]", consumer.display().to_string())
}

/// The events of one kind in the attempt that counts.
fn of_kind(ran: &Ran, kind: &str) -> Vec<Value> {
    let events = ran.of_kind(kind);
    let last = events.iter().map(|event| event["attempt"].as_u64()).max().unwrap_or_default();
    events.into_iter().filter(|event| event["attempt"].as_u64() == last).collect()
}

/// Each process that polled: whether its clock follows, and the reason if not.
fn shown(ran: &Ran) -> Vec<(bool, String)> {
    let entry = |event: &Value| {
        (event["follows"].as_bool().expect("a flag"), event["reason"].as_str().unwrap_or_default().to_owned())
    };
    of_kind(ran, "consumer_time").iter().map(entry).collect()
}

fn effects(ran: &Ran) -> usize {
    of_kind(ran, "effect").len()
}

/// The verdict of the claim on the effects.
fn verdict(ran: &Ran) -> String {
    let report = ran.report();
    let claims = scenario(&report, "hour")["claims"].as_array().expect("claims").clone();
    let claim = claims.iter().find(|claim| claim["id"] == "expect[0] effect").expect("the claim");
    claim["verdict"].as_str().expect("a verdict").to_owned()
}

#[test]
fn a_record_that_expired_lets_the_duplicate_through() {
    let ran = run_with_gap(&python(""), "2h");
    ran.assert_code(1);
    assert_eq!(shown(&ran), [(true, String::new())]);
    assert_eq!(effects(&ran), 2);
    assert_eq!(verdict(&ran), "fail");
}

#[test]
fn a_forked_process_checks_in_too() {
    let consumer = root().join("tests/consumers/remembers_an_hour.py");
    let fork =
        format!("import os, runpy; os.fork() and os.wait() or runpy.run_path('{}')", consumer.display());
    let ran = run_with_gap(&format!("command: [python3, -c, {fork:?}]"), "2h");
    ran.assert_code(1);
    assert_eq!(shown(&ran), [(true, String::new())]);
    let events = ran.events();
    let pid =
        |kind: &str| events.iter().find(|event| event["kind"] == kind).map(|event| event["pid"].clone());
    assert_ne!(pid("consumer_time"), pid("consumer_started"), "the child polls");
}

/// It dies in between, so the record is all that it can go by.
#[test]
fn a_record_that_has_not_expired_stops_the_duplicate() {
    let steps = "  - kill: { consumer: c, at: after-delete, of: twin, restart: at-once }
  - duplicate: { to: Orders, as: twin, copies: 2, gap: 50m }";
    let ran = run(&python(""), steps);
    ran.assert_code(0);
    assert_eq!(shown(&ran), [(true, String::new()), (true, String::new())]);
    assert_eq!(effects(&ran), 1);
}

/// Whoever says `time: follow` says that what lapses does so by the wall clock.
#[test]
fn a_declared_wall_clock_memory_that_has_not_expired_stops_the_duplicate() {
    run_with_gap(&format!("{}, time: follow", python("")), "50m").assert_code(0);
}

/// What lapses in memory may do so by monotonic time, which does not jump along.
#[test]
fn a_memory_that_may_have_lapsed_proves_nothing() {
    run_with_gap(&python(""), "50m").assert_code(3);
}

/// The clock stops at the hour, and the verdict says what to do.
fn is_held_back(ran: &Ran, reason: &str) {
    ran.assert_code(3);
    let shown = shown(ran);
    assert!(matches!(&shown[..], [(false, why)] if why.contains(reason)), "{shown:?}");
    assert_eq!(verdict(ran), "inconclusive", "{}", ran.all());
    let report = ran.report().to_string();
    assert!(report.contains("may not jump past 1h") && report.contains("--clock real"), "{report}");
}

#[test]
fn a_consumer_with_its_own_time_is_never_judged_past_the_hour() {
    let ran = run_with_gap(&format!("{}, time: own", python("")), "2h");
    is_held_back(&ran, "time: own");
    assert!(!ran.stderr.contains("warning"), "{}", ran.all());
}

#[test]
fn a_wait_past_the_hour_is_left_unfinished() {
    let steps = "  - send: { to: Orders, as: twin }\n  - wait: 2h\n  - send: { to: Orders, as: late }";
    let ran = run(&format!("{}, time: own", python("")), steps);
    is_held_back(&ran, "time: own");
    assert!(ran.report().to_string().contains("inject[1] wait was not finished"), "{}", ran.all());
}

#[test]
fn a_process_that_dropped_the_library_is_told_apart() {
    let ran = run_with_gap(&format!("{}, time: follow", python("env, -u, LD_PRELOAD, ")), "2h");
    is_held_back(&ran, "did not load");
    assert!(ran.stderr.contains("warning") && ran.stderr.contains("time: follow"), "{}", ran.all());
}

/// A consumer that is linked statically, and leaves what it receives to come back.
fn linked_statically(more: &str) -> Option<Ran> {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("polls");
    if !compile("polls", &["-static"], &program) {
        eprintln!("skipped: there is no C library to link statically");
        return None;
    }
    Some(run_with_gap(&format!("command: [{:?}]{more}", program.display().to_string()), "0s"))
}

#[test]
fn a_static_program_is_told_apart() {
    let Some(ran) = linked_statically(", bound: 200ms") else { return };
    is_held_back(&ran, "linked statically");
}

#[test]
fn who_keeps_no_wall_clock_state_does_not_hold_the_clock_back() {
    let Some(ran) = linked_statically(", wall_clock: none, bound: 200ms") else { return };
    ran.assert_code(1);
    assert_eq!(verdict(&ran), "fail");
    assert!(shown(&ran).iter().all(|(follows, _)| !follows));
}
