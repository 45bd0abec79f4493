//! Requests: those that botocore made, and those that only others make.

use havoq_wire::{Head, NotACall, Protocol, Request, Service, decode};
use serde_json::json;

use crate::fixtures::{self, post, text};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

#[test]
fn each_recorded_request_is_the_call_that_it_was_made_from() {
    let rows = fixtures::rows(include_str!("../fixtures/requests.json"));
    assert!(rows.len() > 40);
    for row in rows {
        let request = fixtures::request(&row);
        let mut call = decode(&request).expect("a call");
        // With the blob that is a body, which a call is read without.
        call.params = call.head.input::<serde_json::Map<_, _>>(&request).expect("an input").into();
        assert_eq!(call.head.service, fixtures::service(&row));
        assert_eq!(format!("{:?}", call.head.protocol), text(&row, "protocol"));
        assert_eq!(call.head.operation, text(&row, "operation"));
        assert_eq!(call.params, row["params"], "{} {:?}", call.head.operation, call.head.protocol);
    }
}

#[test]
fn a_form_posted_to_a_queue_s_address_is_about_that_queue() {
    let host = ("host", "localhost:9324");
    let on_queue = |body| decode(&post("/000000000000/jobs", &[FORM, host], body)).expect("a call").params;
    let address = json!("http://localhost:9324/000000000000/jobs");
    assert_eq!(on_queue(b"Action=PurgeQueue&Version=2012-11-05")["QueueUrl"], address);
    let named = on_queue(b"Action=PurgeQueue&Version=2012-11-05&QueueUrl=u");
    assert_eq!(named["QueueUrl"], "u");
    assert_eq!(on_queue(b"Action=ListQueues&Version=2012-11-05"), json!({}));
    let at_root = decode(&post("/", &[FORM, host], b"Action=PurgeQueue&Version=2012-11-05")).expect("a call");
    assert_eq!(at_root.params, json!({}));
}

#[test]
fn json_is_accepted_at_a_queue_s_address() {
    let request = post("/0/jobs", &[("x-amz-target", "AmazonSQS.PurgeQueue")], br#"{"QueueUrl":"u"}"#);
    let call = decode(&request).expect("a call");
    assert_eq!((call.head.protocol, call.params), (Protocol::Json, json!({ "QueueUrl": "u" })));
}

#[test]
fn a_form_may_be_the_query_of_a_get() {
    let get = http::Request::get("/?Action=ListTopics&Version=2010-03-31&NextToken=a%20b");
    let call = decode(&get.body(bytes::Bytes::new()).expect("a valid request")).expect("a call");
    assert_eq!((call.head.service, call.head.protocol), (Service::Sns, Protocol::Query));
    assert_eq!(call.params, json!({ "NextToken": "a b" }));
}

#[test]
fn the_signature_tells_the_service_where_the_version_does_not() {
    let scope = "AWS4-HMAC-SHA256 Credential=AK/20260102/us-east-1/sts/aws4_request, Signature=0";
    let request = post("/", &[FORM, ("authorization", scope)], b"Action=GetCallerIdentity");
    assert_eq!(Head::of(&request).expect("a call").service, Service::Sts);
    let unsigned = post("/", &[FORM], b"Action=GetCallerIdentity");
    assert!(matches!(Head::of(&unsigned), Err(NotACall::Action { .. })));
}

#[test]
fn an_unknown_operation_is_a_call_without_members() {
    for request in [
        post("/", &[FORM], b"Action=Fly&Version=2010-03-31&A=1"),
        post("/service/GraniteServiceVersion20100801/operation/Fly", &[CBOR], b"\xa1\x61A\x01"),
    ] {
        let call = decode(&request).expect("a call");
        assert_eq!((call.head.operation.as_str(), call.params), ("Fly", json!({})));
    }
}

const CBOR: (&str, &str) = ("smithy-protocol", "rpc-v2-cbor");

fn put_metric_data(body: &'static [u8]) -> Request {
    post("/service/GraniteServiceVersion20100801/operation/PutMetricData", &[CBOR], body)
}

#[test]
fn cbor_of_indefinite_lengths_and_of_any_float_is_read() {
    // {_ "Namespace": (_ "ap", "p"), "MetricData": [_ {"Value": 1.5_1, "Timestamp": 1(1767323045.5),
    // "StorageResolution": 60.0_1, "Counts": [1, 2.5_2, -3], "Unit": null, "New": [1, {}]}]}
    let body = b"\xbf\x69Namespace\x7f\x62ap\x61p\xff\x6aMetricData\x9f\xa6\x65Value\xf9\x3e\x00\
        \x69Timestamp\xc1\xfb\x41\xda\x55\xcd\x69\x60\x00\x00\x71StorageResolution\xf9\x53\x80\
        \x66Counts\x83\x01\xfa\x40\x20\x00\x00\x22\x64Unit\xf6\x63New\x82\x01\xa0\xff\xff";
    let expected = json!({ "Namespace": "app", "MetricData": [{
        "Value": 1.5, "Timestamp": 1_767_323_045.5, "StorageResolution": 60, "Counts": [1.0, 2.5, -3.0]
    }] });
    assert_eq!(decode(&put_metric_data(body)).expect("a call").params, expected);
}

#[test]
fn what_does_not_fit_the_model_is_refused_with_its_place() {
    let form = |body| post("/", &[FORM], body);
    for (request, problem) in [
        (
            form(b"Action=ReceiveMessage&Version=2012-11-05&MaxNumberOfMessages=ten"),
            "MaxNumberOfMessages: \"ten\" is not of the type integer",
        ),
        (
            form(b"Action=PutMetricData&Version=2010-08-01&MetricData.member.2.Value=1&MetricData.member.3.Value=x"),
            "MetricData.2.Value: \"x\" is not of the type double",
        ),
        (
            form(b"Action=SetQueueAttributes&Version=2012-11-05&Attribute.1.Value=x"),
            "Attribute.1.Name: a value was expected",
        ),
        (
            form(b"Action=PutMetricAlarm&Version=2010-08-01&ActionsEnabled=maybe"),
            "ActionsEnabled: \"maybe\" is not of the type boolean",
        ),
        (put_metric_data(b"\xa1\x6aMetricData\x81\xa1\x65Value\x61x"), "MetricData.1.Value: unexpected type string"),
        (
            put_metric_data(b"\xa1\x6aMetricData\x81\xa1\x69Timestamp\xc0\x01"),
            "MetricData.1.Timestamp: the tag 0 is not that of a timestamp",
        ),
        (put_metric_data(b"\xa0\x00"), "1 bytes follow the value"),
        (put_metric_data(b"\xa1\x69Namespace\x7b\xff\xff\xff\xff\xff\xff\xff\xff"), "Namespace: end of input"),
        (put_metric_data(b"\xa1\x6aMetricData\x9b\xff\xff\xff\xff\xff\xff\xff\xff"), "MetricData.1: end of input"),
        (put_metric_data(b"\x80"), "expected map"),
    ] {
        let error = decode(&request).expect_err("no call").to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn what_is_no_call_is_answered_in_its_sender_s_terms() {
    let guess = |headers: &[_], path: &str| {
        let head = Head::guess(&post(path, headers, b"x"));
        (head.service, head.protocol)
    };
    assert_eq!(
        guess(&[("x-amz-target", "GraniteServiceVersion20100801.")], "/"),
        (Service::CloudWatch, Protocol::Json)
    );
    assert_eq!(guess(&[("content-type", "application/x-amz-json-1.0")], "/"), (Service::Sqs, Protocol::Json));
    assert_eq!(
        guess(&[CBOR], "/service/GraniteServiceVersion20100801/operation/"),
        (Service::CloudWatch, Protocol::Cbor)
    );
    let signed = ("authorization", "AWS4-HMAC-SHA256 Credential=AK/1/r/sns/aws4_request, Signature=0");
    assert_eq!(guess(&[FORM, signed], "/"), (Service::Sns, Protocol::Query));
}
