//! What clients and stacks do on the wire, all of which a tap must pass on as it is meant.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;

use serde_json::{Value, json};

use super::{Tapped, call};
use crate::sandbox_command::Served;
use crate::support::{provided, root};

/// The status and the body of the next answer of a connection that goes on.
fn next(answers: &mut impl BufRead) -> (String, String) {
    let (mut status, mut length) = (String::new(), 0);
    answers.read_line(&mut status).expect("a status");
    loop {
        let mut line = String::new();
        answers.read_line(&mut line).expect("a header");
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    answers.read_exact(&mut body).expect("a body");
    (status.trim().to_owned(), String::from_utf8(body).expect("text"))
}

fn send(url: &str, body: &str) -> String {
    json!({ "QueueUrl": url, "MessageBody": body }).to_string()
}

/// All bodies that wait in the queue.
fn bodies(tap: &Tapped, url: &str) -> Vec<String> {
    let received = tap.sqs("ReceiveMessage", &json!({ "QueueUrl": url, "MaxNumberOfMessages": 10 }));
    let messages = received["Messages"].as_array().cloned().unwrap_or_default();
    let mut bodies: Vec<String> =
        messages.iter().filter_map(|message| message["Body"].as_str().map(str::to_owned)).collect();
    bodies.sort();
    bodies
}

#[test]
fn requests_follow_each_other_on_one_connection_and_ahead_of_the_answers() {
    let sandbox = Served::start(&[]);
    let tap = Tapped::before(&sandbox.url());
    let url = tap.queue();
    let stream = tap.connect();
    let mut answers = BufReader::new(stream.try_clone().expect("a second handle"));
    for body in ["one", "two"] {
        (&stream).write_all(call("SendMessage", "", &send(&url, body)).as_bytes()).expect("sent");
        assert_eq!(next(&mut answers).0, "HTTP/1.1 200 OK");
    }
    let ahead = [
        call("SendMessage", "", &send(&url, "three")),
        call("GetQueueUrl", "", r#"{"QueueName":"none"}"#),
        call("GetQueueUrl", "", r#"{"QueueName":"q"}"#),
    ];
    (&stream).write_all(ahead.concat().as_bytes()).expect("sent");
    assert!(next(&mut answers).1.contains("MessageId"));
    assert!(next(&mut answers).1.contains("QueueDoesNotExist"));
    assert!(next(&mut answers).1.contains(&url.replace(&tap.address.to_string(), "localhost")));
    assert_eq!(bodies(&tap, &url), ["one", "three", "two"]);
}

#[test]
fn a_body_in_chunks_arrives_whole() {
    let sandbox = Served::start(&[]);
    let tap = Tapped::before(&sandbox.url());
    let url = tap.queue();
    let body = send(&url, "chunked");
    let (first, second) = body.split_at(10);
    let head = call("SendMessage", "Connection: close\r\nTransfer-Encoding: chunked\r\n", "");
    let head = head.replace("Content-Length: 0\r\n", "");
    let chunks = format!(
        "{:x}\r\n{first}\r\n{:x};x=y\r\n{second}\r\n0\r\nX-Trailer: t\r\n\r\n",
        first.len(),
        second.len()
    );
    let answer = tap.raw(format!("{head}{chunks}").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(bodies(&tap, &url), ["chunked"]);
}

#[test]
fn who_waits_to_be_asked_for_the_body_is_asked() {
    let sandbox = Served::start(&[]);
    let tap = Tapped::before(&sandbox.url());
    let url = tap.queue();
    let body = send(&url, "expected");
    let request = call("SendMessage", "Expect: 100-continue\r\n", &body);
    let (head, _) = request.split_at(request.len() - body.len());
    let stream = tap.connect();
    let mut answers = BufReader::new(stream.try_clone().expect("a second handle"));
    (&stream).write_all(head.as_bytes()).expect("sent");
    assert_eq!(next(&mut answers).0, "HTTP/1.1 100 Continue");
    (&stream).write_all(body.as_bytes()).expect("sent");
    assert_eq!(next(&mut answers).0, "HTTP/1.1 200 OK");
    assert_eq!(bodies(&tap, &url), ["expected"]);
}

#[test]
fn what_is_larger_than_any_call_is_refused_in_the_form_of_the_protocol() {
    let sandbox = Served::start(&[]);
    let tap = Tapped::before(&sandbox.url());
    let huge = "x".repeat((16 << 20) + 1);
    let answer = tap.raw(call("SendMessage", "Connection: close\r\n", &huge).as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert!(answer.contains("#RequestEntityTooLarge") && answer.contains("larger than 16 MiB"), "{answer}");
    let called = tap.event("called", Some("SendMessage"));
    assert_eq!((&called["status"], &called["error"]), (&json!(413), &json!("RequestEntityTooLarge")));
}

/// A gzip file whose one block is not compressed.
fn zipped(plain: &[u8]) -> Vec<u8> {
    let mut crc = !0_u32;
    for byte in plain {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    let length = u16::try_from(plain.len()).expect("it fits one block");
    let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    file.extend(length.to_le_bytes());
    file.extend((!length).to_le_bytes());
    file.extend(plain);
    file.extend((!crc).to_le_bytes());
    file.extend(u32::from(length).to_le_bytes());
    file
}

/// A stack that zips its answers, whether the client takes that or not.
fn zips(answer: &'static str) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let (mut stream, _): (TcpStream, _) = listener.accept().expect("a client");
        let mut request = BufReader::new(stream.try_clone().expect("a second handle"));
        next(&mut request);
        let body = zipped(answer.as_bytes());
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Encoding: gzip\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(&[head.as_bytes(), &body].concat()).expect("answered");
    });
    address
}

/// A receive that cannot be read on its way would be missing in the history.
#[test]
fn an_answer_that_a_stack_zips_is_read_and_passed_on_plain() {
    let answer = r#"{"Messages":[{"MessageId":"m","ReceiptHandle":"r","Body":"b"}]}"#;
    let tap = Tapped::before(&format!("http://{}", zips(answer)));
    let asked = r#"{"QueueUrl":"http://localhost/1/q"}"#;
    let told = tap.raw(call("ReceiveMessage", "Connection: close\r\n", asked).as_bytes());
    assert!(told.ends_with(answer) && !told.contains("gzip"), "{told}");
    assert_eq!(tap.event("received", None)["messages"][0]["message_id"], "m");
}

/// SDKs compress large metric data by themselves.
#[test]
fn a_request_that_an_sdk_zips_passes_as_it_is() {
    let Some(python) = provided("HAVOQ_TEST_PYTHON") else { return };
    let sandbox = Served::start(&[]);
    let tap = Tapped::before(&sandbox.url());
    let script = root().join("tests/clients/zipped.py");
    let ran = Command::new(python).arg(script).arg(tap.url()).output().expect("it can be run");
    let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success() && said.contains("all is well"), "{said}");
    let put = tap.event("called", Some("PutMetricData"));
    assert!(put["call"]["request_bytes"].as_u64() < Some(3_000) && put["error"] == Value::Null, "{put}");
}

#[test]
fn three_hundred_polls_wait_side_by_side() {
    let sandbox = Served::start(&[]);
    let tap = Tapped::before(&sandbox.url());
    let url = tap.queue();
    let poll = json!({ "QueueUrl": url, "WaitTimeSeconds": 20, "MaxNumberOfMessages": 1 }).to_string();
    let streams: Vec<TcpStream> = (0..300).map(|_| tap.connect()).collect();
    for mut stream in &streams {
        stream.write_all(call("ReceiveMessage", "", &poll).as_bytes()).expect("sent");
    }
    // Each of them is answered by a message, so none waits for its whole 20 s.
    for _ in 0..30 {
        let entries: Vec<Value> =
            (0..10).map(|id| json!({ "Id": id.to_string(), "MessageBody": "m" })).collect();
        tap.sqs("SendMessageBatch", &json!({ "QueueUrl": url, "Entries": entries }));
    }
    let mut ids = std::collections::HashSet::new();
    for stream in streams {
        let (status, body) = next(&mut BufReader::new(stream));
        let body: Value = serde_json::from_str(&body).expect("JSON");
        assert_eq!(status, "HTTP/1.1 200 OK", "{body}");
        ids.insert(body["Messages"][0]["MessageId"].as_str().expect("a message").to_owned());
    }
    assert_eq!(ids.len(), 300, "each has one of its own");
    let received = tap.events().into_iter().filter(|event| event["kind"] == "received");
    assert_eq!(received.count(), 300);
}
