//! The Runtime API's answers on the wire.

use bytes::Bytes;
use havoq_lambda::{Invocation, LARGEST_PAYLOAD};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body_util::Full;
use serde_json::{Value, json};

use super::exchange::Refusal;

pub(super) type Answer = Response<Full<Bytes>>;

/// The invocation that a runtime asked for.
pub(super) fn invocation(invocation: &Invocation, deadline_ms: u64) -> Answer {
    let mut answer = Response::new(Full::new(invocation.payload.clone()));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    set(headers, "Lambda-Runtime-Aws-Request-Id", &invocation.request_id);
    set(headers, "Lambda-Runtime-Deadline-Ms", &deadline_ms.to_string());
    set(headers, "Lambda-Runtime-Invoked-Function-Arn", &invocation.invoked_arn);
    set(headers, "Lambda-Runtime-Trace-Id", &trace_id(invocation));
    if let Some(context) = &invocation.client_context {
        set(headers, "Lambda-Runtime-Client-Context", context);
    }
    answer
}

/// What cannot stand in a header is left out.
fn set(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let (Ok(name), Ok(value)) = (name.parse::<http::HeaderName>(), HeaderValue::from_str(value)) {
        headers.insert(name, value);
    }
}

/// The caller's own, or one that is not sampled and made from the request's id.
fn trace_id(invocation: &Invocation) -> String {
    invocation.trace_id.clone().unwrap_or_else(|| {
        let mut digits: String = invocation.request_id.chars().filter(char::is_ascii_hexdigit).collect();
        digits.extend(std::iter::repeat_n('0', 32_usize.saturating_sub(digits.len())));
        format!("Root=1-{}-{};Parent={};Sampled=0", &digits[..8], &digits[8..32], &digits[..16])
    })
}

pub(super) fn accepted() -> Answer {
    json_of(StatusCode::ACCEPTED, &json!({ "status": "OK" }))
}

pub(super) fn refused(refusal: Refusal) -> Answer {
    let (status, error_type, message) = match refusal {
        Refusal::Transition { from, to } => {
            let message = format!(
                "State transition from {from} to {to} failed for runtime. Error: State transition is not allowed"
            );
            (StatusCode::FORBIDDEN, "InvalidStateTransition", message)
        }
        Refusal::RequestId => (StatusCode::BAD_REQUEST, "InvalidRequestID", "Invalid request ID".to_owned()),
        Refusal::TooLarge => {
            let message = format!("Exceeded maximum allowed payload size ({LARGEST_PAYLOAD} bytes).");
            (StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", message)
        }
    };
    json_of(status, &json!({ "errorMessage": message, "errorType": error_type }))
}

pub(super) fn truncated() -> Answer {
    let message = "HTTP request detected as truncated";
    let body = json!({ "errorMessage": message, "errorType": "TruncatedHTTPRequest" });
    json_of(StatusCode::BAD_REQUEST, &body)
}

pub(super) fn not_found() -> Answer {
    let mut answer = Response::new(Full::from("404 page not found\n"));
    *answer.status_mut() = StatusCode::NOT_FOUND;
    answer
}

fn json_of(status: StatusCode, body: &Value) -> Answer {
    let mut answer = Response::new(Full::from(body.to_string()));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}
