//! Restart policies and signals, proved from the history.

use serde_json::Value;

use crate::support::{Havoq, Ran, plain, scene};

const SEND: &str = "send: { to: Orders, count: 1, as: orders }";
const ONCE: &str = "effect: { of: orders, in: charges, exactly: 1, within: 20m }";

fn run(consumer: &str, steps: &[&str], claims: &[&str]) -> Ran {
    Havoq::on(&scene(consumer, steps, claims), &[]).ran()
}

/// When it was, on the stack's clock, in seconds.
fn at(event: &Value) -> f64 {
    let at: jiff::Timestamp = event["at"].as_str().expect("a time").parse().expect("a time");
    at.as_duration().as_secs_f64()
}

fn only(events: Vec<Value>) -> Value {
    let [event] = <[Value; 1]>::try_from(events).unwrap_or_else(|events| panic!("not one: {events:?}"));
    event
}

/// The first event of a kind that `wanted` takes.
fn find(ran: &Ran, kind: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    ran.of_kind(kind).into_iter().find(wanted).unwrap_or_else(|| panic!("no {kind}\n{}", ran.all()))
}

fn killed_at_receive(restart: &str) -> Ran {
    let kill = "kill: { consumer: c, at: after-receive, of: orders }";
    run(&format!("worker: {{}}, restart: {restart}"), &[kill, SEND], &[ONCE])
}

#[test]
fn never_is_the_default_and_nobody_comes_back() {
    let ran = killed_at_receive("never");
    ran.assert_code(1);
    assert_eq!(ran.of_kind("consumer_started").len(), 1);
    let exited = only(ran.of_kind("consumer_exited"));
    assert_eq!((&exited["signal"], &exited["ended_by"]), (&9.into(), &"inject[0]".into()));
}

#[test]
fn at_once_comes_back_without_a_pause() {
    let ran = killed_at_receive("at-once");
    ran.assert_code(0);
    let fired = only(ran.of_kind("fault_fired"));
    assert_eq!(fired["point"], "after-receive");
    let again = find(&ran, "consumer_started", |event| event["by"]["start"] == 2);
    let pause = at(&again) - at(&fired);
    assert!((0.0..30.0).contains(&pause), "{pause} s");
}

#[test]
fn after_counts_on_the_clock_of_the_stack() {
    let ran = killed_at_receive("{ after: 30s }");
    ran.assert_code(0);
    let exited = find(&ran, "consumer_exited", |event| event["by"]["start"] == 1);
    let again = find(&ran, "consumer_started", |event| event["by"]["start"] == 2);
    let pause = at(&again) - at(&exited);
    assert!((28.0..60.0).contains(&pause), "{pause} s of stack time");
    let real = again["real"].as_f64().expect("a time") - exited["real"].as_f64().expect("a time");
    assert!(real < 25.0, "{real} s of real time");
}

#[test]
fn times_is_at_most_so_often() {
    let ran = run("command: [sh, -c, \"exit 3\"], restart: { times: 2 }", &[SEND], &[ONCE]);
    ran.assert_code(1);
    assert_eq!(ran.of_kind("consumer_started").len(), 3);
    assert!(ran.of_kind("consumer_exited").iter().all(|exited| exited["code"] == 3));
}

#[test]
fn one_that_always_ends_at_once_is_given_up() {
    for restart in ["at-once", "{ after: 30s }"] {
        let ran = run(&format!("command: [\"false\"], restart: {restart}"), &[SEND], &[ONCE]);
        assert!(matches!(ran.code, Some(1 | 3)), "{}", ran.all());
        assert_eq!(ran.of_kind("consumer_started").len(), 10, "{}", ran.all());
        let idle = only(ran.of_kind("consumer_idle"));
        assert!(idle["reason"].as_str().expect("a reason").contains("10 times in a row"));
    }
}

#[test]
fn a_kill_may_bring_its_own_restart() {
    let kill = "kill: { consumer: c, at: after-receive, of: orders, restart: at-once }";
    let ran = run("worker: {}", &[kill, SEND], &[ONCE]);
    ran.assert_code(0);
    assert_eq!(ran.of_kind("consumer_started").len(), 2);
}

#[test]
fn a_kills_own_restart_stands_above_the_consumers() {
    let steps = ["kill: { consumer: c, restart: { after: 30s } }", SEND];
    let ran = run("worker: {}, restart: never", &steps, &[ONCE]);
    ran.assert_code(0);
    let exited = find(&ran, "consumer_exited", |event| event["by"]["start"] == 1);
    let again = find(&ran, "consumer_started", |event| event["by"]["start"] == 2);
    assert!((28.0..60.0).contains(&(at(&again) - at(&exited))), "{}", ran.all());
    let ran = run("worker: {}, restart: at-once", &["kill: { consumer: c, restart: never }", SEND], &[ONCE]);
    ran.assert_code(1);
    assert_eq!(ran.of_kind("consumer_started").len(), 1);
}

#[test]
fn times_of_a_kill_counts_all_that_came_back() {
    let kill = "kill: { consumer: c, restart: { times: 1 } }";
    let ran = run("worker: {}", &[kill, kill, SEND], &[ONCE]);
    ran.assert_code(1);
    assert_eq!((ran.of_kind("fault_fired").len(), ran.of_kind("consumer_started").len()), (2, 2));
}

#[test]
fn a_kill_at_once_ends_every_instance_and_each_comes_back() {
    let steps = ["kill: { consumer: c }", SEND];
    let ran = run("worker: {}, instances: 3, restart: at-once", &steps, &[ONCE]);
    ran.assert_code(0);
    for instance in 0..3 {
        let again = |event: &Value| event["by"]["instance"] == instance && event["by"]["start"] == 2;
        find(&ran, "consumer_started", again);
    }
    assert_eq!(
        ran.of_kind("consumer_exited").iter().filter(|exit| exit["ended_by"] == "inject[0]").count(),
        3
    );
}

#[test]
fn a_crash_point_of_one_consumer_spares_another_on_the_same_queue() {
    let steps = [
        "kill: { consumer: c, at: before-effect, of: orders }",
        "send: { to: Orders, count: 40, as: orders }",
    ];
    let slow = "worker: { work: 20ms }, instances: 2";
    let scene = scene(slow, &steps, &[ONCE]);
    let scene = scene.replace("inject:", &format!("  d: {{ {slow}, queue: Orders }}\ninject:"));
    let ran = Havoq::on(&scene, &[]).ran();
    ran.assert_code(0);
    let fired = only(ran.of_kind("fault_fired"));
    let killed: Vec<_> =
        ran.of_kind("consumer_exited").into_iter().filter(|exit| exit["ended_by"] == "inject[0]").collect();
    assert_eq!((killed.len(), &killed[0]["by"]), (1, &fired["by"]), "{}", ran.all());
    assert_eq!(fired["by"]["consumer"], "c");
}

#[test]
fn sigterm_lets_a_graceful_consumer_end_by_itself() {
    let ran = run(
        &plain(", graceful"),
        &[SEND, &format!("wait: {{ {ONCE} }}"), "kill: { consumer: c, signal: SIGTERM, restart: at-once }"],
        &[ONCE],
    );
    ran.assert_code(0);
    let exited = find(&ran, "consumer_exited", |event| event["by"]["start"] == 1);
    assert_eq!((&exited["code"], &exited["ended_by"]), (&0.into(), &"inject[2]".into()));
    assert_eq!(only(ran.of_kind("fault_fired"))["fault"], "inject[2]");
    find(&ran, "consumer_started", |event| event["by"]["start"] == 2);
}

/// Stopped at a crash point for less than the visibility timeout, it goes on where it was.
#[test]
fn sigstop_at_a_crash_point_stops_until_it_is_resumed() {
    let kill = "kill: { consumer: c, at: after-receive, of: orders, signal: SIGSTOP, resume: 60s }";
    let ran = run("worker: {}", &[kill, SEND], &[ONCE]);
    ran.assert_code(0);
    let (fired, ended) = (only(ran.of_kind("fault_fired")), only(ran.of_kind("fault_ended")));
    assert_eq!(ended["fired"], true);
    assert!((55.0..90.0).contains(&(at(&ended) - at(&fired))), "{}", ran.all());
    let effect = only(ran.of_kind("effect"));
    assert_eq!((&effect["by"], &effect["by"]["start"]), (&fired["by"], &1.into()));
    assert!(at(&effect) >= at(&ended), "nothing was done while it was stopped");
    assert_eq!(only(ran.of_kind("consumer_exited"))["ended_by"], "end of run");
}

/// Stopped for longer, it loses its message to the other one, and then acts on it all the same.
#[test]
fn sigstop_beyond_the_visibility_timeout_shows_a_second_receive() {
    let kill = "kill: { consumer: c, at: after-receive, of: orders, signal: SIGSTOP, resume: 10m }";
    let ran = run("worker: {}, instances: 2", &[kill, SEND], &[ONCE]);
    let received = ran.of_kind("received");
    assert_eq!(received.len(), 2, "{}", ran.all());
    assert_ne!(received[0]["by"]["instance"], received[1]["by"]["instance"]);
    let pause = at(&received[1]) - at(&received[0]);
    assert!(pause > 179.0, "{pause} s");
    assert!(ran.of_kind("clock_overran").is_empty(), "a declared fault is no overrun");
    assert_eq!(only(ran.of_kind("fault_ended"))["fired"], true);
}

/// What it was about to do when it was stopped is not done before it goes on.
#[test]
fn a_call_held_for_a_stopped_process_waits_until_it_goes_on() {
    for call in ["forward", "drop"] {
        let kill = format!(
            "kill: {{ consumer: c, at: before-effect, of: orders, call: {call}, signal: SIGSTOP, resume: 10m }}"
        );
        let ran = run("worker: {}, instances: 2", &[&kill, SEND], &[ONCE]);
        let (fired, ended) = (only(ran.of_kind("fault_fired")), only(ran.of_kind("fault_ended")));
        assert!((599.9..700.0).contains(&(at(&ended) - at(&fired))), "{}", ran.all());
        let of_stopped = |effect: &&Value| effect["by"] == fired["by"];
        let effects = ran.of_kind("effect");
        assert!(effects.iter().filter(of_stopped).all(|effect| at(effect) >= at(&ended)), "{effects:?}");
        assert!(call == "drop" || effects.iter().any(|effect| of_stopped(&effect)), "{effects:?}");
        assert!(effects.iter().any(|effect| at(effect) < at(&ended)), "the other one did it meanwhile");
        assert!(ran.of_kind("clock_overran").is_empty());
    }
}

#[test]
fn a_call_held_for_a_process_that_stays_stopped_is_never_made() {
    let kill = "kill: { consumer: c, at: before-effect, of: orders, call: forward, signal: SIGSTOP }";
    let ran = run("worker: {}", &[kill, SEND], &[ONCE]);
    ran.assert_code(1);
    assert!(ran.of_kind("effect").is_empty(), "{}", ran.all());
}

#[test]
fn a_kill_waits_for_the_restart_that_the_one_before_brings() {
    let kill = "kill: { consumer: c }";
    let ran = run("worker: {}, restart: at-once", &[kill, kill, kill, SEND], &[ONCE]);
    ran.assert_code(0);
    assert_eq!(ran.of_kind("fault_fired").len(), 3, "{}", ran.all());
    assert_eq!(ran.of_kind("consumer_started").len(), 4, "{}", ran.all());
}

#[test]
fn sigcont_lets_a_stopped_consumer_go_on() {
    let ran = run(
        "worker: {}",
        &[
            "kill: { consumer: c, signal: SIGSTOP }",
            SEND,
            "wait: 10m",
            "kill: { consumer: c, signal: SIGCONT }",
        ],
        &[ONCE],
    );
    ran.assert_code(0);
    let fired = ran.of_kind("fault_fired");
    assert_eq!(fired.len(), 2);
    let effect = only(ran.of_kind("effect"));
    assert!(at(&fired[1]) - at(&fired[0]) >= 600.0 && at(&effect) >= at(&fired[1]), "{}", ran.all());
}

#[test]
fn a_kill_of_one_of_two_spares_the_other() {
    let kill = "kill: { consumer: c, at: before-effect, of: orders }";
    let ran = run("worker: {}, instances: 2", &[kill, SEND], &[ONCE]);
    ran.assert_code(0);
    let exits = ran.of_kind("consumer_exited");
    let (killed, spared): (Vec<_>, Vec<_>) = exits.iter().partition(|exit| exit["ended_by"] == "inject[0]");
    assert_eq!((killed.len(), spared.len()), (1, 1));
    assert_eq!((&killed[0]["signal"], &spared[0]["ended_by"]), (&9.into(), &"end of run".into()));
    assert_eq!(only(ran.of_kind("effect"))["by"], spared[0]["by"]);
}

#[test]
fn restart_and_swap_end_one_process_and_start_another() {
    let ran = run(
        "worker: { bug: no-idempotency }, fixed: { worker: {} }, instances: 2",
        &["restart: { consumer: c }", "swap: { consumer: c, to: fixed }", SEND],
        &[ONCE],
    );
    ran.assert_code(0);
    for (start, why, fixed) in [(1, "restart", false), (2, "swap", false), (3, "end of run", true)] {
        for instance in 0..2 {
            let is = |event: &Value| event["by"]["start"] == start && event["by"]["instance"] == instance;
            assert_eq!(find(&ran, "consumer_started", is)["fixed"], fixed);
            assert_eq!(find(&ran, "consumer_exited", is)["ended_by"], why);
        }
    }
    assert_eq!(ran.of_kind("consumer_started").len(), 6);
}

/// Whatever stands between havoq and the command, the end is the command's own.
#[test]
fn exit_codes_signals_and_pids_are_the_commands_own() {
    let command = |script: &str| format!("command: [bash, -c, \"echo $$; {script}\"]");
    for (script, code, signal) in [
        ("exit 0", Some(0), None),
        ("exit 255", Some(255), None),
        ("kill -SEGV $$", None, Some(11)),
        ("kill -KILL $$", None, Some(9)),
        ("kill -40 $$", None, Some(40)),
    ] {
        let ran = run(&command(script), &[SEND], &[ONCE]);
        ran.assert_code(1);
        let exited = only(ran.of_kind("consumer_exited"));
        assert_eq!((exited["code"].as_i64(), exited["signal"].as_i64()), (code, signal), "{script}");
        let pid = only(ran.of_kind("consumer_started"))["pid"].as_u64().expect("a pid");
        assert_eq!(ran.log("c-0-1.out"), format!("{pid}\n"));
    }
}

#[test]
fn a_kill_of_nobody_is_a_failed_step() {
    let ran =
        run("command: [\"true\"]", &["wait: 1m", "kill: { consumer: c, signal: SIGTERM }", SEND], &[ONCE]);
    assert!(matches!(ran.code, Some(1 | 3)), "{}", ran.all());
    assert_eq!(only(ran.of_kind("fault_ended"))["fired"], false);
}
