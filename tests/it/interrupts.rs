//! Ctrl-C in every phase, once and twice, and readers that go away.

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::support::{Havoq, Live, Ran, scene};

const SEND: &str = "send: { to: Orders, count: 1, as: orders }";
const ONCE: &str = "effect: { of: orders, in: charges, exactly: 1, within: 20m }";
/// Never does anything.
const ASLEEP: &str = "command: [sleep, \"600\"], wall_clock: none";
/// Does nothing, and does not end when it is asked to.
const DEAF: &str = "command: [sh, -c, \"trap '' TERM; echo deaf; sleep 600; sleep 600\"], wall_clock: none";

fn live(consumer: &str, steps: &[&str]) -> Live {
    Havoq::on(&scene(consumer, steps, &[ONCE]), &["--clock", "real"]).start()
}

/// What holds after every interruption.
fn assert_interrupted(ran: &Ran) {
    ran.assert_code(130);
    let last = ran.events().pop().expect("an event");
    assert_eq!(last["kind"], "interrupted", "{}", ran.all());
    assert!(ran.of_kind("consumer_exited").len() == ran.of_kind("consumer_started").len());
    assert_eq!(ran.report()["exit"], 130);
    assert!(ran.file("junit.xml").exists());
    assert!(!ran.file("state").exists(), "no folder but reports is left");
    assert!(
        ran.stdout.trim_end().lines().last().expect("a last line").contains("interrupted"),
        "{}",
        ran.all()
    );
}

fn is(kind: &'static str) -> impl Fn(&Value) -> bool {
    move |event| event["kind"] == kind
}

#[test]
fn at_the_start() {
    let havoq = live(&format!("{ASLEEP}, instances: 20"), &[SEND]);
    havoq.until("the first consumer", is("consumer_started"));
    havoq.signal(Signal::SIGINT);
    assert_interrupted(&havoq.ran());
}

#[test]
fn in_the_steady_state() {
    let text = scene(ASLEEP, &[SEND], &[ONCE]).replace(
        "inject:",
        "steady_state:\n  - send: { to: Orders, count: 1, as: warmup }\n  - effect: { of: warmup, in: charges, exactly: 1, within: 20m }\ninject:",
    );
    let havoq = Havoq::on(&text, &["--clock", "real"]).start();
    havoq.until("the second step", |event| event["kind"] == "step_started" && event["index"] == 1);
    havoq.signal(Signal::SIGINT);
    let ran = havoq.ran();
    assert_interrupted(&ran);
    assert!(ran.events().iter().all(|event| event["phase"] != "inject"));
}

#[test]
fn in_a_step_that_waits() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let havoq = live(ASLEEP, &[SEND, "wait: 10m"]);
        havoq.until("the wait", |event| event["kind"] == "step_started" && event["step"] == "wait");
        havoq.signal(signal);
        assert_interrupted(&havoq.ran());
    }
}

#[test]
fn while_a_call_is_held() {
    let kill = "kill: { consumer: c, at: after-receive, of: orders, signal: SIGTERM }";
    let worker =
        "command: [sh, -c, \"trap '' TERM; python3 tests/consumers/plain.py deaf\"], wall_clock: none";
    let havoq = live(worker, &[kill, SEND]);
    havoq.until("the held receive", is("received"));
    havoq.signal(Signal::SIGINT);
    assert_interrupted(&havoq.ran());
}

#[test]
fn while_waiting_for_the_horizon() {
    let havoq = live(ASLEEP, &[SEND]);
    havoq.until("the last step's end", is("step_ended"));
    havoq.signal(Signal::SIGINT);
    assert_interrupted(&havoq.ran());
}

#[test]
fn in_the_shutdown() {
    let text = scene(DEAF, &[SEND], &[ONCE]);
    let havoq = Havoq::on(&text, &["--clock", "real", "--timeout", "1s"]).start();
    havoq.until("the horizon", is("horizon_reached"));
    havoq.signal(Signal::SIGINT);
    assert_interrupted(&havoq.ran());
}

/// The second one does not wait for consumers that take their time, and keeps the books in order.
#[test]
fn twice() {
    let havoq = live(DEAF, &[SEND, "wait: 10m"]);
    havoq.until("the wait", |event| event["kind"] == "step_started" && event["step"] == "wait");
    havoq.signal(Signal::SIGINT);
    havoq.until("the first one's effect", is("horizon_reached"));
    let began = havoq_base::RunStart::now();
    havoq.signal(Signal::SIGINT);
    let ran = havoq.ran();
    assert!(began.elapsed().as_secs_f64() < 1.9, "before the grace is over");
    assert_interrupted(&ran);
}

#[test]
fn scenarios_that_wait_for_their_turn_are_not_started() {
    let folder = tempfile::tempdir().expect("a folder");
    for n in 0..5 {
        let text = scene(ASLEEP, &[SEND], &[ONCE]).replace("name: scene", &format!("name: scene-{n}"));
        std::fs::write(folder.path().join(format!("{n}.yaml")), text).expect("a scenario");
    }
    let havoq = Havoq::run(&[folder.path()], &["--clock", "real", "--jobs", "1"]).start();
    havoq.until("a consumer", is("consumer_started"));
    havoq.signal(Signal::SIGTERM);
    let ran = havoq.ran();
    ran.assert_code(130);
    assert_eq!(ran.of_kind("consumer_started").len(), 1);
    assert_eq!(ran.report()["scenarios"].as_array().map(Vec::len), Some(5));
}

/// `havoq run ... | head -1` and the like: the reader goes, the exit code and the reports stay.
#[test]
fn a_reader_that_goes_away_costs_neither_exit_code_nor_reports() {
    for script in [
        "havoq | head -1; exit ${PIPESTATUS[0]}",
        "havoq | true; exit ${PIPESTATUS[0]}",
        "havoq 2>&1 | true; exit ${PIPESTATUS[0]}",
        "havoq >&- 2>&-",
        "havoq > /dev/full 2> /dev/full",
    ] {
        let ran = Havoq::on(&scene("worker: {}", &[SEND], &[ONCE]), &[]).in_shell(script).ran();
        ran.assert_code(0);
        assert_eq!(ran.report()["exit"], 0, "{script}");
    }
    let ran = Havoq::on("name: [", &[]).in_shell("havoq 2>&1 | true; exit ${PIPESTATUS[0]}").ran();
    ran.assert_code(2);
    let ran = Havoq::new(&["check", "scenarios"]).in_shell("havoq | true; exit ${PIPESTATUS[0]}").ran();
    ran.assert_code(0);
}
