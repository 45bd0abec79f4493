//! Bad usage, bad files and bad consumers end in a clear word and the right exit code.

use std::path::{Path, PathBuf};

use crate::support::{Havoq, root};

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

#[test]
fn aws_is_refused_until_it_is_guarded() {
    let ran = Havoq::run(&[Path::new("scenarios")], &["--on", "aws"]).ran();
    ran.assert_code(4);
    assert!(ran.stderr.contains("guards"), "{}", ran.all());
    assert!(ran.run.is_none(), "nothing was started");
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
