//! The recorded files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use havoq_wire::{Attempt, Head, Protocol, Request, Service};
use serde_json::Value;

pub fn rows(text: &str) -> Vec<Value> {
    serde_json::from_str(text).expect("a fixture is JSON")
}

pub fn service(row: &Value) -> Service {
    let named = |service: &&Service| format!("{service:?}") == text(row, "service");
    *Service::ALL.iter().find(named).expect("a known service")
}

pub fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().expect("a fixture's member is text")
}

pub fn bytes(base64: &str) -> Vec<u8> {
    STANDARD.decode(base64).expect("a fixture's body is base64")
}

/// A recorded request as a server sees it.
pub fn request(row: &Value) -> Request {
    let headers = row["headers"].as_object().expect("a fixture has headers");
    let builder = http::Request::builder().method(text(row, "method")).uri(text(row, "url"));
    let builder = headers.iter().fold(builder, |builder, (name, value)| {
        builder.header(name, value.as_str().expect("a header is text"))
    });
    builder.body(Bytes::from(bytes(text(row, "body")))).expect("a recorded request is valid")
}

/// A request without a body, signed for a service.
pub fn signed(service: &str, method: &str, path: &str) -> Request {
    let scope = format!("AWS4-HMAC-SHA256 Credential=AK/20260102/r/{service}/aws4_request, Signature=0");
    let builder = http::Request::builder().method(method).uri(path).header("authorization", scope);
    builder.body(Bytes::new()).expect("a valid request")
}

pub fn post(path: &str, headers: &[(&str, &str)], body: &'static [u8]) -> Request {
    let builder = http::Request::post(path);
    let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
    builder.body(Bytes::from_static(body)).expect("a valid request")
}

pub fn head(service: Service, protocol: Protocol, operation: &str) -> Head {
    Head { service, protocol, operation: operation.to_owned(), attempt: Attempt::default() }
}
