//! Faults of a tap on its own: from a file, and added, listed and removed while it runs.

use std::io::{ErrorKind, Read, Write};

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::{Tapped, call};
use crate::sandbox_command::Served;
use crate::support::Havoq;

impl Tapped {
    /// The status and the body of a call of the tap's own.
    fn own(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let length = body.len();
        let request = format!(
            "{method} /_havoq/{path} HTTP/1.1\r\nHost: tap\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let answer = self.raw(request.as_bytes());
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, serde_json::from_str(body).expect("JSON"))
    }

    /// The status of the answer; none where the connection was reset.
    fn status_of(&self, operation: &str, input: &Value) -> Option<u16> {
        let mut stream = self.connect();
        stream
            .write_all(call(operation, "Connection: close\r\n", &input.to_string()).as_bytes())
            .expect("sent");
        let mut answer = String::new();
        match stream.read_to_string(&mut answer) {
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
            read => read.expect("an answer"),
        };
        Some(answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"))
    }
}

#[test]
fn faults_come_from_a_file_and_are_told_with_their_firings() {
    let stack = Served::start(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("faults.yaml");
    std::fs::write(&file, "- { does: throttle, call: ListQueues, times: 2 }\n").expect("a file");
    let file = file.display().to_string();
    let tap = Tapped::start(&["--upstream", &stack.url(), "--faults", &file, "--seed", "7"], &[]);
    let list = || tap.status_of("ListQueues", &json!({}));
    assert_eq!([list(), list(), list()], [Some(403), Some(403), Some(200)]);
    let (_, armed) = tap.own("GET", "faults", "");
    assert_eq!(
        (&armed[0]["id"], &armed[0]["does"], &armed[0]["fired"]),
        (&json!("fault-1"), &json!("throttle"), &json!(2))
    );
    let (_, firings) = tap.own("GET", "firings", "");
    assert_eq!(firings.as_array().map(Vec::len), Some(2));
    assert_eq!((&firings[0]["fault"], &firings[0]["operation"]), (&json!("fault-1"), &json!("ListQueues")));
    assert_eq!(tap.own("GET", "health", "").1["seed"], 7);
    let fired = tap.events().into_iter().filter(|event| event["kind"] == "fault_fired").count();
    assert_eq!(fired, 2);
    assert_eq!(tap.end(Signal::SIGTERM).code, Some(0));
}

#[test]
fn faults_are_added_and_removed_while_it_runs() {
    let stack = Served::start(&[]);
    let tap = Tapped::before(&stack.url());
    let list = || tap.status_of("ListQueues", &json!({}));
    assert_eq!(list(), Some(200));
    let (status, added) = tap.own("POST", "faults", "{ does: denied, call: ListQueues }");
    assert_eq!((status, &added["ids"]), (201, &json!(["fault-1"])));
    assert_eq!(list(), Some(403));
    let rules = r#"[{"service":"sqs","operation":"GetQueueUrl","error":{"statusCode":502,"code":"Oops"}}]"#;
    assert_eq!(tap.own("POST", "faults", rules).1["ids"], json!(["fault-2"]));
    assert_eq!(tap.status_of("GetQueueUrl", &json!({ "QueueName": "q" })), Some(502));
    assert_eq!(tap.own("DELETE", "faults/fault-1", ""), (200, json!({ "id": "fault-1", "fired": 1 })));
    assert_eq!(list(), Some(200));
    assert_eq!(tap.own("DELETE", "faults/fault-1", "").0, 404);
    assert_eq!(tap.own("POST", "faults", "- { does: reset, call: ListQueues }").0, 201);
    assert_eq!(list(), None);
    let (status, bad) = tap.own("POST", "faults", "{ does: throttel }");
    assert_eq!(status, 400);
    let told = bad["message"].as_str().expect("a message");
    assert!(
        told.contains("`throttel` is not a kind of fault") && told.contains("did you mean `throttle`?"),
        "{told}"
    );
    let (status, bad) = tap.own("POST", "faults", "{ does: swallow, of: victim }");
    assert!(
        status == 400 && bad["message"].as_str().is_some_and(|told| told.contains("knows no labels")),
        "{bad}"
    );
    assert_eq!(tap.own("PUT", "faults", "").0, 405);
}

#[test]
fn a_file_of_faults_that_does_not_do_is_refused_before_it_listens() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("faults.yaml");
    for (text, told) in [
        ("- { does: throttle, call: ListQueus }", "did you mean `ListQueues`?"),
        ("[{\"service\":\"s3\"}]", "the service s3 is not understood"),
        ("- { does: throttle, times: 0 }", "out of range"),
        ("- 7", "a mapping"),
    ] {
        std::fs::write(&file, text).expect("a file");
        let file = file.display().to_string();
        let ran = Havoq::new(&["tap", "--upstream", "http://127.0.0.1:9", "--faults", &file]).ran();
        assert_eq!(ran.code, Some(2), "{text}: {}", ran.all());
        assert!(ran.stderr.contains(told), "{text}: {}", ran.all());
    }
}
