//! Requests and error answers of the four protocols.

use bytes::Bytes;
use havoq_wire::{
    Attempt, Call, Head, Protocol, Request, Response, Service, decode, decode_error, decode_result, failure,
    success,
};

pub fn json(data: &[u8]) {
    let headers = [("x-amz-target", "AmazonSQS.SendMessageBatch")];
    request(post("/", &headers, data), Protocol::Json);
    answer(Service::Sqs, Protocol::Json, "ReceiveMessage", "application/x-amz-json-1.0", data);
}

pub fn query(data: &[u8]) {
    let headers = [("host", "localhost"), ("content-type", "application/x-www-form-urlencoded")];
    request(post("/000000000000/queue", &headers, data), Protocol::Query);
    answer(Service::Sqs, Protocol::Query, "ReceiveMessage", "text/xml", data);
    answer(Service::CloudWatch, Protocol::Query, "DescribeAlarms", "text/xml", data);
}

pub fn cbor(data: &[u8]) {
    let headers = [("smithy-protocol", "rpc-v2-cbor")];
    for operation in ["PutMetricData", "PutMetricAlarm", "GetMetricData"] {
        let path = format!("/service/GraniteServiceVersion20100801/operation/{operation}");
        request(post(&path, &headers, data), Protocol::Cbor);
    }
    answer(Service::CloudWatch, Protocol::Cbor, "DescribeAlarms", "application/cbor", data);
}

/// A line with a method, an address and the service that it is signed for stands before the body.
pub fn rest(data: &[u8]) {
    let line = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (line, body) = (String::from_utf8_lossy(&data[..line]), data.get(line + 1..).unwrap_or_default());
    let mut words = line.split(' ');
    let (method, uri) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let scope = format!("Credential=AK/1/r/{}/aws4_request", words.next().unwrap_or_default());
    let builder = http::Request::builder().method(method).uri(uri).header("authorization", scope);
    if let Ok(call) = builder.body(Bytes::copy_from_slice(body)) {
        request(call, None);
    }
    answer(Service::Lambda, Protocol::Rest, "ListFunctions", "application/json", body);
    answer(Service::Lambda, Protocol::Rest, "Invoke", "application/json", body);
}

fn post(path: &str, headers: &[(&str, &str)], body: &[u8]) -> Request {
    let builder = http::Request::post(path);
    let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
    builder.body(Bytes::copy_from_slice(body)).expect("a valid request")
}

/// A request is a call that can be answered, or why it is none can be told.
fn request(request: Request, protocol: impl Into<Option<Protocol>>) {
    match decode(&request) {
        Ok(Call { head, params }) => {
            assert!(protocol.into().is_none_or(|protocol| head.protocol == protocol));
            success(&head, &params, "r");
        }
        Err(problem) => {
            let head = Head::guess(&request);
            let answer = failure(&head, &problem.answer(head.protocol), "r");
            assert!(decode_error(&answer).is_some());
        }
    }
}

/// An answer is an error or a result; neither has to be readable.
fn answer(service: Service, protocol: Protocol, operation: &str, media: &'static str, body: &[u8]) {
    let mut response = Response::new(Bytes::copy_from_slice(body));
    response.headers_mut().insert("content-type", http::HeaderValue::from_static(media));
    let head = Head { service, protocol, operation: operation.to_owned(), attempt: Attempt::default() };
    if let Some(result) = decode_result(&head, &response) {
        success(&head, &result, "r");
    }
    *response.status_mut() = http::StatusCode::BAD_REQUEST;
    assert!(decode_error(&response).is_some());
}
