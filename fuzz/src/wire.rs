//! Requests and error answers of the three protocols.

use bytes::Bytes;
use havoq_wire::{Call, Head, Protocol, Request, Response, decode, decode_error, failure, success};

pub fn json(data: &[u8]) {
    let headers = [("x-amz-target", "AmazonSQS.SendMessageBatch")];
    request(post("/", &headers, data), Protocol::Json);
    error_answer("application/x-amz-json-1.0", data);
}

pub fn query(data: &[u8]) {
    let headers = [("host", "localhost"), ("content-type", "application/x-www-form-urlencoded")];
    request(post("/000000000000/queue", &headers, data), Protocol::Query);
    error_answer("text/xml", data);
}

pub fn cbor(data: &[u8]) {
    let headers = [("smithy-protocol", "rpc-v2-cbor")];
    for operation in ["PutMetricData", "PutMetricAlarm", "GetMetricData"] {
        let path = format!("/service/GraniteServiceVersion20100801/operation/{operation}");
        request(post(&path, &headers, data), Protocol::Cbor);
    }
    error_answer("application/cbor", data);
}

fn post(path: &str, headers: &[(&str, &str)], body: &[u8]) -> Request {
    let builder = http::Request::post(path);
    let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
    builder.body(Bytes::copy_from_slice(body)).expect("a valid request")
}

/// A request is a call that can be answered, or why it is none can be told.
fn request(request: Request, protocol: Protocol) {
    match decode(&request) {
        Ok(Call { head, params }) => {
            assert_eq!(head.protocol, protocol);
            success(&head, &params, "r");
        }
        Err(problem) => {
            let head = Head::guess(&request);
            let answer = failure(&head, &problem.answer(head.protocol), "r");
            assert!(decode_error(&answer).is_some());
        }
    }
}

fn error_answer(media: &'static str, body: &[u8]) {
    let mut response = Response::new(Bytes::copy_from_slice(body));
    *response.status_mut() = http::StatusCode::BAD_REQUEST;
    response.headers_mut().insert("content-type", http::HeaderValue::from_static(media));
    assert!(decode_error(&response).is_some());
}
