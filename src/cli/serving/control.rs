//! havoq's own calls, below `/_havoq/`, and how they are answered.

use bytes::Bytes;
use havoq_wire::Response;
use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};

/// All of them are below this path, and nothing else is.
pub(in crate::cli) const BELOW: &str = "/_havoq/";

pub(in crate::cli) fn answer(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(Bytes::from(format!("{body}\n")));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

pub(in crate::cli) fn not_allowed(path: &str, method: &'static str) -> Response {
    let error = json!({ "error": format!("{path} takes {method} only") });
    let mut response = answer(StatusCode::METHOD_NOT_ALLOWED, &error);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(method));
    response
}

/// There is nothing at the path; `calls` says what there is.
pub(in crate::cli) fn not_found(path: &str, calls: &str) -> Response {
    let error = format!("there is no {path}\nhint: there are {calls}");
    answer(StatusCode::NOT_FOUND, &json!({ "error": error }))
}
