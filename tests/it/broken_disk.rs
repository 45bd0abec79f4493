//! Disks that are full, and folders that cannot be written.

use crate::support::{Havoq, scene};

const SEND: &str = "send: { to: Orders, count: 100, as: orders }";
const ONCE: &str = "effect: { of: orders, in: charges, exactly: 1, within: 20m }";

fn havoq() -> Havoq {
    Havoq::on(&scene("worker: {}", &[SEND], &[ONCE]), &[])
}

#[test]
fn a_reports_folder_that_cannot_be_made_is_a_usage_error() {
    for reports in ["/dev/null/reports", "/proc/reports", "/etc/hostname"] {
        let ran = Havoq::new(&["run", "scenarios", "--reports", reports]).ran();
        ran.assert_code(2);
        assert!(ran.stderr.contains("--reports") && ran.stderr.contains(reports), "{}", ran.all());
        assert!(ran.stdout.is_empty());
    }
}

/// No file may grow past 20 KiB: the history breaks off in the middle.
#[test]
fn a_history_that_breaks_off_is_an_error() {
    let ran = havoq().in_shell("ulimit -f 20; havoq").ran();
    ran.assert_code(5);
    assert!(ran.stderr.contains("cannot write the history"), "{}", ran.all());
    assert!(ran.stderr.contains("history.jsonl"), "{}", ran.all());
    // The report stands on the terminal, its last line says what is the matter.
    let last = ran.stdout.trim_end().lines().last().expect("a report");
    assert!(last.starts_with("1 scenario:"), "{}", ran.all());
    assert!(last.contains("error") || last.contains("broke"), "{}", ran.all());
    let bytes = std::fs::metadata(ran.file("history.jsonl")).expect("a history").len();
    assert!((1..=20 * 1024).contains(&bytes), "{bytes}");
    // What is there is a whole beginning, which can be read.
    let again = Havoq::new(&["report", ran.file("history.jsonl").to_str().expect("a path")]).ran();
    assert!(matches!(again.code, Some(1 | 3 | 5)), "{}", again.all());
}

/// A disk with no room at all: nothing is started.
#[test]
fn a_disk_without_room_is_told_before_anything_starts_or_as_an_error() {
    let mount = "mount -t tmpfs -o size=16k none \"$MOUNT\" && havoq";
    let folder = tempfile::tempdir().expect("a folder");
    let reports = folder.path().to_str().expect("a path");
    let probe = std::process::Command::new("unshare").args(["-Urm", "true"]).output();
    if !probe.is_ok_and(|probe| probe.status.success()) {
        eprintln!("skipped: no namespaces here");
        return;
    }
    let text = scene("worker: {}", &[SEND], &[ONCE]);
    let file = folder.path().join("scenario.yaml");
    let reports_in = format!("{reports}/full");
    std::fs::create_dir(&reports_in).expect("a folder");
    std::fs::write(&file, text).expect("a scenario");
    let ran = Havoq::new(&["run", file.to_str().expect("a path"), "--reports", &reports_in])
        .env("MOUNT", &reports_in)
        .in_shell(&format!("exec unshare -Urm bash -c '{}' \"$0\" \"$@\"", mount))
        .ran();
    ran.assert_code(5);
    assert!(ran.stderr.contains("No space left on device"), "{}", ran.all());
    assert!(ran.stdout.contains("1 scenario:"), "the report is printed: {}", ran.all());
}
