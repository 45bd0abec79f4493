//! What each kind makes of calls, in JSON and in Query.

use std::sync::Arc;

use bytes::Bytes;
use havoq_wire::{Call, Request, Response};
use serde_json::{Value, json};

use super::find;
use crate::kind::{Aim, End, Kind, OnAnswer, OnRequest};
use crate::messages::{answered, messages_of};
use crate::param::{Value as Given, Values};

fn kind(name: &str, values: &[(&'static str, Given)]) -> Arc<dyn Kind> {
    let mut given = Values::default();
    values.iter().for_each(|(name, value)| given.set(name, value.clone()));
    (find(name).expect("a kind").build)(&given).expect("good values")
}

fn in_json(operation: &str, params: Value) -> (Call, Request) {
    let request = http::Request::post("/").header("x-amz-target", format!("AmazonSQS.{operation}"));
    let request = request.body(Bytes::from(params.to_string())).expect("a request");
    (havoq_wire::decode(&request).expect("a call"), request)
}

fn in_query(form: &'static str) -> (Call, Request) {
    let request = http::Request::post("/").header("content-type", "application/x-www-form-urlencoded");
    let request = request.body(Bytes::from(form)).expect("a request");
    (havoq_wire::decode(&request).expect("a call"), request)
}

fn two_deletes() -> (Call, Request) {
    in_json(
        "DeleteMessageBatch",
        json!({ "QueueUrl": "http://x/Q", "Entries": [
            { "Id": "a", "ReceiptHandle": "r1" }, { "Id": "b", "ReceiptHandle": "r2" },
        ]}),
    )
}

fn result(call: &Call, answer: &Response) -> Value {
    havoq_wire::decode_result(&call.head, answer).expect("a success")
}

fn sent(outcome: OnAnswer) -> Response {
    match outcome {
        OnAnswer::Send(answer) => answer,
        other => panic!("{other:?}"),
    }
}

fn answer(outcome: OnRequest) -> Response {
    match outcome {
        OnRequest::Answer(answer) => answer,
        other => panic!("{other:?}"),
    }
}

fn error_of(outcome: OnRequest) -> (String, u16) {
    let answer = answer(outcome);
    (havoq_wire::decode_error(&answer).expect("an error").0, answer.status().as_u16())
}

#[test]
fn errors_are_those_of_the_model_or_as_they_are_written() {
    let (call, request) = in_json("SendMessage", json!({}));
    let of = |code: &str, status: Option<u32>| {
        let status = status.map(|status| ("status", Given::Whole(status)));
        let given: Vec<_> = [("code", Given::Text(code.into()))].into_iter().chain(status).collect();
        error_of(kind("error", &given).on_request(&call, request.clone(), &Aim::default()))
    };
    assert_eq!(of("OverLimit", None), ("OverLimit".to_owned(), 403));
    let missing = ("AWS.SimpleQueueService.NonExistentQueue".to_owned(), 400);
    assert_eq!(of("QueueDoesNotExist", None), missing);
    assert_eq!(of("InternalFailure", None), ("InternalFailure".to_owned(), 500));
    assert_eq!(of("MadeUp", None), ("MadeUp".to_owned(), 400));
    assert_eq!(of("MadeUp", Some(503)), ("MadeUp".to_owned(), 503));
}

#[test]
fn an_error_that_is_none_is_refused() {
    let build = find("error").expect("a kind").build;
    let why = |code: &str, status: u32| {
        let mut values = Values::default();
        values.set("code", Given::Text(code.into()));
        values.set("status", Given::Whole(status));
        build(&values).expect_err("refused")
    };
    assert!(why("", 500).contains("not the name of an error"));
    assert!(why("a b", 500).contains("not the name of an error"));
    assert!(why("A", 200).contains("from 400 to 599"));
    assert!(why("A", 99_999).contains("from 400 to 599"));
}

#[test]
fn who_is_throttled_or_denied_is_told_so_by_the_service() {
    for (target, throttled, denied) in [
        ("AmazonSQS.SendMessage", ("RequestThrottled", 403), ("AccessDenied", 403)),
        (
            "DynamoDB_20120810.PutItem",
            ("ProvisionedThroughputExceededException", 400),
            ("AccessDeniedException", 403),
        ),
    ] {
        let request =
            http::Request::post("/").header("x-amz-target", target).body(Bytes::new()).expect("one");
        let call = havoq_wire::decode(&request).expect("a call");
        let of = |name| error_of(kind(name, &[]).on_request(&call, request.clone(), &Aim::default()));
        assert_eq!(of("throttle").0, throttled.0);
        assert_eq!(of("denied"), (denied.0.to_owned(), denied.1));
        assert!(throttled.1 >= 400);
    }
}

#[test]
fn calls_end_without_an_answer() {
    let (call, request) = in_json("SendMessage", json!({}));
    for (name, end) in [("reset", End::Reset), ("timeout", End::Hang)] {
        let outcome = kind(name, &[]).on_request(&call, request.clone(), &Aim::default());
        assert!(matches!(outcome, OnRequest::End(ended) if ended == end), "{name}");
    }
    let outcome = kind("lost-response", &[]).on_answer(&call, Response::default(), &Aim::default());
    assert!(matches!(outcome, OnAnswer::End(End::Close)));
}

#[test]
fn entries_fail_alone_and_the_others_are_done() {
    let (call, request) = two_deletes();
    let fault = kind("failed-entries", &[]);
    let aim = Aim { at: vec![1], of: 2 };
    let OnRequest::Forward(left) = fault.on_request(&call, request.clone(), &aim) else {
        panic!("forwarded")
    };
    let forwarded = havoq_wire::decode(&left).expect("a call");
    assert_eq!(forwarded.params["Entries"], json!([{ "Id": "a", "ReceiptHandle": "r1" }]));
    let done = answered(&forwarded, &json!({ "Successful": [{ "Id": "a" }], "Failed": [] }));
    let told = result(&call, &sent(fault.on_answer(&call, done, &aim)));
    assert_eq!(told["Successful"], json!([{ "Id": "a" }]));
    assert_eq!(
        (&told["Failed"][0]["Id"], &told["Failed"][0]["Code"]),
        (&json!("b"), &json!("InternalError"))
    );
    let all = result(&call, &answer(fault.on_request(&call, request, &Aim::all(2))));
    assert_eq!(all["Failed"].as_array().map(Vec::len), Some(2));
    assert_eq!(all["Successful"], json!([]));
}

#[test]
fn entries_fail_in_query_as_well() {
    let (call, request) = in_query(
        "Action=DeleteMessageBatch&Version=2012-11-05&QueueUrl=http%3A%2F%2Fx%2FQ\
         &DeleteMessageBatchRequestEntry.1.Id=a&DeleteMessageBatchRequestEntry.1.ReceiptHandle=r1\
         &DeleteMessageBatchRequestEntry.2.Id=b&DeleteMessageBatchRequestEntry.2.ReceiptHandle=r2",
    );
    let fault =
        kind("failed-entries", &[("code", Given::Text("X".into())), ("sender_fault", Given::Flag(true))]);
    let aim = Aim { at: vec![0], of: 2 };
    let OnRequest::Forward(left) = fault.on_request(&call, request, &aim) else { panic!("forwarded") };
    let forwarded = havoq_wire::decode(&left).expect("a call");
    let done = answered(&forwarded, &json!({ "Successful": [{ "Id": "b" }] }));
    let told = sent(fault.on_answer(&call, done, &aim));
    assert!(told.body().starts_with(b"<"), "the answer is in the client's protocol");
    let told = result(&call, &told);
    assert_eq!((&told["Failed"][0]["Id"], &told["Successful"][0]["Id"]), (&json!("a"), &json!("b")));
    assert_eq!(told["Failed"][0]["SenderFault"], true);
}

#[test]
fn the_stack_s_own_error_goes_through() {
    let (call, request) = two_deletes();
    let (fault, aim) = (kind("swallow", &[]), Aim { at: vec![0], of: 2 });
    let OnRequest::Forward(left) = fault.on_request(&call, request, &aim) else { panic!("forwarded") };
    let forwarded = havoq_wire::decode(&left).expect("a call");
    let error = havoq_wire::SqsError::QueueDoesNotExist.with("gone");
    let refused = havoq_wire::failure(&forwarded.head, &error, "id");
    let told = sent(fault.on_answer(&call, refused, &aim));
    assert_eq!(havoq_wire::decode_error(&told).map(|(code, _)| code).as_deref(), Some(&*error.query_code));
}

#[test]
fn a_swallowed_delete_looks_done() {
    let (call, request) = in_json("DeleteMessage", json!({ "ReceiptHandle": "r" }));
    let fault = kind("swallow", &[]);
    assert!(fault.leaves_undone());
    let told = answer(fault.on_request(&call, request, &Aim::all(1)));
    assert_eq!((told.status().as_u16(), told.body().is_empty()), (200, true));
    let (call, request) = two_deletes();
    let told = result(&call, &answer(fault.on_request(&call, request, &Aim::all(2))));
    assert_eq!(told, json!({ "Successful": [{ "Id": "a" }, { "Id": "b" }], "Failed": [] }));
    assert!(!fault.fits(havoq_wire::Service::Sqs, "SendMessage"));
}

fn received() -> (Call, Request, Response) {
    let (call, request) =
        in_json("ReceiveMessage", json!({ "QueueUrl": "http://x/Q", "MaxNumberOfMessages": 10 }));
    let message = |id: &str| {
        json!({ "MessageId": id, "Body": "b", "MD5OfBody": "m", "ReceiptHandle": format!("r-{id}"),
                "Attributes": { "ApproximateReceiveCount": "1" } })
    };
    let answer = answered(&call, &json!({ "Messages": [message("a"), message("b"), message("c")] }));
    (call, request, answer)
}

fn ids(messages: &[Value]) -> Vec<&str> {
    messages.iter().filter_map(|message| message["MessageId"].as_str()).collect()
}

#[test]
fn messages_are_lost_late_repeated_and_reordered() {
    let (call, _, received) = received();
    let aim = Aim { at: vec![0, 2], of: 3 };
    let lost = sent(kind("lost-receive", &[]).on_answer(&call, received.clone(), &aim));
    assert_eq!(ids(&messages_of(&call, &lost)), ["b"]);
    let reordered = sent(kind("reorder", &[]).on_answer(&call, received.clone(), &aim));
    assert_eq!(ids(&messages_of(&call, &reordered)), ["c", "b", "a"]);
    let by = havoq_base::StackDuration::from_secs(20);
    let late = kind("late", &[("by", Given::Stack(by))]).on_answer(&call, received.clone(), &aim);
    let OnAnswer::Later { answer, messages, after } = late else { panic!("later") };
    assert_eq!((ids(&messages_of(&call, &answer)), ids(&messages), after), (vec!["b"], vec!["a", "c"], by));
    let again = kind("duplicate-delivery", &[]).on_answer(&call, received, &Aim { at: vec![1], of: 3 });
    let OnAnswer::Later { answer, messages, .. } = again else { panic!("later") };
    assert_eq!((messages_of(&call, &answer).len(), ids(&messages)), (3, vec!["b"]));
    assert_eq!(messages[0]["Attributes"]["ApproximateReceiveCount"], "2");
    assert_eq!(messages[0]["ReceiptHandle"], "r-b");
}

#[test]
fn all_lost_is_an_empty_receive() {
    let (call, request, received) = received();
    let lost = sent(kind("lost-receive", &[]).on_answer(&call, received, &Aim::all(3)));
    assert_eq!(result(&call, &lost), json!({}));
    assert_eq!(
        result(&call, &answer(kind("empty-receive", &[]).on_request(&call, request, &Aim::default()))),
        json!({})
    );
}

#[test]
fn a_short_batch_asks_for_fewer() {
    let (call, request, _) = received();
    let fault = kind("short-batch", &[("to", Given::Whole(2))]);
    let OnRequest::Forward(shorter) = fault.on_request(&call, request, &Aim::default()) else {
        panic!("forwarded")
    };
    assert_eq!(havoq_wire::decode(&shorter).expect("a call").params["MaxNumberOfMessages"], 2);
    assert!(fault.bites(&call, &Aim::default()));
    let (one, _) = in_json("ReceiveMessage", json!({}));
    assert!(!fault.bites(&one, &Aim::default()), "it asks for one as it is");
    let mut values = Values::default();
    values.set("to", Given::Whole(10));
    assert!((find("short-batch").expect("a kind").build)(&values).is_err());
}

#[test]
fn a_skewed_date_is_off_by_what_was_asked() {
    let (call, _) = in_json("SendMessage", json!({}));
    let by = havoq_base::StackDuration::from_secs(900);
    let date = |values: &[(&'static str, Given)]| {
        let mut answer = Response::default();
        let now = http::HeaderValue::from_static("Mon, 30 Nov 2026 12:00:00 GMT");
        answer.headers_mut().insert("date", now);
        let skewed = sent(kind("clock-skew", values).on_answer(&call, answer, &Aim::default()));
        skewed.headers()["date"].to_str().expect("text").to_owned()
    };
    assert_eq!(date(&[("by", Given::Stack(by))]), "Mon, 30 Nov 2026 12:15:00 GMT");
    let behind = [("by", Given::Stack(by)), ("behind", Given::Flag(true))];
    assert_eq!(date(&behind), "Mon, 30 Nov 2026 11:45:00 GMT");
}

#[test]
fn each_kind_has_a_name_of_its_own_and_is_told() {
    let mut names: Vec<_> = super::KINDS.iter().map(|kind| kind.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), super::KINDS.len());
    assert!(super::KINDS.iter().all(|kind| kind.about.ends_with('.')));
    assert!(find("no-such-kind").is_none());
}
