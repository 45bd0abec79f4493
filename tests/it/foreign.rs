//! The same drills on stacks that are not ours: MiniStack and moto, started here on loopback.
//! They do no move tasks and evaluate no alarms, which must show as inconclusive and no worse.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::support::{Havoq, Ran, diagnoses, provided, scenario};

/// A foreign stack of the test's own, ended with it.
pub(crate) struct Foreign {
    process: Child,
    port: u16,
}

impl Foreign {
    /// None where the variable that `./test` sets is missing, or the program is not installed.
    fn start(program: &str, prepare: impl Fn(&mut Command, u16)) -> Option<Self> {
        let program = provided("HAVOQ_TEST_STACKS")?.join(program);
        if !program.exists() {
            eprintln!("skipped: {} is not installed", program.display());
            return None;
        }
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let mut command = Command::new(program);
        prepare(&mut command, port);
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the stack starts");
        let stack = Self { process, port };
        for _ in 0..600 {
            if stack.list_queues().is_some() {
                return Some(stack);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the stack does not answer after 30 s");
    }

    pub(crate) fn ministack() -> Option<Self> {
        Self::start("ministack", |command, port| {
            command.env("BIND_HOST", "127.0.0.1").env("GATEWAY_PORT", port.to_string());
        })
    }

    pub(crate) fn moto() -> Option<Self> {
        Self::start("moto_server", |command, port| {
            command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
        })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// havoq's queues there. None while it does not answer.
    fn list_queues(&self) -> Option<Vec<Value>> {
        let body = r#"{"QueueNamePrefix":"havoq-"}"#;
        let request = format!(
            "POST / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
             Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.ListQueues\r\n\
             Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/sqs/aws4_request, \
             SignedHeaders=host, Signature=00\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        );
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok()?;
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        if !answer.starts_with("HTTP/1.1 200") && !answer.starts_with("HTTP/1.0 200") {
            return None;
        }
        let json: Value = serde_json::from_str(&answer[answer.find('{')?..=answer.rfind('}')?]).ok()?;
        Some(json["QueueUrls"].as_array().cloned().unwrap_or_default())
    }

    pub(crate) fn assert_nothing_left(&self) {
        assert_eq!(self.list_queues(), Some(Vec::new()), "left behind");
    }

    fn run(&self, paths: &[&str]) -> Havoq {
        let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
        Havoq::run(&paths, &["--on", &self.url(), "--scale", "1/60", "--timeout", "150s"])
    }

    fn kill(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The claims that did not pass, with their verdicts and reasons.
fn unpassed(ran: &Ran, name: &str) -> Vec<(String, String, String)> {
    let report = ran.report();
    let text = |claim: &Value, member: &str| claim[member].as_str().unwrap_or_default().to_owned();
    let claims = scenario(&report, name)["claims"].as_array().expect("claims").iter();
    let unpassed = claims.filter(|claim| claim["verdict"] != "pass");
    unpassed.map(|claim| (text(claim, "id"), text(claim, "verdict"), text(claim, "reason"))).collect()
}

/// The correct worker passes or is not judged, for what such a stack cannot show.
fn drills(stack: &Foreign) {
    let ran = stack.run(&["scenarios"]).ran();
    ran.assert_code(3);
    for name in ["consumer-killed", "duplicate-send", "poison-message", "redrive"] {
        // Deadlines shrink with the scale and a busy machine does not, so more may be undecided.
        for (id, verdict, reason) in unpassed(&ran, name) {
            assert!(verdict == "inconclusive" && !reason.is_empty(), "{name} {id}: {reason}\n{}", ran.all());
        }
    }
    let poison = unpassed(&ran, "poison-message");
    let alarm = poison.iter().find(|(id, ..)| id == "expect[1] alarm").expect("it cannot pass");
    assert!(alarm.2.contains("not seen to evaluate alarms") || alarm.2.contains("not judged"), "{}", alarm.2);
    let events = ran.events();
    let moved: Vec<&Value> = events.iter().filter(|event| event["kind"] == "moved").collect();
    assert!(!moved.is_empty(), "{}", ran.all());
    assert!(moved.iter().all(|event| event["source"] == "inferred" && event["receives"] == 5));
    stack.assert_nothing_left();
    assert_same_when_judged_again(&ran);
}

/// The history alone gives the same verdicts, the scale included.
fn assert_same_when_judged_again(ran: &Ran) {
    let history = ran.file("history.jsonl");
    let again = Havoq::new(&["report", "--format", "json", &history.display().to_string()]).ran();
    again.assert_code(3);
    let again: Value = serde_json::from_str(&again.stdout).expect("a report");
    assert_eq!(again["scenarios"], ran.report()["scenarios"]);
}

fn a_second_effect_is_found(stack: &Foreign) {
    let duplicate = stack.run(&["scenarios/duplicate-send.yaml"]);
    let ran = duplicate.env("HAVOQ_WORKER_BUG", "no-idempotency").ran();
    ran.assert_code(1);
    let report = ran.report();
    let found = diagnoses(scenario(&report, "duplicate-send"));
    assert!(found.contains(&"no-idempotency"), "{found:?}\n{}", ran.all());
    stack.assert_nothing_left();
}

#[test]
fn ministack_shows_what_it_can() {
    let Some(stack) = Foreign::ministack() else { return };
    drills(&stack);
}

#[test]
fn moto_shows_what_it_can() {
    let Some(stack) = Foreign::moto() else { return };
    drills(&stack);
}

#[test]
fn a_bug_is_found_on_ministack() {
    let Some(stack) = Foreign::ministack() else { return };
    a_second_effect_is_found(&stack);
}

#[test]
fn a_bug_is_found_on_moto() {
    let Some(stack) = Foreign::moto() else { return };
    a_second_effect_is_found(&stack);
}

#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    let Some(stack) = Foreign::ministack() else { return };
    let running = stack.run(&["scenarios"]).start();
    running.until("a receive", |event| event["kind"] == "received");
    assert!(!stack.list_queues().expect("an answer").is_empty());
    running.signal(Signal::SIGINT);
    running.ran().assert_code(130);
    stack.assert_nothing_left();
}

#[test]
fn a_stack_that_goes_away_is_an_error_and_not_the_consumers() {
    let Some(mut stack) = Foreign::ministack() else { return };
    let running = stack.run(&["scenarios/duplicate-send.yaml"]).start();
    running.until("a receive", |event| event["kind"] == "received");
    stack.kill();
    let ran = running.ran();
    ran.assert_code(5);
    let unpassed = unpassed(&ran, "duplicate-send");
    assert!(unpassed.iter().all(|(_, verdict, _)| verdict != "fail"), "{unpassed:?}");
    let (.., reason) = unpassed.iter().find(|(id, ..)| id == "always harness_sound").expect("an error");
    assert!(reason.contains("did not answer") && reason.contains("left behind on http://"), "{reason}");
    assert!(reason.contains("-OrderQueue") && reason.contains("-OpsTopic"), "{reason}");
}

#[test]
fn a_stack_that_is_not_there_is_an_error() {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let url = format!("http://{}", free.local_addr().expect("an address"));
    drop(free);
    let ran = Havoq::run(&[Path::new("scenarios/duplicate-send.yaml")], &["--on", &url]).ran();
    ran.assert_code(5);
    assert!(ran.stdout.contains("did not answer CreateQueue"), "{}", ran.all());
    assert!(!ran.stdout.contains("left behind"), "{}", ran.all());
}

#[test]
fn the_clock_of_a_foreign_stack_cannot_be_virtual() {
    let on = ["--on", "http://127.0.0.1:1", "--clock", "virtual"];
    let ran = Havoq::run(&[Path::new("scenarios")], &on).ran();
    ran.assert_code(2);
    assert!(ran.stderr.contains("hint:") && ran.run.is_none(), "{}", ran.all());
}
