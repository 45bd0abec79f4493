//! SNS as clients reach it, and HTTP endpoints as they are reached.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RealDuration, RunStart, Seed, StackDuration, StackTime};
use havoq_wire::{Forwarding, Request, Response, Upstream, decode_error};
use serde_json::{Value, json};

use super::topic_arn;
use crate::fact::Fact;
use crate::shell::{Places, Sandbox, Settings, Subscribing, serve};
use crate::targets::Outage;

struct Here {
    sandbox: Sandbox,
    clock: Clock,
    facts: Arc<Mutex<Vec<Fact>>>,
}

fn here() -> Here {
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_800_000_000), RunStart::now());
    let facts = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&facts);
    let settings = Settings {
        clock: clock.clone(),
        seed: Seed(1),
        account: "123456789012".into(),
        region: "eu-central-1".into(),
        places: Places::One,
    };
    let record = move |_, fact| sink.lock().expect("no panic holds it").push(fact);
    Here { sandbox: Sandbox::new(settings, Box::new(record)), clock, facts }
}

impl Here {
    async fn forward(&self, request: http::Request<Bytes>) -> Response {
        self.sandbox.forward(request).await.expect("an answer")
    }

    /// Posts a form, as an SDK does.
    async fn call(&self, form: &str) -> Response {
        let request = http::Request::post("/")
            .header("host", "127.0.0.1:9324")
            .header("authorization", "AWS4-HMAC-SHA256 Credential=key/20270115/eu-central-1/sns/aws4_request")
            .header("content-type", "application/x-www-form-urlencoded; charset=utf-8");
        self.forward(request.body(Bytes::from(format!("{form}&Version=2010-03-31"))).expect("a request"))
            .await
    }

    /// The text of the answer's one element of this name.
    async fn ok(&self, form: &str, element: &str) -> String {
        let response = self.call(form).await;
        assert_eq!(decode_error(&response), None, "{form}");
        inner(&response, element)
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

fn inner(response: &Response, element: &str) -> String {
    let text = String::from_utf8_lossy(response.body()).into_owned();
    let (start, end) = (format!("<{element}>"), format!("</{element}>"));
    let inner = text.split_once(&start).and_then(|(_, rest)| rest.split_once(&end));
    inner.unwrap_or_else(|| panic!("{element} in {text}")).0.to_owned()
}

#[tokio::test]
async fn a_topic_is_made_subscribed_and_published_to_in_the_query_protocol() {
    let here = here();
    here.sandbox.create_queue("q", &queue_policy()).expect("created");
    let attributes = "&Attributes.entry.1.key=DisplayName&Attributes.entry.1.value=d";
    let topic = here.ok(&format!("Action=CreateTopic&Name=t{attributes}"), "TopicArn").await;
    assert_eq!(topic, topic_arn("t"));
    let endpoint = "arn:aws:sqs:eu-central-1:123456789012:q";
    let subscribe = format!(
        "Action=Subscribe&TopicArn={topic}&Protocol=sqs&Endpoint={endpoint}&Attributes.entry.1.key=RawMessageDelivery\
         &Attributes.entry.1.value=true"
    );
    let sub = here.ok(&subscribe, "SubscriptionArn").await;
    let publish = format!(
        "Action=Publish&TopicArn={topic}&Message=hello&MessageAttributes.entry.1.Name=a\
         &MessageAttributes.entry.1.Value.DataType=String&MessageAttributes.entry.1.Value.StringValue=b"
    );
    here.ok(&publish, "MessageId").await;
    let batch = format!(
        "Action=PublishBatch&TopicArn={topic}&PublishBatchRequestEntries.member.1.Id=1\
         &PublishBatchRequestEntries.member.1.Message=a"
    );
    assert_eq!(here.ok(&batch, "Id").await, "1");
    let shown = here.call(&format!("Action=GetSubscriptionAttributes&SubscriptionArn={sub}")).await;
    let text = String::from_utf8_lossy(shown.body()).into_owned();
    assert!(text.contains("<entry><key>RawMessageDelivery</key><value>true</value></entry>"), "{text}");
    here.ok("Action=ListTopics", "TopicArn").await;
    here.call(&format!("Action=Unsubscribe&SubscriptionArn={sub}")).await;
    assert_eq!(here.sandbox.freeze().depth("q").map(|depth| depth.visible), Some(2));
}

#[tokio::test]
async fn errors_come_in_wire_form() {
    let here = here();
    for (form, code, message, status) in [
        (
            format!("Action=GetTopicAttributes&TopicArn={}", topic_arn("none")),
            "NotFound",
            "Topic does not exist",
            404,
        ),
        ("Action=CreateTopic&Name=a.b".into(), "InvalidParameter", "Invalid parameter: Topic Name", 400),
        (
            "Action=ListPlatformApplications".into(),
            "NotImplemented",
            "ListPlatformApplications is not implemented in havoq's sandbox yet",
            501,
        ),
    ] {
        let response = here.call(&form).await;
        assert_eq!(response.status(), status, "{form}");
        assert_eq!((inner(&response, "Code"), inner(&response, "Message")), (code.into(), message.into()));
    }
}

fn queue_policy() -> BTreeMap<String, String> {
    let policy = json!({
        "Version": "2012-10-17",
        "Statement": [{
            "Effect": "Allow",
            "Principal": { "Service": "sns.amazonaws.com" },
            "Action": "sqs:SendMessage",
            "Resource": "*",
        }],
    });
    BTreeMap::from([("Policy".to_owned(), policy.to_string())])
}

/// An endpoint that keeps what it gets and answers with the statuses that it was told, then 200.
#[derive(Default)]
struct Endpoint {
    got: Mutex<Vec<Request>>,
    statuses: Mutex<Vec<u16>>,
}

impl Endpoint {
    fn bodies(&self) -> Vec<String> {
        let got = self.got.lock().expect("no panic holds it");
        got.iter().map(|request| String::from_utf8_lossy(request.body()).into_owned()).collect()
    }
}

impl Upstream for Endpoint {
    fn forward(&self, request: Request) -> Forwarding<'_> {
        self.got.lock().expect("no panic holds it").push(request);
        let status = self.statuses.lock().expect("no panic holds it").pop().unwrap_or(200);
        Box::pin(async move {
            let mut response = Response::new(Bytes::new());
            *response.status_mut() = http::StatusCode::from_u16(status).expect("a status");
            Ok(response)
        })
    }
}

#[tokio::test]
async fn an_http_endpoint_confirms_by_the_link_and_is_tried_again_on_the_clock() {
    let here = here();
    let endpoint = Arc::new(Endpoint::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/hook?a=b", listener.local_addr().expect("an address"));
    let server = tokio::spawn(serve(listener, Arc::clone(&endpoint) as Arc<dyn Upstream>));
    let runner = tokio::spawn(here.sandbox.clone().run());

    let topic = here.sandbox.create_topic("t").expect("created");
    let attributes = BTreeMap::new();
    let subscribing = Subscribing {
        topic_arn: &topic,
        protocol: "http",
        endpoint: &url,
        attributes: &attributes,
        address: "http://127.0.0.1:9324/",
    };
    let sub = here.sandbox.subscribe(&subscribing).expect("subscribed");
    let asked = || endpoint.bodies().first().cloned();
    let waited = tokio::time::timeout(Duration::from_secs(10), async {
        while asked().is_none() {
            tokio::task::yield_now().await;
        }
    });
    waited.await.expect("it is asked");
    let asked: Value = serde_json::from_str(&asked().expect("a request")).expect("JSON");
    let link = asked["SubscribeURL"].as_str().and_then(|url| url.strip_prefix("http://127.0.0.1:9324"));
    let link = link.expect("it leads to the sandbox");
    let confirmed = here.forward(http::Request::get(link).body(Bytes::new()).expect("a request")).await;
    assert_eq!(inner(&confirmed, "SubscriptionArn"), sub);

    endpoint.statuses.lock().expect("no panic holds it").push(503);
    here.ok(&format!("Action=Publish&TopicArn={topic}&Message=hello"), "MessageId").await;
    here.until(|facts| facts.iter().any(|fact| matches!(fact, Fact::Retried { .. }))).await;
    here.clock.jump_to(here.clock.now() + StackDuration::from_secs(20));
    here.until(|facts| facts.iter().any(|fact| matches!(fact, Fact::Delivered { attempts: 2, .. }))).await;
    assert_eq!(here.sandbox.freeze().posts_without_answer(), 0);
    {
        let got = endpoint.got.lock().expect("no panic holds it");
        let last = got.last().expect("a request");
        assert_eq!(last.uri().path_and_query().map(|path| path.as_str()), Some("/hook?a=b"));
        assert_eq!(last.headers()["x-amz-sns-message-type"], "Notification");
        assert_eq!(last.headers()["x-amz-sns-subscription-arn"], *sub);
    }

    let unsubscribe = format!("/?Action=Unsubscribe&SubscriptionArn={sub}");
    here.forward(http::Request::get(unsubscribe).body(Bytes::new()).expect("a request")).await;
    let shown = here.call(&format!("Action=GetSubscriptionAttributes&SubscriptionArn={sub}")).await;
    assert_eq!(inner(&shown, "Code"), "NotFound");
    runner.abort();
    server.abort();
}

#[tokio::test]
async fn an_endpoint_that_is_not_there_is_a_failed_attempt() {
    let here = here();
    let runner = tokio::spawn(here.sandbox.clone().run());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    drop(listener);
    let topic = here.sandbox.create_topic("t").expect("created");
    let attributes = BTreeMap::new();
    let subscribing = Subscribing {
        topic_arn: &topic,
        protocol: "http",
        endpoint: &url,
        attributes: &attributes,
        address: "http://h",
    };
    here.sandbox.subscribe(&subscribing).expect("subscribed");
    let retry = || here.sandbox.freeze().next_delivery_timer();
    let due = here.clock.now() + StackDuration::from_secs(15);
    let waited = tokio::time::timeout(Duration::from_secs(10), async {
        while retry().is_none_or(|at| at < due) {
            havoq_base::clock::sleep(RealDuration::from_millis(1)).await;
        }
    });
    waited.await.expect("it is tried again in 20 s");
    runner.abort();
}

#[tokio::test]
async fn an_outage_is_havoqs_to_begin_and_to_end() {
    let here = here();
    let queue = here.sandbox.create_queue("q", &queue_policy()).expect("created");
    let topic = here.sandbox.create_topic("t").expect("created");
    let attributes = BTreeMap::new();
    let subscribing = Subscribing {
        topic_arn: &topic,
        protocol: "sqs",
        endpoint: &queue,
        attributes: &attributes,
        address: "http://h",
    };
    here.sandbox.subscribe(&subscribing).expect("subscribed");
    here.sandbox.set_outage(&queue, Some(Outage::Unavailable));
    here.ok(&format!("Action=Publish&TopicArn={topic}&Message=hello"), "MessageId").await;
    let visible = || here.sandbox.freeze().depth("q").map(|depth| depth.visible);
    here.sandbox.freeze().jump_to(here.clock.now() + StackDuration::from_secs(3_600));
    assert_eq!(visible(), Some(0));
    here.sandbox.set_outage(&queue, None);
    here.sandbox.freeze().jump_to(here.clock.now() + StackDuration::from_secs(20));
    assert_eq!(visible(), Some(1));
}
