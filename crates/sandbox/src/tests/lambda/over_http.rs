//! Lambda as clients reach it, with functions that run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackDuration, StackTime};
use havoq_lambda::{Functions, Invocation, Returned, Running};
use havoq_wire::{Request, Response, Service, Upstream, decode_error};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{ROLE, ZIP};
use crate::fact::Fact;
use crate::shell::{Outgoing, Places, Sandbox, Settings};

/// Functions that give back what they are given; one called `hang` never ends.
#[derive(Clone, Default)]
struct Echo {
    begun: Arc<Notify>,
    aborted: Arc<Notify>,
}

struct TellsWhenDropped(Arc<Notify>);

impl Drop for TellsWhenDropped {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl Functions for Echo {
    fn invoke(&self, invocation: Invocation) -> Running {
        let Self { begun, aborted } = self.clone();
        Box::pin(async move {
            if invocation.function.name == "hang" {
                let _told = TellsWhenDropped(aborted);
                begun.notify_one();
                std::future::pending::<()>().await;
            }
            Returned::Response(invocation.payload)
        })
    }
}

struct Here {
    sandbox: Sandbox,
    facts: Arc<Mutex<Vec<Fact>>>,
}

fn here() -> Here {
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_800_000_000), RunStart::now());
    let facts = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&facts);
    let settings = Settings {
        clock,
        seed: Seed(1),
        account: "123456789012".into(),
        region: "eu-central-1".into(),
        places: Places::One,
    };
    let record = move |_, fact| sink.lock().expect("no panic holds it").push(fact);
    let sandbox = Sandbox::new(settings, Box::new(record));
    tokio::spawn(sandbox.clone().run());
    Here { sandbox, facts }
}

fn request(method: &str, path: &str, body: impl Into<Bytes>) -> Request {
    http::Request::builder()
        .method(method)
        .uri(path)
        .header("host", "127.0.0.1:9324")
        .header("authorization", "AWS4-HMAC-SHA256 Credential=key/20270115/eu-central-1/lambda/aws4_request")
        .body(body.into())
        .expect("a request")
}

impl Here {
    async fn send(&self, request: Request) -> Response {
        self.sandbox.forward(request).await.expect("an answer")
    }

    async fn ok(&self, method: &str, path: &str, body: Value) -> Value {
        let response = self.send(request(method, path, body.to_string())).await;
        assert_eq!(decode_error(&response), None, "{path}");
        serde_json::from_slice(response.body()).unwrap_or_default()
    }

    async fn create(&self, name: &str) {
        let created = self
            .ok("POST", "/2015-03-31/functions", json!({
                "FunctionName": name, "Role": ROLE, "Runtime": "python3.13", "Handler": "h.h", "Timeout": 30,
                "Code": { "ZipFile": ZIP },
            }))
            .await;
        assert_eq!(created["State"], "Active");
    }

    async fn invoke(&self, name: &str, kind: &str, payload: &'static str) -> Response {
        let path = format!("/2015-03-31/functions/{name}/invocations");
        let mut request = request("POST", &path, payload);
        let kind = http::HeaderValue::try_from(kind).expect("a header");
        request.headers_mut().insert("x-amz-invocation-type", kind);
        self.send(request).await
    }

    async fn until(&self, test: impl Fn(&[Fact]) -> bool) {
        let waited = tokio::time::timeout(Duration::from_secs(10), async {
            while !test(&self.facts.lock().expect("no panic holds it")) {
                tokio::task::yield_now().await;
            }
        });
        waited.await.expect("it happens");
    }
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    response.headers().get(name).and_then(|value| value.to_str().ok())
}

#[tokio::test]
async fn a_synchronous_call_answers_with_the_function_s_payload_and_headers() {
    let here = here();
    here.sandbox.set_functions(Arc::new(Echo::default()));
    here.create("f").await;
    let response = here.invoke("f", "RequestResponse", r#"{"a": 1}"#).await;
    assert_eq!((response.status().as_u16(), &response.body()[..]), (200, &br#"{"a": 1}"#[..]));
    assert_eq!(header(&response, "x-amz-executed-version"), Some("$LATEST"));
    assert_eq!(header(&response, "x-amz-function-error"), None);
}

#[tokio::test]
async fn a_function_is_deleted_with_204_and_an_empty_body() {
    let here = here();
    here.create("f").await;
    for status in [204, 404] {
        let response = here.send(request("DELETE", "/2015-03-31/functions/f", "")).await;
        assert_eq!(response.status().as_u16(), status);
        assert_eq!(response.body().is_empty(), status == 204);
    }
}

#[tokio::test]
async fn an_asynchronous_call_answers_202_with_an_empty_body_and_a_dry_run_204() {
    let here = here();
    here.sandbox.set_functions(Arc::new(Echo::default()));
    here.create("f").await;
    for (kind, status) in [("Event", 202), ("DryRun", 204)] {
        let response = here.invoke("f", kind, "{}").await;
        assert_eq!((response.status().as_u16(), response.body().len()), (status, 0));
    }
    let is_good = |fact: &Fact| matches!(fact, Fact::InvocationEnded { returned: Returned::Response(_), .. });
    here.until(|facts| facts.iter().any(is_good)).await;
}

#[tokio::test]
async fn who_holds_the_sandbox_invokes_without_http_with_payloads_in_base64() {
    let here = here();
    here.sandbox.set_functions(Arc::new(Echo::default()));
    here.create("f").await;
    let input = json!({ "FunctionName": "f", "Payload": "eyJhIjoxfQ==" });
    let answer = here.sandbox.call(Service::Lambda, "Invoke", &input).await.expect("it is invoked");
    assert_eq!(answer, json!({ "StatusCode": 200, "ExecutedVersion": "$LATEST", "Payload": "eyJhIjoxfQ==" }));
}

#[tokio::test]
async fn without_anything_that_runs_functions_an_invocation_says_so() {
    let here = here();
    here.create("f").await;
    let response = here.invoke("f", "RequestResponse", "{}").await;
    assert_eq!(
        (response.status().as_u16(), header(&response, "x-amz-function-error")),
        (200, Some("Unhandled"))
    );
    let payload: Value = serde_json::from_slice(response.body()).expect("JSON");
    assert_eq!(payload["errorType"], "Havoq.NotRun");
    assert!(
        payload["errorMessage"].as_str().is_some_and(|text| text.ends_with("this sandbox runs no functions"))
    );
}

#[tokio::test]
async fn a_function_that_hangs_is_aborted_at_its_timeout_on_the_stack_s_clock() {
    let here = here();
    let echo = Echo::default();
    here.sandbox.set_functions(Arc::new(echo.clone()));
    here.create("hang").await;
    let advance = async {
        echo.begun.notified().await;
        here.sandbox.advance_clock(StackDuration::from_secs(30)).await;
    };
    let (response, ()) = tokio::join!(here.invoke("hang", "RequestResponse", "{}"), advance);
    assert!(String::from_utf8_lossy(response.body()).contains("Task timed out after 30.00 seconds"));
    tokio::time::timeout(Duration::from_secs(10), echo.aborted.notified()).await.expect("it is dropped");
}

#[tokio::test]
async fn a_reset_aborts_functions_and_answers_their_callers() {
    let here = here();
    let echo = Echo::default();
    here.sandbox.set_functions(Arc::new(echo.clone()));
    here.create("hang").await;
    let reset = async {
        echo.begun.notified().await;
        here.sandbox.reset();
    };
    let (response, ()) = tokio::join!(here.invoke("hang", "RequestResponse", "{}"), reset);
    assert_eq!(response.status().as_u16(), 500);
    tokio::time::timeout(Duration::from_secs(10), echo.aborted.notified()).await.expect("it is dropped");
}

#[tokio::test]
async fn a_mapping_feeds_a_function_from_a_queue() {
    let here = here();
    here.sandbox.set_functions(Arc::new(Echo::default()));
    here.create("f").await;
    here.sandbox.create_queue("q", &BTreeMap::new()).expect("created");
    let mapping = json!({ "EventSourceArn": "arn:aws:sqs:eu-central-1:123456789012:q", "FunctionName": "f" });
    let created = here.ok("POST", "/2015-03-31/event-source-mappings", mapping).await;
    assert_eq!(created["State"], "Creating");
    let sent = here.sandbox.send("q", Outgoing { body: "a".into(), ..Outgoing::default() }).expect("sent");
    here.until(|facts| {
        facts
            .iter()
            .any(|fact| matches!(fact, Fact::BatchSettled { deleted, .. } if deleted[..] == [sent.clone()]))
    })
    .await;
}

#[tokio::test]
async fn names_in_paths_and_errors_are_those_of_the_api() {
    let here = here();
    here.create("f").await;
    let arn = "arn%3Aaws%3Alambda%3Aeu-central-1%3A123456789012%3Afunction%3Af";
    let got = here.ok("GET", &format!("/2015-03-31/functions/{arn}/configuration"), Value::Null).await;
    assert_eq!(got["FunctionName"], "f");
    here.ok("POST", &format!("/2017-03-31/tags/{arn}"), json!({ "Tags": { "a": "b" } })).await;
    let tags = here.ok("GET", &format!("/2017-03-31/tags/{arn}"), Value::Null).await;
    assert_eq!(tags, json!({ "Tags": { "a": "b" } }));
    let response = here.send(request("GET", "/2015-03-31/functions/g", "")).await;
    assert_eq!(response.status().as_u16(), 404);
    let error = decode_error(&response).expect("an error");
    assert_eq!(error.0, "ResourceNotFoundException");
}
