//! What the sandbox can be told besides its services' calls: to move its clock on, to forget.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackDuration, StackTime};
use havoq_wire::{Response, Upstream, decode_error};
use serde_json::{Value, json};

use crate::fact::Fact;
use crate::shell::{Outgoing, Places, Sandbox, Settings};

type Facts = Arc<Mutex<Vec<(StackTime, Fact)>>>;

fn sandbox() -> (Sandbox, Facts) {
    let facts = Facts::default();
    let sink = Arc::clone(&facts);
    let settings = Settings {
        clock: Clock::new(Pace::Real, StackTime::from_secs(1_800_000_000), RunStart::now()),
        seed: Seed(1),
        account: "000000000000".into(),
        region: "us-east-1".into(),
        places: Places::Many,
    };
    let record = move |at, fact| sink.lock().expect("no panic holds it").push((at, fact));
    (Sandbox::new(settings, Box::new(record)), facts)
}

fn queue(sandbox: &Sandbox, name: &str, visibility: u64) {
    let attributes = BTreeMap::from([("VisibilityTimeout".to_owned(), visibility.to_string())]);
    sandbox.create_queue(name, &attributes).expect("created");
}

async fn call(sandbox: &Sandbox, operation: &str, params: Value) -> Response {
    let request = http::Request::post("/")
        .header("host", "127.0.0.1:9324")
        .header("x-amz-target", format!("AmazonSQS.{operation}"))
        .header("content-type", "application/x-amz-json-1.0")
        .body(Bytes::from(params.to_string()));
    sandbox.forward(request.expect("a valid request")).await.expect("an answer")
}

async fn receive(sandbox: &Sandbox, queue: &str, wait: u64) -> Value {
    let url = format!("http://127.0.0.1:9324/000000000000/{queue}");
    let response = call(sandbox, "ReceiveMessage", json!({ "QueueUrl": url, "WaitTimeSeconds": wait })).await;
    serde_json::from_slice(response.body()).expect("JSON")
}

fn send(sandbox: &Sandbox, queue: &str) {
    sandbox.send(queue, Outgoing { body: "a".into(), ..Outgoing::default() }).expect("sent");
}

#[tokio::test]
async fn a_real_clock_moved_on_ends_timeouts_in_their_order() {
    let (sandbox, facts) = sandbox();
    queue(&sandbox, "late", 180);
    queue(&sandbox, "early", 60);
    for name in ["late", "early"] {
        send(&sandbox, name);
        assert_eq!(receive(&sandbox, name, 0).await["Messages"][0]["Body"], "a");
        assert_eq!(receive(&sandbox, name, 0).await, json!({}));
    }
    facts.lock().expect("no panic holds it").clear();

    let before = sandbox.now();
    let now = sandbox.advance_clock(StackDuration::from_secs(180)).await;
    assert!(now >= before + StackDuration::from_secs(180));
    let visible: Vec<(StackTime, String)> = facts
        .lock()
        .expect("no panic holds it")
        .iter()
        .filter_map(|(at, fact)| match fact {
            Fact::Depth { queue, depth } if depth.visible == 1 => Some((*at, queue.clone())),
            _ => None,
        })
        .collect();
    let names: Vec<&str> = visible.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["early", "late"]);
    assert!(visible[0].0 < visible[1].0 && visible[1].0 <= now);
    assert_eq!(receive(&sandbox, "late", 0).await["Messages"][0]["Body"], "a");
}

#[tokio::test]
async fn others_get_their_turn_while_the_clock_moves_a_long_way() {
    let (sandbox, _) = sandbox();
    let (before, days) = (sandbox.now(), StackDuration::from_secs(30 * 86_400));
    let advance = tokio::spawn({
        let sandbox = sandbox.clone();
        async move { sandbox.advance_clock(days).await }
    });
    tokio::task::yield_now().await;
    // All is on one thread: it would be over by now.
    assert!(sandbox.now() < before + days);
    queue(&sandbox, "q", 30);
    send(&sandbox, "q");
    assert!(advance.await.expect("no panic") >= before + days);
}

#[tokio::test]
async fn a_reset_forgets_everything_and_lets_long_polls_go() {
    let (sandbox, _) = sandbox();
    queue(&sandbox, "q", 30);
    queue(&sandbox, "other", 30);
    send(&sandbox, "other");
    let poll = tokio::spawn({
        let sandbox = sandbox.clone();
        async move { receive(&sandbox, "q", 20).await }
    });
    while sandbox.freeze().parked_polls() == 0 {
        tokio::task::yield_now().await;
    }
    sandbox.reset();
    let answered = tokio::time::timeout(Duration::from_secs(10), poll).await.expect("at once");
    assert_eq!(answered.expect("no panic"), json!({}));
    assert_eq!(sandbox.freeze().queues().count(), 0);

    let url = "http://127.0.0.1:9324/000000000000/q";
    let gone = call(&sandbox, "SendMessage", json!({ "QueueUrl": url, "MessageBody": "a" })).await;
    assert_eq!(decode_error(&gone).expect("an error").0, "AWS.SimpleQueueService.NonExistentQueue");
    // Also not as recently deleted.
    queue(&sandbox, "other", 30);
    assert_eq!(receive(&sandbox, "other", 0).await, json!({}));
}

/// A poll from before may be taken back after the reset, when others are parked.
#[tokio::test]
async fn a_poll_from_before_a_reset_takes_no_later_one_with_it() {
    let (sandbox, _) = sandbox();
    let parked = |name: &'static str| {
        queue(&sandbox, name, 30);
        let sandbox = sandbox.clone();
        tokio::spawn(async move { receive(&sandbox, name, 20).await })
    };
    let before = parked("before");
    while sandbox.freeze().parked_polls() == 0 {
        tokio::task::yield_now().await;
    }
    sandbox.reset();
    let after = parked("after");
    assert_eq!(before.await.expect("no panic"), json!({}));
    while sandbox.freeze().parked_polls() == 0 {
        tokio::task::yield_now().await;
    }
    send(&sandbox, "after");
    assert_eq!(after.await.expect("no panic")["Messages"][0]["Body"], "a");
}
