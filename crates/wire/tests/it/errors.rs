//! Error answers, written and read back.

use bytes::Bytes;
use havoq_wire::{
    CloudWatchError, CommonError, EventBridgeError, NotACall, Protocol, Response, Service, SnsError,
    SqsError, decode_error, failure, success,
};

use crate::fixtures::head;

#[test]
fn a_json_error_has_the_type_the_message_and_the_query_error_header() {
    let error = SqsError::QueueDoesNotExist.with("The specified queue does not exist.");
    let response = failure(&head(Service::Sqs, Protocol::Json, ""), &error, "r-1");
    assert_eq!(response.status(), 400);
    assert_eq!(response.headers()["content-type"], "application/x-amz-json-1.0");
    assert_eq!(response.headers()["x-amzn-requestid"], "r-1");
    assert_eq!(response.headers()["x-amzn-query-error"], "AWS.SimpleQueueService.NonExistentQueue;Sender");
    assert_eq!(
        &response.body()[..],
        br#"{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"The specified queue does not exist."}"#
    );
    let (code, message) = decode_error(&response).expect("an error");
    assert_eq!(code, "AWS.SimpleQueueService.NonExistentQueue");
    assert_eq!(message, "The specified queue does not exist.");
}

#[test]
fn json_1_0_names_an_error_with_its_namespace_and_json_1_1_without() {
    let error = EventBridgeError::ResourceNotFoundException.with("no");
    let response = failure(&head(Service::EventBridge, Protocol::Json, "DescribeRule"), &error, "r-1");
    assert_eq!(response.headers()["content-type"], "application/x-amz-json-1.1");
    assert_eq!(&response.body()[..], br#"{"__type":"ResourceNotFoundException","message":"no"}"#);
    let error = CommonError::NotImplemented.with("no").detail("Reason", "none");
    let response = failure(&head(Service::DynamoDb, Protocol::Json, "Do"), &error, "r-1");
    assert_eq!(response.headers()["content-type"], "application/x-amz-json-1.0");
    assert_eq!(
        &response.body()[..],
        br#"{"__type":"com.amazon.coral.service#NotImplementedException","message":"no","Reason":"none"}"#
    );
}

#[test]
fn a_query_error_of_sqs_has_a_detail_and_a_longer_text_for_a_missing_queue() {
    let error = SqsError::QueueDoesNotExist.with("The specified queue does not exist.");
    let response = failure(&head(Service::Sqs, Protocol::Query, "PurgeQueue"), &error, "r-1");
    assert_eq!(response.headers()["content-type"], "text/xml");
    assert_eq!(response.headers().get("x-amzn-query-error"), None);
    assert_eq!(response.headers()["x-amzn-requestid"], "r-1");
    assert_eq!(
        &response.body()[..],
        b"<ErrorResponse xmlns=\"http://queue.amazonaws.com/doc/2012-11-05/\"><Error><Type>Sender</Type>\
          <Code>AWS.SimpleQueueService.NonExistentQueue</Code>\
          <Message>The specified queue does not exist for this wsdl version.</Message><Detail></Detail></Error>\
          <RequestId>r-1</RequestId></ErrorResponse>"
    );
}

#[test]
fn each_protocol_s_error_reads_back_as_it_was() {
    let text = "no <topic> & no \"queue\"\r\n";
    for (service, protocol, error, code) in [
        (Service::Sns, Protocol::Query, SnsError::NotFound.with(text), "NotFound"),
        (Service::Sns, Protocol::Query, SnsError::InternalError.with(text), "InternalError"),
        (
            Service::CloudWatch,
            Protocol::Query,
            CloudWatchError::MissingParameter.with(text),
            "MissingParameter",
        ),
        (
            Service::CloudWatch,
            Protocol::Cbor,
            CloudWatchError::MissingParameter.with(text),
            "MissingParameter",
        ),
        (
            Service::CloudWatch,
            Protocol::Json,
            CloudWatchError::MissingParameter.with(text),
            "MissingParameter",
        ),
        (Service::Sts, Protocol::Query, CommonError::InvalidAction.with(text), "InvalidAction"),
    ] {
        let response = failure(&head(service, protocol, "Do"), &error, "r-1");
        assert_eq!(response.status(), error.status);
        assert_eq!(decode_error(&response), Some((code.into(), text.into())));
    }
}

#[test]
fn a_cbor_error_has_the_shape_with_its_namespace_and_the_query_error_header() {
    let error = CloudWatchError::ResourceNotFound.with("no");
    let response = failure(&head(Service::CloudWatch, Protocol::Cbor, "SetAlarmState"), &error, "r-1");
    assert_eq!(response.status(), 404);
    assert_eq!(response.headers()["content-type"], "application/cbor");
    assert_eq!(response.headers()["smithy-protocol"], "rpc-v2-cbor");
    assert_eq!(response.headers()["x-amzn-query-error"], "ResourceNotFound;Sender");
    assert_eq!(
        &response.body()[..],
        b"\xa2\x66__type\x78\x29com.amazonaws.cloudwatch#ResourceNotFound\x67message\x62no"
    );
}

#[test]
fn an_error_without_query_header_or_body_still_has_a_code() {
    let error = |status: u16, media: Option<&str>, body: &'static [u8]| {
        let mut response = Response::new(Bytes::from_static(body));
        *response.status_mut() = http::StatusCode::from_u16(status).expect("a status");
        media.map(|media| response.headers_mut().insert("content-type", media.parse().expect("a header")));
        decode_error(&response).expect("an error")
    };
    assert_eq!(error(400, None, br#"{"__type":"a.b#Throttled"}"#), ("Throttled".into(), String::new()));
    assert_eq!(error(502, None, b"<html>"), ("502".into(), String::new()));
    assert_eq!(error(502, Some("text/html"), b""), ("502".into(), String::new()));
    assert_eq!(error(500, Some("application/cbor"), b"\xff"), ("500".into(), String::new()));
    assert_eq!(error(503, None, br#"{"message":"slow"}"#), ("503".into(), "slow".into()));
}

#[test]
fn a_success_is_no_error() {
    let response =
        success(&head(Service::Sqs, Protocol::Json, ""), &serde_json::json!({ "MessageId": "m" }), "r-1");
    assert_eq!(&response.body()[..], br#"{"MessageId":"m"}"#);
    assert_eq!(decode_error(&response), None);
}

#[test]
fn why_a_request_is_no_call_is_an_error_of_its_protocol() {
    for (problem, protocol, code) in [
        (NotACall::Body(String::new()), Protocol::Query, "MalformedInput"),
        (NotACall::Body(String::new()), Protocol::Cbor, "SerializationException"),
        (NotACall::Body(String::new()), Protocol::Json, "SerializationException"),
        (NotACall::Protocol(String::new()), Protocol::Query, "MissingAction"),
        (NotACall::Target(String::new()), Protocol::Json, "InvalidAction"),
    ] {
        assert_eq!(problem.answer(protocol).query_code, code);
    }
}
