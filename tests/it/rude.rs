//! Consumers without manners: each ends in a verdict, and the stack behind the tap stays whole.

use std::path::Path;

use crate::support::{Havoq, Ran, plain, scene};

const SEND: &str = "send: { to: Orders, count: 2, as: orders }";
const ONCE: &str = "effect: { of: orders, in: charges, exactly: 1, within: 20m }";

fn run(consumer: &str, more: &[&str]) -> Ran {
    Havoq::on(&scene(consumer, &[SEND], &[ONCE, "drained: { queue: Orders, within: 20m }"]), more).ran()
}

#[test]
fn what_cannot_be_executed_is_a_usage_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str, mode: u32| {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("its mode");
        path
    };
    let bad = [
        ("/nowhere/consumer".into(), "No such file"),
        ("no-such-program-anywhere".into(), "in PATH"),
        (file("plain", "#!/bin/sh\n", 0o644), "is not executable"),
        (file("headless", "echo hello\n", 0o755), "no #! line"),
        (file("empty", "", 0o755), "no #! line"),
        (file("lost", "#!/no/such/interpreter\n", 0o755), "/no/such/interpreter"),
        (folder.path().to_owned(), "is not a file"),
    ];
    for (command, reason) in &bad {
        let command: &Path = command;
        let ran = run(&format!("command: [{}]", command.display()), &[]);
        ran.assert_code(2);
        let place = ran.stderr.contains("scenario.yaml:");
        assert!(ran.stderr.contains(reason) && place, "{}", ran.all());
        assert!(ran.run.is_none(), "nothing was started");
    }
}

#[test]
fn one_that_exits_at_once_fails_its_claims() {
    let ran = run("command: [\"false\"]", &[]);
    ran.assert_code(1);
    assert_eq!(ran.of_kind("consumer_exited")[0]["code"], 1);
}

#[test]
fn one_that_never_polls_does_not_pass() {
    let ran = run("command: [sleep, \"600\"], wall_clock: none", &[]);
    assert!(matches!(ran.code, Some(1 | 3)), "{}", ran.all());
    assert_eq!(ran.of_kind("consumer_idle").len(), 1);
}

/// 100 MB on each stream: it is never held up, and its logs keep the beginning and the end.
#[test]
fn one_that_floods_its_output_fills_no_disk() {
    let flood = "echo first; head -c 100000000 /dev/zero; head -c 100000000 /dev/zero >&2; echo last; exit 6";
    let ran = run(&format!("command: [sh, -c, \"{flood}\"], wall_clock: none"), &[]);
    assert_eq!(ran.of_kind("consumer_exited")[0]["code"], 6, "{}", ran.all());
    for (name, begins, ends) in [("c-0-1.out", "first\n", "last\n"), ("c-0-1.err", "\0", "\0")] {
        let log = ran.log(name);
        assert!(log.len() < 11 << 20, "{} bytes", log.len());
        assert!(log.starts_with(begins) && log.ends_with(ends));
        assert!(log.contains("bytes were cut here"));
    }
}

#[test]
fn one_that_ignores_sigterm_is_killed_at_the_end() {
    let ran = run(&plain(", deaf"), &[]);
    ran.assert_code(0);
    let exited = &ran.of_kind("consumer_exited")[0];
    assert_eq!((&exited["signal"], &exited["ended_by"]), (&9.into(), &"end of run".into()));
}

#[test]
fn a_body_that_breaks_off_is_recorded_and_not_sent() {
    let ran = run(&plain(", half-body"), &[]);
    ran.assert_code(1);
    let called = ran.of_kind("called");
    assert_eq!(
        (&called[0]["operation"], &called[0]["error"]),
        (&"SendMessage".into(), &"IncompleteBody".into())
    );
    assert_eq!(ran.of_kind("consumer_exited")[0]["code"], 7);
    assert_eq!(ran.of_kind("sent").len(), 2, "only those of the scenario");
}

#[test]
fn five_hundred_connections_are_no_trouble() {
    let ran = run(&plain(", connections"), &[]);
    ran.assert_code(0);
    assert!(ran.log("c-0-1.out").contains("connections 500"));
}

#[test]
fn garbage_is_no_trouble() {
    let ran = run(&plain(", garbage"), &[]);
    ran.assert_code(0);
    assert!(ran.log("c-0-1.out").contains("garbage sent"), "{}", ran.log("c-0-1.err"));
}

#[test]
fn a_body_of_twenty_mebibytes_is_answered_and_recorded() {
    let ran = run(&plain(", huge"), &[]);
    ran.assert_code(0);
    assert!(ran.log("c-0-1.out").contains("huge 413"), "{}", ran.log("c-0-1.out"));
    let called = ran.of_kind("called");
    assert!(called.iter().any(|call| call["status"] == 413 && call["error"] == "RequestEntityTooLarge"));
}

#[test]
fn calls_of_unknown_services_and_operations_get_an_error() {
    let ran = run(&plain(", unknown"), &[]);
    ran.assert_code(0);
    let log = ran.log("c-0-1.out");
    for what in ["service", "operation", "nonsense", "query", "path"] {
        let status = log.lines().find_map(|line| line.strip_prefix(&format!("{what} ")));
        assert!(status.is_some_and(|status| status.starts_with('4')), "{what}: {status:?}\n{log}");
    }
}

#[test]
fn one_that_cannot_be_started_again_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("once");
    std::fs::write(&path, "#!/bin/sh\nrm \"$0\"\n").expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("its mode");
    let ran = run(&format!("command: [{}], restart: at-once", path.display()), &[]);
    ran.assert_code(5);
    let error = ran.of_kind("harness_error")[0]["message"].to_string();
    assert!(error.contains("cannot start consumer c") && error.contains("No such file"), "{error}");
}

/// What was written whole counts as sent, whatever becomes of the connection.
#[test]
fn one_that_does_not_wait_for_answers_is_heard_to_the_end() {
    let ran = run(&plain(", effects-and-away, deletes-and-away"), &[]);
    let away = |event: &&serde_json::Value, field: &str| {
        event[field].as_str().is_some_and(|text| text.starts_with("away-"))
    };
    let effects = ran.of_kind("effect");
    assert_eq!(effects.iter().filter(|effect| away(effect, "key")).count(), 50, "{}", ran.all());
    let deletes = ran.of_kind("deleted");
    assert_eq!(deletes.iter().filter(|delete| away(delete, "receipt")).count(), 50, "{}", ran.all());
}

#[test]
fn the_parked_polls_of_a_killed_process_end_with_it() {
    let steps = ["wait: 1m", "kill: { consumer: c, restart: never }"];
    let ran = Havoq::on(
        &scene(&plain(", parked-polls"), &steps, &["drained: { queue: Orders, within: 20m }"]),
        &[],
    )
    .ran();
    let exited = &ran.of_kind("consumer_exited")[0];
    assert_eq!((&exited["signal"], &exited["ended_by"]), (&9.into(), &"inject[1]".into()), "{}", ran.all());
    assert_ne!(exited["left_behind"], true);
}

#[test]
fn bodies_may_come_late_and_in_pieces() {
    let ran = run(&plain(", slow-bodies"), &[]);
    ran.assert_code(0);
    assert!(ran.log("c-0-1.out").contains("continue 100\nexpected 200\nchunked 200\n"), "{}", ran.all());
}
