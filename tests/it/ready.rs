//! What a consumer shows before the steps begin, and what becomes of a run whose consumer does not.

use std::net::TcpListener;

use serde_json::Value;

use crate::support::{Havoq, Ran, scene};

const SEND: &str = "send: { to: Orders, count: 1, as: orders }";
const ONCE: &str = "effect: { of: orders, in: charges, exactly: 1, within: 20m }";
const PLAIN: &str = "exec python3 tests/consumers/plain.py";

/// A consumer that does this in a shell, and is ready by that.
fn shell(script: &str, ready: &str) -> String {
    format!("command: [sh, -c, '{script}'], wall_clock: none, ready: {ready}")
}

fn run(consumer: &str, steps: &[&str]) -> Ran {
    Havoq::on(&scene(consumer, steps, &[ONCE]), &[]).ran()
}

fn seq(event: &Value) -> u64 {
    event["seq"].as_u64().expect("a position")
}

/// It was ready, once for each start, and no step began before the first time.
fn assert_ready(ran: &Ran, starts: usize) {
    ran.assert_code(0);
    let ready = ran.of_kind("consumer_ready");
    assert_eq!(ready.len(), starts, "{}", ran.all());
    assert!(seq(&ready[0]) < seq(&ran.of_kind("step_started")[0]), "{}", ran.all());
}

/// It was not ready, so nothing was injected and no claim was judged.
fn assert_unready(ran: &Ran, words: &[&str]) {
    ran.assert_code(3);
    assert!(ran.of_kind("step_started").is_empty() && ran.of_kind("sent").is_empty(), "{}", ran.all());
    let report = ran.report();
    let claims = report["scenarios"][0]["claims"].as_array().expect("claims");
    let claim = |id: &str| claims.iter().find(|claim| claim["id"] == id).expect("a claim");
    for id in ["expect[0] effect", "always nothing_lost", "always consumers_ready"] {
        assert_eq!(claim(id)["verdict"], "inconclusive", "{id}: {claims:#?}");
    }
    let reason = claim("always consumers_ready")["reason"].as_str().expect("a reason");
    assert!(words.iter().all(|word| reason.contains(word)), "{reason}");
    assert!(words.iter().all(|word| ran.stdout.contains(word)), "{}", ran.all());
}

#[test]
fn a_line_of_its_log_shows_it() {
    for stream in ["", " >&2"] {
        let script = format!("echo booting; sleep 0.3; echo Started in 0.3 s{stream}; {PLAIN}");
        assert_ready(&run(&shell(&script, "{ log: \"^Started in [0-9.]+ s$\" }"), &[SEND]), 1);
    }
}

#[test]
fn a_port_that_accepts_shows_it() {
    let port = free_port();
    let script = format!("python3 -m http.server {port} --bind 127.0.0.1 & {PLAIN}");
    assert_ready(&run(&shell(&script, &format!("{{ port: {port} }}")), &[SEND]), 1);
}

/// It is tried until it succeeds, with what the consumer is handed.
#[test]
fn a_command_that_succeeds_shows_it() {
    let script = format!("sleep 0.3; touch $HAVOQ_STATE_DIR/up; {PLAIN}");
    let ready = "{ command: [sh, -c, \"echo $HAVOQ_INSTANCE; test -e $HAVOQ_STATE_DIR/up\"] }";
    let ran = run(&shell(&script, ready), &[SEND]);
    assert_ready(&ran, 1);
    assert_eq!(ran.log("c-0-1.ready.out"), "0\n");
}

#[test]
fn every_instance_has_to_show_it() {
    let script = format!("test $HAVOQ_INSTANCE = 0 && echo up; {PLAIN}");
    let ready = "{ log: \"^up$\", within: 1s }, instances: 2";
    assert_unready(&run(&shell(&script, ready), &[SEND]), &["c-1-1 was not ready"]);
}

#[test]
fn one_that_is_not_ready_in_time_is_not_judged() {
    let script = format!("echo no database >&2; {PLAIN}");
    let ran = run(&shell(&script, "{ log: \"^up$\", within: 1s }"), &[SEND]);
    assert_unready(&ran, &["a line that matches `^up$`", "not seen within 1s", "stderr: no database"]);
}

#[test]
fn a_command_that_hangs_shows_nothing_and_ends_with_the_run() {
    let ready = "{ command: [sleep, \"600\"], within: 1s }";
    assert_unready(&run(&shell(PLAIN, ready), &[SEND]), &["`sleep 600` to exit with 0"]);
}

#[test]
fn one_that_ends_before_is_not_judged() {
    let ran = run(&shell("echo boom >&2; exit 7", "{ log: \"^up$\" }"), &[SEND]);
    assert_unready(&ran, &["it exited with code 7 before", "stderr: boom"]);
    let ran = run(&shell("kill -9 $$", "{ port: 1 }"), &[SEND]);
    assert_unready(&ran, &["it was ended by signal 9 before"]);
}

#[test]
fn its_restart_policy_brings_it_up() {
    let once = "test -e $HAVOQ_STATE_DIR/once || { touch $HAVOQ_STATE_DIR/once; exit 1; }";
    let consumer = shell(&format!("{once}; echo up; {PLAIN}"), "{ log: \"^up$\" }, restart: at-once");
    let ran = run(&consumer, &[SEND]);
    assert_ready(&ran, 1);
    assert_eq!(ran.of_kind("consumer_unready").len(), 1);
    let ran = run(&shell("exit 1", "{ log: \"^up$\" }, restart: at-once"), &[SEND]);
    assert_unready(&ran, &["c-0-10 was not ready"]);
    let ran = run(&shell("exit 1", "{ log: \"^up$\" }, restart: { times: 2 }"), &[SEND]);
    assert_unready(&ran, &["c-0-3 was not ready"]);
}

/// Ready and then dead is what a consumer is judged for.
#[test]
fn one_that_dies_once_it_was_ready_is_judged() {
    let ran = run(&shell("echo up; sleep 0.5; exit 0", "{ log: \"^up$\" }"), &[SEND]);
    ran.assert_code(1);
    assert_eq!(ran.of_kind("consumer_ready").len(), 1);
}

#[test]
fn a_flood_is_searched_as_far_as_it_is_kept() {
    let flood = |megabytes: u32| format!("yes flood | head -c {megabytes}000000; echo; echo up; {PLAIN}");
    assert_ready(&run(&shell(&flood(3), "{ log: \"^up$\" }"), &[SEND]), 1);
    assert_unready(
        &run(&shell(&flood(20), "{ log: \"^up$\", within: 3s }"), &[SEND]),
        &["not seen within 3s"],
    );
}

#[test]
fn a_port_that_somebody_else_has_shows_nothing() {
    let other = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let port = other.local_addr().expect("its address").port();
    let ran = run(&shell(PLAIN, &format!("{{ port: {port} }}")), &[SEND]);
    assert_unready(&ran, &["something else accepted connections", "--jobs 1"]);
}

#[test]
fn after_a_kill_it_has_to_be_ready_again() {
    let kill = "kill: { consumer: c, at: before-effect, of: orders, restart: at-once }";
    let ran = run(&shell(&format!("echo up; {PLAIN}"), "{ log: \"^up$\" }"), &[kill, SEND]);
    assert_ready(&ran, 2);
}

/// Its work is judged as it stands, and the scenario does not pass on it.
#[test]
fn one_that_is_not_ready_again_lets_nothing_pass() {
    let kill = "kill: { consumer: c, at: before-effect, of: orders, restart: at-once }";
    let script = format!("test -e $HAVOQ_STATE_DIR/once || echo up; touch $HAVOQ_STATE_DIR/once; {PLAIN}");
    let ran = run(&shell(&script, "{ log: \"^up$\", within: 1s }"), &[kill, SEND]);
    ran.assert_code(3);
    let report = ran.report();
    let claims = report["scenarios"][0]["claims"].as_array().expect("claims");
    assert_eq!(claims[0]["verdict"], "pass", "{claims:#?}");
    assert!(ran.stdout.contains("c-0-2 was not ready"), "{}", ran.all());
}

#[test]
fn restart_and_swap_wait_for_it() {
    let up = format!("sleep 0.3; echo up; {PLAIN}");
    let fixed = |script: &str| {
        format!("{{ log: \"^up$\", within: 5s }}, fixed: {{ command: [sh, -c, \"{script}\"] }}")
    };
    let steps = ["restart: { consumer: c }", "swap: { consumer: c, to: fixed }", SEND];
    let ran = run(&shell(&up, &fixed(&up)), &steps);
    assert_ready(&ran, 3);
    let (ready, ended) = (ran.of_kind("consumer_ready"), ran.of_kind("step_ended"));
    assert!(seq(&ready[1]) < seq(&ended[0]) && seq(&ready[2]) < seq(&ended[1]), "{}", ran.all());
    let ran = run(&shell(&up, &fixed("exit 4")), &steps);
    ran.assert_code(3);
    assert!(ran.of_kind("sent").is_empty(), "{}", ran.all());
    assert!(ran.stdout.contains("it exited with code 4 before"), "{}", ran.all());
}

/// The steps do not wait for the first poll, but the clock does, for as long as is said.
#[test]
fn within_alone_gives_a_slow_starter_its_time() {
    let ran = run(&shell(&format!("sleep 1; {PLAIN}"), "{ within: 500ms }"), &[SEND]);
    let idle = ran.of_kind("consumer_idle");
    assert!(idle.iter().any(|idle| idle["by"]["start"] == 1), "{}", ran.all());
    let ran = run(&shell(&format!("sleep 1; {PLAIN}"), "{ within: 20s }"), &[SEND]);
    ran.assert_code(0);
    assert!(ran.of_kind("consumer_idle").is_empty(), "{}", ran.all());
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    listener.local_addr().expect("its address").port()
}
