//! Bad usage, bad files and bad consumers end in a clear word and the right exit code.

use std::path::{Path, PathBuf};

use crate::support::{Havoq, Ran, root};

const HEAD: &str = r#"
name: hostile
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties: { VisibilityTimeout: 30 }
effects:
  charges: { http: /charges, key: $.orderId }
inject:
  - send: { to: Orders, count: 2, as: orders }
expect:
  - effect: { of: orders, in: charges, exactly: 1, within: 2m }
"#;

fn with_consumer(consumer: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hostile.yaml");
    std::fs::write(&file, format!("{HEAD}consumers:\n  c: {{ {consumer}, queue: Orders }}\n"))
        .expect("a scenario");
    (folder, file)
}

fn run_consumer(consumer: &str, more: &[&str]) -> Ran {
    let (_folder, file) = with_consumer(consumer);
    Havoq::run(&[&file], more).ran()
}

#[test]
fn aws_is_refused_until_it_is_guarded() {
    let ran = Havoq::run(&[Path::new("scenarios")], &["--on", "aws"]).ran();
    ran.assert_code(4);
    assert!(ran.stderr.contains("guards"), "{}", ran.all());
    assert!(ran.run.is_none(), "nothing was started");
}

#[test]
fn a_consumer_that_is_not_there_is_a_usage_error() {
    for command in ["/nowhere/consumer", "no-such-program-anywhere", "/"] {
        let ran = run_consumer(&format!("command: [{command}]"), &[]);
        ran.assert_code(2);
        assert!(ran.stderr.contains(command) && ran.stderr.contains("hostile.yaml:"), "{}", ran.all());
        assert!(ran.run.is_none(), "nothing was started");
    }
}

#[test]
fn a_consumer_that_exits_at_once_fails_its_claims() {
    let ran = run_consumer("command: [\"false\"]", &[]);
    ran.assert_code(1);
    assert!(ran.events().iter().any(|event| event["kind"] == "consumer_exited" && event["code"] == 1));
}

#[test]
fn a_consumer_that_never_polls_does_not_pass() {
    let ran = run_consumer("command: [sleep, \"600\"], wall_clock: none", &[]);
    assert!(matches!(ran.code, Some(1 | 3)), "{}", ran.all());
    assert!(ran.events().iter().any(|event| event["kind"] == "consumer_idle"));
}

#[test]
fn a_consumer_that_floods_its_output_and_ignores_sigterm_is_ended() {
    let flood = r#"command: [sh, -c, "trap '' TERM; yes | head -c 50000000; sleep 600"], wall_clock: none"#;
    let ran = run_consumer(flood, &["--timeout", "20s"]);
    assert!(matches!(ran.code, Some(1 | 3)), "{}", ran.all());
    let exited = ran.events().into_iter().find(|event| event["kind"] == "consumer_exited");
    assert_eq!(exited.expect("its exit")["signal"], 9);
}

#[test]
fn a_reports_folder_that_cannot_be_made_is_a_usage_error() {
    let ran = Havoq::new(&["run", "scenarios", "--reports", "/dev/null/reports"]).ran();
    ran.assert_code(2);
    assert!(ran.stderr.contains("--reports"), "{}", ran.all());
}

#[test]
fn bad_usage_is_told_with_exit_code_2() {
    for arguments in
        [&["run"][..], &["fly"], &["run", "/nowhere"], &["run", "scenarios", "--on", "mars"], &["check"]]
    {
        Havoq::new(arguments).ran().assert_code(2);
    }
}

#[test]
fn an_unknown_worker_bug_is_a_usage_error() {
    let ran = Havoq::run(&[Path::new("scenarios")], &[]).env("HAVOQ_WORKER_BUG", "lazy").ran();
    ran.assert_code(2);
    assert!(ran.stderr.contains("no-idempotency"), "the right spellings: {}", ran.all());
}

#[test]
fn check_shows_all_problems_of_all_files_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.yaml"), HEAD.replace("inject:", "injct:")).expect("a file");
    std::fs::write(folder.path().join("b.yaml"), HEAD.replace("within: 2m", "within: 2")).expect("a file");
    let ran = Havoq::new(&["check", folder.path().to_str().expect("a path")]).ran();
    ran.assert_code(2);
    for expected in ["a.yaml:", "b.yaml:", "injct", "inject"] {
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.all());
    }
}

#[test]
fn check_accepts_the_drills() {
    Havoq::new(&["check", "scenarios"]).ran().assert_code(0);
}

#[test]
fn schema_prints_a_json_schema() {
    let ran = Havoq::new(&["schema"]).ran();
    ran.assert_code(0);
    let schema: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert!(schema["$schema"].is_string());
}

#[test]
fn the_same_seed_gives_the_same_markers() {
    let markers = || -> Vec<String> {
        let (_folder, file) = with_consumer("worker: {}");
        let ran = Havoq::run(&[&file], &["--seed", "7"]).ran();
        ran.assert_code(0);
        let sent = ran.events().into_iter().filter(|event| event["kind"] == "sent");
        sent.map(|event| event["marker"].as_str().expect("a marker").to_owned()).collect()
    };
    assert_eq!(markers(), markers());
}

#[test]
fn a_history_that_is_none_is_a_usage_error() {
    let path = root().join("Cargo.toml");
    Havoq::new(&["report", path.to_str().expect("a path")]).ran().assert_code(2);
}

/// SIGINT in the middle: a partial report, exit 130, and nobody left behind.
#[test]
fn an_interrupted_run_cleans_up_and_still_reports() {
    use std::process::{Command, Stdio};
    let (folder, file) = with_consumer("command: [sleep, \"599.5\"], wall_clock: none");
    let reports = folder.path().join("reports");
    let mut havoq = Command::new(env!("CARGO_BIN_EXE_havoq"))
        .args([Path::new("run"), &file, Path::new("--reports"), &reports])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("havoq starts");
    let pid = wait_for_consumer(&reports);
    Command::new("kill").args(["-INT", &havoq.id().to_string()]).status().expect("kill");
    let status = havoq.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
    assert!(!Path::new(&format!("/proc/{pid}")).exists(), "the consumer is gone");
    let run = std::fs::read_dir(&reports).expect("reports").next().expect("a run").expect("a run").path();
    assert!(run.join("report.json").exists() && run.join("junit.xml").exists());
}

/// Waits until the history says that a consumer was started; its pid.
fn wait_for_consumer(reports: &Path) -> u64 {
    let deadline = havoq_base::RunStart::now();
    while deadline.elapsed().as_secs_f64() < 30.0 {
        let runs = std::fs::read_dir(reports).into_iter().flatten().flatten();
        for run in runs {
            let text = std::fs::read_to_string(run.path().join("history.jsonl")).unwrap_or_default();
            let events = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
            if let Some(started) = events.into_iter().find(|event| event["kind"] == "consumer_started") {
                return started["pid"].as_u64().expect("a pid");
            }
        }
        std::thread::yield_now();
    }
    panic!("no consumer was started");
}
