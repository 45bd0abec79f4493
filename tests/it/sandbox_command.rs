//! `havoq sandbox`: the embedded stack on its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::ChildStdout;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::support::{Havoq, Live};

/// A sandbox that serves.
pub(crate) struct Served {
    live: Option<Live>,
    stdout: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
}

/// Who calls: its access key and its region.
type Caller = (&'static str, &'static str);

const HOME: Caller = ("test", "us-east-1");

impl Served {
    pub(crate) fn start(more: &[&str]) -> Self {
        let mut live = Havoq::new(&[&["sandbox", "--listen", "127.0.0.1:0"], more].concat()).start();
        let mut stdout = BufReader::new(live.child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on http://").expect("where it listens");
        let address = address.parse().expect("an address");
        Self { live: Some(live), stdout, address }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let body = answer.split_once("\r\n\r\n").expect("a body").1;
        (status, body.to_owned())
    }

    fn sqs_at(&self, path: &str, (key, region): Caller, operation: &str, input: &Value) -> (u16, Value) {
        let headers = format!(
            "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.{operation}\r\n\
             Authorization: AWS4-HMAC-SHA256 Credential={key}/20260101/{region}/sqs/aws4_request, \
             SignedHeaders=host, Signature=00\r\n"
        );
        let (status, body) = self.ask("POST", path, &headers, &input.to_string());
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    fn sqs(&self, caller: Caller, operation: &str, input: Value) -> Value {
        let (status, answer) = self.sqs_at("/", caller, operation, &input);
        assert_eq!(status, 200, "{operation}: {answer}");
        answer
    }

    fn create_queue(&self, caller: Caller, name: &str) -> String {
        let made = self.sqs(caller, "CreateQueue", json!({ "QueueName": name }));
        made["QueueUrl"].as_str().expect("a URL").to_owned()
    }

    /// The QueueUrls of the caller at home.
    pub(crate) fn queues(&self) -> Vec<String> {
        let listed = self.sqs(HOME, "ListQueues", json!({}));
        let urls = listed["QueueUrls"].as_array().cloned().unwrap_or_default();
        urls.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    fn receive(&self, url: &str) -> Value {
        let received = self.sqs(HOME, "ReceiveMessage", json!({ "QueueUrl": url }));
        received["Messages"][0]["Body"].clone()
    }

    fn control(&self, method: &str, call: &str, body: &str) -> (u16, Value) {
        let (status, body) = self.ask(method, &format!("/_havoq/{call}"), "", body);
        (status, serde_json::from_str(&body).unwrap_or_else(|_| panic!("{body} is no JSON")))
    }

    /// Ends it, in good order and with nothing more to say.
    fn end(mut self, signal: Signal) {
        let live = self.live.take().expect("it runs");
        live.signal(signal);
        let mut more = String::new();
        self.stdout.read_to_string(&mut more).expect("its end");
        let ran = live.ran();
        ran.assert_code(130);
        assert_eq!((more.as_str(), ran.stderr.as_str()), ("", ""));
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(mut live) = self.live.take() {
            live.child.kill().ok();
            live.child.wait().ok();
        }
    }
}

#[test]
fn it_tells_where_it_listens_and_ends_on_a_signal() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let served = Served::start(&[]);
        let url = served.create_queue(HOME, "q");
        assert_eq!(url, format!("{}/000000000000/q", served.url()));
        served.end(signal);
    }
}

#[test]
fn a_signal_ends_it_while_a_poll_waits() {
    let served = Served::start(&[]);
    let url = served.create_queue(HOME, "q");
    let mut poll = TcpStream::connect(served.address).expect("it listens");
    let body = json!({ "QueueUrl": url, "WaitTimeSeconds": 20 }).to_string();
    let request = format!(
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: AmazonSQS.ReceiveMessage\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    poll.write_all(request.as_bytes()).expect("sent");
    served.end(Signal::SIGINT);
    assert_eq!(poll.read(&mut [0; 1]).unwrap_or_default(), 0, "it is closed and not answered");
}

#[test]
fn only_loopback_is_listened_on() {
    let ran = Havoq::new(&["sandbox", "--listen", "0.0.0.0:0"]).ran();
    ran.assert_code(2);
    assert!(ran.stderr.contains("loopback only") && ran.stderr.contains("hint:"), "{}", ran.all());
    for arguments in [["--listen", "somewhere"], ["--account", "12"], ["--region", "Virginia!"]] {
        let ran = Havoq::new(&[&["sandbox"][..], &arguments].concat()).ran();
        ran.assert_code(2);
        assert!(ran.stdout.is_empty(), "{}", ran.all());
    }
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let ran = Havoq::new(&["sandbox", "--listen", &address]).ran();
    ran.assert_code(5);
    assert!(ran.stderr.contains(&address) && ran.stderr.contains("hint:"), "{}", ran.all());
    assert!(ran.stdout.is_empty(), "{}", ran.all());
}

#[test]
fn the_clock_can_be_moved_on() {
    let served = Served::start(&[]);
    let url = served.create_queue(HOME, "q");
    served.sqs(HOME, "SendMessage", json!({ "QueueUrl": url, "MessageBody": "late", "DelaySeconds": 900 }));
    assert_eq!(served.receive(&url), Value::Null);
    let now = |answer: &Value| -> havoq_base::StackTime {
        answer["now"].as_str().expect("a time").parse().expect("RFC 3339")
    };
    let (_, health) = served.control("GET", "health", "");
    let (status, moved) = served.control("POST", "clock/advance", r#"{"by": "15m"}"#);
    assert_eq!(status, 200, "{moved}");
    let moved = now(&moved).since(now(&health)).as_secs();
    assert!((900..960).contains(&moved), "{moved}");
    assert_eq!(served.receive(&url), "late");
}

#[test]
fn bad_control_calls_say_what_is_wrong() {
    let served = Served::start(&[]);
    for (method, call, body, status, told) in [
        ("POST", "clock/advance", "", 400, "\"by\": \"180s\""),
        ("POST", "clock/advance", r#"{"by": 180}"#, 400, "invalid type"),
        ("POST", "clock/advance", r#"{"by": "180"}"#, 400, "`180s`?"),
        ("POST", "clock/advance", r#"{"by": "-5s"}"#, 400, "negative"),
        ("GET", "clock/advance", "", 405, "POST only"),
        ("GET", "reset", "", 405, "POST only"),
        ("POST", "health", "", 405, "GET only"),
        ("POST", "clock/rewind", "", 404, "/_havoq/clock/advance"),
    ] {
        let (found, answer) = served.control(method, call, body);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(found == status && error.contains(told), "{method} {call} {body}: {found} {answer}");
    }
}

#[test]
fn a_reset_forgets_everything_and_keeps_the_port() {
    let served = Served::start(&[]);
    let url = served.create_queue(HOME, "q");
    served.sqs(HOME, "SendMessage", json!({ "QueueUrl": url, "MessageBody": "a" }));
    assert_eq!(served.control("POST", "reset", ""), (200, json!({})));
    let (status, gone) = served.sqs_at("/", HOME, "ReceiveMessage", &json!({ "QueueUrl": url }));
    assert_eq!((status, &gone["__type"]), (400, &json!("com.amazonaws.sqs#QueueDoesNotExist")));
    let again = served.create_queue(HOME, "q");
    assert_eq!((again.as_str(), served.receive(&again)), (url.as_str(), Value::Null));
}

#[test]
fn accounts_and_regions_stand_side_by_side() {
    let served = Served::start(&["--account", "999999999999", "--region", "eu-west-1"]);
    let callers: [Caller; 3] = [HOME, ("111111111111", "us-east-1"), ("111111111111", "eu-central-1")];
    let accounts = ["999999999999", "111111111111", "111111111111"];
    for (caller, account) in callers.into_iter().zip(accounts) {
        let url = served.create_queue(caller, "q");
        assert_eq!(url, format!("{}/{account}/q", served.url()));
        let send = json!({ "QueueUrl": url, "MessageBody": caller.1 });
        served.sqs(caller, "SendMessage", send);
        let asked = json!({ "QueueUrl": url, "AttributeNames": ["QueueArn"] });
        let found = served.sqs(caller, "GetQueueAttributes", asked);
        let arn = format!("arn:aws:sqs:{}:{account}:q", caller.1);
        assert_eq!(found["Attributes"]["QueueArn"], arn);
    }
    // One name, three queues, a message in each.
    for caller in callers {
        let listed = served.sqs(caller, "ListQueues", json!({}));
        assert_eq!(listed["QueueUrls"].as_array().map(Vec::len), Some(1), "{listed}");
        let url = listed["QueueUrls"][0].clone();
        let received = served.sqs(caller, "ReceiveMessage", json!({ "QueueUrl": url }));
        assert_eq!(received["Messages"][0]["Body"], caller.1);
        let more = served.sqs(caller, "ReceiveMessage", json!({ "QueueUrl": url }));
        assert_eq!(more, json!({}));
    }
    // Who signs for nobody is at home.
    let (_, answer) = served.ask(
        "POST",
        "/",
        "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.CreateQueue\r\n",
        r#"{"QueueName": "mine"}"#,
    );
    assert!(answer.contains("/999999999999/mine"), "{answer}");
}

#[test]
fn calls_are_taken_at_the_root_and_at_the_queues_path() {
    let served = Served::start(&[]);
    let url = served.create_queue(HOME, "q");
    let send = json!({ "QueueUrl": url, "MessageBody": "by its path" });
    let (status, answer) = served.sqs_at("/000000000000/q", HOME, "SendMessage", &send);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(served.receive(&url), "by its path");
}

#[test]
fn a_seed_makes_ids_repeatable() {
    let ids = [7, 7, 8].map(|seed: u64| {
        let served = Served::start(&["--seed", &seed.to_string()]);
        let url = served.create_queue(HOME, "q");
        let sent = served.sqs(HOME, "SendMessage", json!({ "QueueUrl": url, "MessageBody": "a" }));
        sent["MessageId"].clone()
    });
    assert_eq!(ids[0], ids[1]);
    assert_ne!(ids[0], ids[2]);
}
