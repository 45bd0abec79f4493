//! The asynchronous part: calls as clients make them, long polls, the clock's jumps, HTTP.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackDuration, StackTime};
use havoq_wire::{Head, Request, Response, Upstream, decode_error, decode_result};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::fact::Fact;
use crate::shell::{Outgoing, Places, Sandbox, Settings, serve};

type Facts = Arc<Mutex<Vec<(StackTime, Fact)>>>;

fn sandbox() -> (Sandbox, Facts) {
    sandbox_on(&Clock::new(Pace::Virtual, StackTime::from_secs(1_800_000_000), RunStart::now()))
}

fn sandbox_on(clock: &Clock) -> (Sandbox, Facts) {
    let facts = Facts::default();
    let sink = Arc::clone(&facts);
    let settings = Settings {
        clock: clock.clone(),
        seed: Seed(1),
        account: "123456789012".into(),
        region: "eu-central-1".into(),
        places: Places::One,
    };
    let record = move |at, fact| sink.lock().expect("no panic holds it").push((at, fact));
    let sandbox = Sandbox::new(settings, Box::new(record));
    sandbox.create_queue("q", &BTreeMap::from([("VisibilityTimeout".into(), "30".into())])).expect("created");
    (sandbox, facts)
}

fn request(operation: &str, params: &Value) -> Request {
    let request = http::Request::post("/")
        .header("host", "127.0.0.1:9324")
        .header("x-amz-target", format!("AmazonSQS.{operation}"))
        .header("content-type", "application/x-amz-json-1.0");
    request.body(Bytes::from(params.to_string())).expect("a valid request")
}

async fn call(sandbox: &Sandbox, operation: &str, params: Value) -> Response {
    sandbox.forward(request(operation, &params)).await.expect("an answer")
}

async fn ok(sandbox: &Sandbox, operation: &str, params: Value) -> Value {
    let response = call(sandbox, operation, params).await;
    assert_eq!(decode_error(&response), None);
    if response.body().is_empty() {
        return Value::Null;
    }
    serde_json::from_slice(response.body()).expect("JSON")
}

const URL: &str = "http://127.0.0.1:9324/123456789012/q";

/// Lets other tasks run until `test` holds.
async fn until(test: impl Fn() -> bool) {
    let waited = tokio::time::timeout(Duration::from_secs(10), async {
        while !test() {
            tokio::task::yield_now().await;
        }
    });
    waited.await.expect("it happens");
}

fn parked(sandbox: &Sandbox) -> usize {
    sandbox.freeze().parked_polls()
}

fn long_poll(sandbox: &Sandbox) -> tokio::task::JoinHandle<Value> {
    let sandbox = sandbox.clone();
    let params = json!({ "QueueUrl": URL, "WaitTimeSeconds": 20 });
    tokio::spawn(async move { ok(&sandbox, "ReceiveMessage", params).await })
}

#[tokio::test]
async fn queue_urls_have_the_host_that_the_client_came_by() {
    let (sandbox, _) = sandbox();
    let found = ok(&sandbox, "GetQueueUrl", json!({ "QueueName": "q" })).await;
    assert_eq!(found["QueueUrl"], URL);
    let sent = ok(&sandbox, "SendMessage", json!({ "QueueUrl": URL, "MessageBody": "a" })).await;
    let received = ok(&sandbox, "ReceiveMessage", json!({ "QueueUrl": URL })).await;
    assert_eq!(received["Messages"][0]["MessageId"], sent["MessageId"]);
}

#[tokio::test]
async fn a_trace_header_of_the_request_is_the_messages() {
    let (sandbox, _) = sandbox();
    let mut request = request("SendMessage", &json!({ "QueueUrl": URL, "MessageBody": "a" }));
    request.headers_mut().insert("x-amzn-trace-id", http::HeaderValue::from_static("Root=1"));
    sandbox.forward(request).await.expect("an answer");
    let input = json!({ "QueueUrl": URL, "MessageSystemAttributeNames": ["AWSTraceHeader"] });
    let received = ok(&sandbox, "ReceiveMessage", input).await;
    assert_eq!(received["Messages"][0]["Attributes"]["AWSTraceHeader"], "Root=1");
}

#[tokio::test]
async fn errors_come_in_wire_form() {
    let (sandbox, _) = sandbox();
    let code = async |operation: &str, params: Value| {
        decode_error(&call(&sandbox, operation, params).await).expect("an error").0
    };
    let other = format!("{URL}-none");
    assert_eq!(
        code("SendMessage", json!({ "QueueUrl": other })).await,
        "AWS.SimpleQueueService.NonExistentQueue"
    );
    assert_eq!(code("SendMessage", json!({ "QueueUrl": URL })).await, "MissingParameter");
    assert_eq!(code("SendMessage", json!({})).await, "MissingParameter");
    assert_eq!(code("SendMessage", json!({ "QueueUrl": "http://h/999/q" })).await, "InvalidAddress");
    assert_eq!(
        code("SendMessage", json!({ "QueueUrl": URL, "MessageBody": 1 })).await,
        "SerializationException"
    );
    assert_eq!(code("Nonsense", json!({})).await, "InvalidAction");
}

#[tokio::test]
async fn a_client_that_speaks_query_posts_forms_to_its_queue_and_is_answered_in_xml() {
    let (sandbox, _) = sandbox();
    let call = async |form: &str| {
        let request = http::Request::post("/123456789012/q")
            .header("host", "127.0.0.1:9324")
            .header("content-type", "application/x-www-form-urlencoded");
        let request =
            request.body(Bytes::from(format!("Version=2012-11-05&{form}"))).expect("a valid request");
        let head = Head::of(&request).expect("a call");
        let answer = sandbox.forward(request).await.expect("an answer");
        assert_eq!(answer.headers()["content-type"], "text/xml");
        decode_result(&head, &answer).ok_or_else(|| decode_error(&answer).expect("an error").0)
    };
    let sent = call(
        "Action=SendMessage&MessageBody=a%26b&MessageAttribute.1.Name=n&MessageAttribute.1.Value.DataType=String&MessageAttribute.1.Value.StringValue=v",
    );
    let sent = sent.await.expect("sent");
    let received =
        call("Action=ReceiveMessage&AttributeName.1=All&MessageAttributeName.1=n").await.expect("received");
    let message = &received["Messages"][0];
    assert_eq!((&message["MessageId"], &message["Body"]), (&sent["MessageId"], &json!("a&b")));
    assert_eq!(message["MD5OfMessageAttributes"], sent["MD5OfMessageAttributes"]);
    assert_eq!(message["Attributes"]["ApproximateReceiveCount"], "1");
    assert_eq!(message["MessageAttributes"]["n"]["StringValue"], "v");
    assert_eq!(call("Action=ReceiveMessage").await, Ok(json!({})));
    assert_eq!(call("Action=SendMessage").await, Err("MissingParameter".into()));
    assert_eq!(call("Action=ReceiveMessage&MaxNumberOfMessages=x").await, Err("MalformedInput".into()));
    let none = call("Action=PurgeQueue&QueueUrl=http%3A%2F%2Fh%2F123456789012%2Fnone").await;
    assert_eq!(none, Err("AWS.SimpleQueueService.NonExistentQueue".into()));
}

#[tokio::test]
async fn a_parked_poll_is_answered_by_a_send() {
    let (sandbox, _) = sandbox();
    let poll = long_poll(&sandbox);
    until(|| parked(&sandbox) == 1).await;
    sandbox.send("q", Outgoing { body: "a".into(), ..Outgoing::default() }).expect("sent");
    assert_eq!(parked(&sandbox), 0, "it counts no more as soon as it has its message");
    assert_eq!(poll.await.expect("answered")["Messages"][0]["Body"], "a");
}

#[tokio::test]
async fn a_poll_whose_caller_goes_away_is_taken_back() {
    let (sandbox, _) = sandbox();
    let poll = long_poll(&sandbox);
    until(|| parked(&sandbox) == 1).await;
    poll.abort();
    until(|| parked(&sandbox) == 0).await;
    sandbox.send("q", Outgoing { body: "a".into(), ..Outgoing::default() }).expect("sent");
    assert_eq!(sandbox.freeze().depth("q").map(|depth| depth.visible), Some(1));
}

#[tokio::test]
async fn a_jump_fires_timers_at_their_times_and_serves_parked_polls() {
    let (sandbox, facts) = sandbox();
    sandbox.send("q", Outgoing { body: "a".into(), ..Outgoing::default() }).expect("sent");
    ok(&sandbox, "ReceiveMessage", json!({ "QueueUrl": URL })).await;
    let poll = long_poll(&sandbox);
    until(|| parked(&sandbox) == 1).await;
    let due = {
        let mut frozen = sandbox.freeze();
        let due = frozen.next_delivery_timer().expect("a visibility timeout");
        assert!(frozen.next_timer().is_some_and(|next| next <= due));
        assert_eq!(frozen.queues().collect::<Vec<_>>(), ["q"]);
        let jump = frozen.jump_to(due).expect("it jumps");
        assert_eq!(jump.to, due);
        assert_eq!(frozen.parked_polls(), 0);
        due
    };
    let messages = &poll.await.expect("answered")["Messages"];
    assert_eq!(messages[0]["Body"], "a");
    let depths = facts.lock().expect("no panic holds it").iter().filter(|(at, _)| *at == due).count();
    assert_eq!(depths, 0, "from in flight to in flight no count has changed");
}

#[tokio::test]
async fn run_fires_timers_without_any_call_and_wakes_for_earlier_ones() {
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_800_000_000), RunStart::now());
    let (sandbox, facts) = sandbox_on(&clock);
    let runner = tokio::spawn(sandbox.clone().run());
    tokio::task::yield_now().await;
    let delay = Some(StackDuration::from_secs(600));
    sandbox.send("q", Outgoing { body: "a".into(), delay, ..Outgoing::default() }).expect("sent");
    tokio::task::yield_now().await;
    clock.jump_to(clock.now() + StackDuration::from_secs(600));
    until(|| facts.lock().expect("no panic holds it").len() == 2).await;
    runner.abort();
}

#[tokio::test]
async fn in_process_calls_do_what_http_does() {
    let (sandbox, facts) = sandbox();
    let dlq = sandbox.create_queue("dlq", &BTreeMap::new()).expect("created");
    let policy = json!({ "deadLetterTargetArn": dlq, "maxReceiveCount": 1 }).to_string();
    sandbox.create_queue("s", &BTreeMap::from([("RedrivePolicy".into(), policy)])).expect("created");
    assert_eq!(sandbox.move_task("none"), None);
    let task = sandbox.start_move_task(&dlq, None, Some(500)).expect("started");
    {
        let mut frozen = sandbox.freeze();
        assert!(frozen.move_task_running());
        let next = frozen.next_delivery_timer().expect("a step");
        frozen.jump_to(next);
        assert!(!frozen.move_task_running());
    }
    assert_eq!(sandbox.move_task(&task).map(|task| task.moved), Some(0));
    let attributes = vec![("havoq-id".to_owned(), "m-1".to_owned())];
    sandbox.send("q", Outgoing { body: "a".into(), attributes, ..Outgoing::default() }).expect("sent");
    let members = json!({ "QueueUrl": URL, "MessageAttributeNames": ["All"] });
    let received = ok(&sandbox, "ReceiveMessage", members).await;
    assert_eq!(received["Messages"][0]["MessageAttributes"]["havoq-id"]["StringValue"], "m-1");
    assert!(matches!(facts.lock().expect("no panic holds it")[0].1, Fact::MoveTaskEnded { .. }));
}

#[tokio::test]
async fn it_serves_http_with_connections_kept_alive() {
    let (sandbox, _) = sandbox();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = tokio::spawn(serve(listener, Arc::new(sandbox.clone())));
    let mut client = tokio::net::TcpStream::connect(address).await.expect("a connection");
    for path in ["/", "/123456789012/q"] {
        let body = json!({ "QueueUrl": URL, "MessageBody": "a" }).to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\nx-amz-target: AmazonSQS.SendMessage\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        client.write_all((head + &body).as_bytes()).await.expect("written");
        let mut answer = vec![0; 4096];
        let read = client.read(&mut answer).await.expect("an answer");
        assert!(
            answer[..read].starts_with(b"HTTP/1.1 200 OK"),
            "{}",
            String::from_utf8_lossy(&answer[..read])
        );
    }
    let params = json!({ "QueueUrl": URL, "WaitTimeSeconds": 20 }).to_string();
    sandbox.freeze().depth("q").expect("a queue");
    assert_eq!(
        ok(&sandbox, "PurgeQueue", json!({ "QueueUrl": URL })).await,
        Value::Null,
        "no output, no body"
    );
    let head = format!(
        "POST / HTTP/1.1\r\nhost: h\r\nx-amz-target: AmazonSQS.ReceiveMessage\r\ncontent-length: {}\r\n\r\n{params}",
        params.len()
    );
    client.write_all(head.as_bytes()).await.expect("written");
    until(|| parked(&sandbox) == 1).await;
    drop(client);
    until(|| parked(&sandbox) == 0).await;
    server.abort();
}
