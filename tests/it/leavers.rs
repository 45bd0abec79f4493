//! Processes that leave their group, their session or their parent end with their consumer.

use nix::sys::signal::Signal;

use crate::processes::{assert_none_left, mentioning};
use crate::support::{Havoq, Ran, plain, scene, wait_for};

const SEND: &str = "send: { to: Orders, count: 1, as: orders }";
const ONCE: &str = "effect: { of: orders, in: charges, exactly: 1, within: 20m }";

/// Ways to leave; each leaves processes that would sleep for long.
const WAYS: [&str; 4] = [
    "setsid sleep 600 &",
    "(setsid sh -c '(sleep 600 &) ; sleep 600' &) ;",
    "(sleep 600 &) ;",
    "setsid sh -c 'trap \\\"\\\" TERM HUP; sleep 600; sleep 600' &",
];

fn leaving(way: &str, then: &str) -> Ran {
    let consumer = format!("command: [sh, -c, \"{way} {then}\"], wall_clock: none");
    Havoq::on(&scene(&consumer, &[SEND], &[ONCE]), &["--timeout", "3s"]).ran()
}

#[test]
fn they_end_with_a_command_that_ends_by_itself() {
    for way in WAYS {
        let ran = leaving(way, "exit 3");
        ran.assert_code(1);
        assert_eq!(ran.of_kind("consumer_exited")[0]["code"], 3);
        assert!(ran.log("c-0-1.err").contains("run the consumer in the foreground"), "{way}");
    }
}

#[test]
fn they_end_at_the_end_of_the_run() {
    for way in WAYS {
        let ran = leaving(way, "sleep 600");
        assert!(matches!(ran.code, Some(1 | 3)), "{}", ran.all());
        assert_eq!(ran.of_kind("consumer_exited")[0]["ended_by"], "end of run");
    }
}

/// The process that works has left; it holds a call at a crash point, and dies there.
#[test]
fn they_end_at_a_kill() {
    let kill = "kill: { consumer: c, at: before-effect, of: orders, restart: at-once }";
    let ran = Havoq::on(&scene(&plain(", daemon"), &[kill, SEND], &[ONCE]), &[]).ran();
    ran.assert_code(0);
    assert_eq!(ran.of_kind("fault_fired")[0]["point"], "before-effect");
    assert_eq!(ran.of_kind("consumer_exited")[0]["signal"], 9);
    let effects = ran.of_kind("effect");
    assert_eq!((effects.len(), &effects[0]["by"]["start"]), (1, &2.into()), "the first one never made it");
}

/// A kill that waits for no call reaches who has left all the same.
#[test]
fn they_end_at_a_kill_at_once() {
    let steps =
        [SEND, &format!("wait: {{ {ONCE} }}"), "kill: { consumer: c }", "send: { to: Orders, as: later }"];
    let ran = Havoq::on(
        &scene(&plain(", daemon"), &steps, &["effect: { of: later, exactly: 1, within: 20m }"]),
        &[],
    )
    .ran();
    ran.assert_code(1);
    assert_eq!(ran.of_kind("consumer_exited")[0]["signal"], 9);
    assert_eq!(ran.of_kind("effect").len(), 1, "nobody was left to make another");
}

/// SIGSTOP reaches them too.
#[test]
fn they_stop_and_go_on_with_their_consumer() {
    let stop = "kill: { consumer: c, at: after-receive, of: orders, signal: SIGSTOP, resume: 60s }";
    let ran = Havoq::on(&scene(&plain(", daemon"), &[stop, SEND], &[ONCE]), &[]).ran();
    ran.assert_code(0);
    let (ended, effect) = (&ran.of_kind("fault_ended")[0], &ran.of_kind("effect")[0]);
    assert!(ended["seq"].as_u64() < effect["seq"].as_u64(), "nothing was done while it was stopped");
}

/// Nothing can be done any more when havoq itself is killed; its consumers end all the same.
#[test]
fn they_end_when_havoq_is_killed() {
    let consumer = format!("command: [sh, -c, \"{} sleep 600\"], wall_clock: none, instances: 2", WAYS[1]);
    let havoq = Havoq::on(&scene(&consumer, &[SEND], &[ONCE]), &["--clock", "real"]).start();
    havoq
        .until("both consumers", |event| event["kind"] == "consumer_started" && event["by"]["instance"] == 1);
    let folder = havoq.folder().to_owned();
    let mark = folder.to_str().expect("a path");
    assert!(mentioning(mark).len() > 3, "havoq, two supervisors, two consumers");
    havoq.signal(Signal::SIGKILL);
    wait_for("the end of all", || mentioning(mark).is_empty().then_some(()));
    assert_eq!(havoq.ran().code, None);
    assert_none_left(&folder);
}

#[test]
fn a_supervisor_that_is_killed_takes_its_consumer_along() {
    let consumer = "command: [sh, -c, \"kill -9 $PPID; sleep 600\"]";
    let ran = Havoq::on(&scene(consumer, &[SEND], &[ONCE]), &[]).ran();
    ran.assert_code(5);
    let errors = ran.of_kind("harness_error");
    assert!(errors[0]["message"].as_str().expect("a message").contains("supervisor"), "{errors:?}");
}

#[test]
fn a_supervisor_hears_no_other_signal() {
    let consumer =
        "command: [sh, -c, \"for s in TERM INT HUP QUIT USR1 PIPE ALRM; do kill -$s $PPID; done; exit 4\"]";
    let ran = Havoq::on(&scene(consumer, &[SEND], &[ONCE]), &[]).ran();
    ran.assert_code(1);
    assert_eq!(ran.of_kind("consumer_exited")[0]["code"], 4);
}
