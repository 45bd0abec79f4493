//! `havoq tap`: the tap on its own.

mod faults;
mod rust_sdk;
mod signed;
mod traffic;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::ChildStdout;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::sandbox_command::Served;
use crate::support::{Havoq, Live, Ran};

/// A tap that serves.
struct Tapped {
    live: Option<Live>,
    _stdout: BufReader<ChildStdout>,
    address: SocketAddr,
    history: PathBuf,
    _folder: tempfile::TempDir,
}

impl Tapped {
    fn before(upstream: &str) -> Self {
        Self::start(&["--upstream", upstream], &[])
    }

    fn start(options: &[&str], environment: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let history = folder.path().join("history.jsonl");
        let file = history.display().to_string();
        let havoq = Havoq::new(&[&["tap", "--history", &file], options].concat());
        let havoq = environment.iter().fold(havoq, |havoq, (name, value)| havoq.env(name, value));
        let mut live = havoq.start();
        let mut stdout = BufReader::new(live.child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let Some(address) = line.trim().strip_prefix("listening on http://") else {
            panic!("it does not listen: {}", live.ran().all());
        };
        let address = address.parse().expect("an address");
        Self { live: Some(live), _stdout: stdout, address, history, _folder: folder }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
        stream
    }

    /// Sends bytes as they are, and reads to the end of the connection, or to its reset.
    fn raw(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(request).expect("sent");
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}"),
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn sqs(&self, operation: &str, input: &Value) -> Value {
        let answer = self.raw(call(operation, "Connection: close\r\n", &input.to_string()).as_bytes());
        assert!(answer.starts_with("HTTP/1.1 200"), "{operation}: {answer}");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        // Some calls have no result.
        serde_json::from_str(body).unwrap_or_default()
    }

    fn queue(&self) -> String {
        let made = self.sqs("CreateQueue", &json!({ "QueueName": "q" }));
        made["QueueUrl"].as_str().expect("a URL").to_owned()
    }

    fn events(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.history).expect("a history");
        text.lines().map(|line| serde_json::from_str(line).expect("an event a line")).collect()
    }

    /// The one event of this kind that is of an operation, or of any.
    fn event(&self, kind: &str, operation: Option<&str>) -> Value {
        let is_it = |event: &Value| {
            event["kind"] == kind && operation.is_none_or(|operation| event["operation"] == operation)
        };
        let found: Vec<Value> = self.events().into_iter().filter(is_it).collect();
        let [event] = found.as_slice() else { panic!("{kind}: {found:?}") };
        event.clone()
    }

    fn end(mut self, signal: Signal) -> Ran {
        let live = self.live.take().expect("it runs");
        live.signal(signal);
        live.ran()
    }
}

impl Drop for Tapped {
    fn drop(&mut self) {
        if let Some(mut live) = self.live.take() {
            live.child.kill().ok();
            live.child.wait().ok();
        }
    }
}

/// A call of SQS in JSON, signed with credentials that mean nothing.
fn call(operation: &str, headers: &str, body: &str) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: AmazonSQS.{operation}\r\nAuthorization: AWS4-HMAC-SHA256 \
         Credential=test/20260101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=00\r\n\
         {headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn it_stands_between_clients_and_a_stack_and_ends_on_a_signal() {
    let sandbox = Served::start(&[]);
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let tap = Tapped::before(&sandbox.url());
        let url = tap.queue();
        tap.sqs("SendMessage", &json!({ "QueueUrl": url, "MessageBody": "a" }));
        let ran = tap.end(signal);
        ran.assert_code(0);
        assert_eq!(ran.stderr, "");
    }
    assert_eq!(sandbox.queues().len(), 1, "what is done by way of it is done");
}

#[test]
fn a_signal_ends_it_while_a_poll_waits() {
    let sandbox = Served::start(&[]);
    let tap = Tapped::before(&sandbox.url());
    let url = tap.queue();
    let mut poll = tap.connect();
    let body = json!({ "QueueUrl": url, "WaitTimeSeconds": 20 }).to_string();
    poll.write_all(call("ReceiveMessage", "", &body).as_bytes()).expect("sent");
    let began = havoq_base::RunStart::now();
    tap.end(Signal::SIGINT).assert_code(0);
    assert!(began.elapsed().as_secs_f64() < 10.0, "it does not wait for the poll");
    assert_eq!(poll.read(&mut [0; 1]).unwrap_or_default(), 0, "it is closed and not answered");
}

#[test]
fn the_history_is_that_of_a_run_and_says_what_a_call_was_like() {
    let sandbox = Served::start(&[]);
    let tap = Tapped::before(&sandbox.url());
    let url = tap.queue();
    let sdk = "amz-sdk-invocation-id: i-1\r\namz-sdk-request: attempt=2; max=5\r\nConnection: close\r\n";
    let body = json!({ "QueueUrl": url, "MessageBody": "a" }).to_string();
    assert!(tap.raw(call("SendMessage", sdk, &body).as_bytes()).starts_with("HTTP/1.1 200"));
    let received = tap.sqs("ReceiveMessage", &json!({ "QueueUrl": url, "VisibilityTimeout": 7 }));
    let receipt = received["Messages"][0]["ReceiptHandle"].clone();
    tap.sqs("DeleteMessage", &json!({ "QueueUrl": url, "ReceiptHandle": receipt }));
    let sent = tap.event("called", Some("SendMessage"));
    assert_eq!(
        (&sent["scenario"], &sent["source"], &sent["queue"]),
        (&json!("tap"), &json!("tap"), &json!("q"))
    );
    let call = &sent["call"];
    assert_eq!(call["invocation"], "i-1");
    assert_eq!((&call["attempt"], &call["max_attempts"]), (&json!(2), &json!(5)));
    assert_eq!(call["request_bytes"], body.len());
    assert!(call["response_bytes"].as_u64() > Some(50) && call["took"].as_f64() > Some(0.0), "{call}");
    let received = tap.event("received", None);
    assert_eq!((&received["visibility"], &received["call"]["attempt"]), (&json!(7), &Value::Null));
    assert!(received["call"]["response_bytes"].as_u64() > Some(50), "{received}");
    let deleted = tap.event("deleted", None);
    assert_eq!(deleted["message_id"], received["messages"][0]["message_id"]);
    assert!(deleted["call"]["took"].as_f64() > Some(0.0), "{deleted}");
    let seqs: Vec<u64> = tap.events().iter().filter_map(|event| event["seq"].as_u64()).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
}

#[test]
fn its_own_calls_are_neither_forwarded_nor_recorded() {
    let tap = Tapped::before("http://127.0.0.1:9");
    let ask = |method: &str, path: &str| {
        tap.raw(format!("{method} {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").as_bytes())
    };
    let health = ask("GET", "/_havoq/health");
    assert!(health.starts_with("HTTP/1.1 200") && health.contains("http://127.0.0.1:9"), "{health}");
    assert!(ask("POST", "/_havoq/health").starts_with("HTTP/1.1 405"));
    assert!(ask("GET", "/_havoq/nothing").contains("GET /_havoq/health"));
    assert_eq!(tap.events(), Vec::<Value>::new());
}

#[test]
fn a_stack_that_is_not_there_is_told_to_the_client_and_the_history() {
    let tap = Tapped::before("http://127.0.0.1:9");
    let answer = tap.raw(call("ListQueues", "Connection: close\r\n", "{}").as_bytes());
    assert!(
        answer.starts_with("HTTP/1.1 503") && answer.contains("the stack did not answer ListQueues"),
        "{answer}"
    );
    assert!(tap.event("harness_error", None)["message"].as_str().is_some_and(|it| it.contains("ListQueues")));
    let called = tap.event("called", Some("ListQueues"));
    assert_eq!(
        (&called["error"], &called["call"]["response_bytes"]),
        (&json!("ServiceUnavailable"), &Value::Null)
    );
}

fn refused(options: &[&str], code: i32, told: &str) {
    let ran = Havoq::new(&[&["tap"], options].concat()).ran();
    ran.assert_code(code);
    assert!(ran.stderr.contains(told), "{options:?}: {}", ran.all());
}

#[test]
fn what_does_not_fit_is_refused_before_it_listens() {
    let here = "http://127.0.0.1:9";
    refused(&[], 2, "--upstream");
    refused(&["--upstream", "sandbox"], 2, "start `havoq sandbox`");
    refused(&["--upstream", here, "--listen", "0.0.0.0:0"], 2, "loopback only");
    refused(&["--upstream", here, "--account", "000000000000"], 2, "--account is for `--upstream aws` alone");
    refused(&["--upstream", here, "--faults", "nowhere.yaml"], 2, "cannot read nowhere.yaml");
    refused(&["--upstream", "aws"], 2, "needs --account");
    refused(&["--upstream", "aws", "--account", "1"], 2, "12 digits");
    refused(&["--upstream", here, "--history", "/nowhere/at/all"], 5, "/nowhere/at/all");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").to_string();
    refused(&["--upstream", here, "--listen", &port], 5, "hint: end what listens there");
}
