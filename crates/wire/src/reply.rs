//! Answers, in the protocol of their calls.

use bytes::Bytes;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use serde::Serialize;
use serde_json::Value;

use crate::call::{Head, Protocol};
use crate::errors::{CommonError, ServiceError};
use crate::model::Mismatch;
use crate::upstream::Response;
use crate::{cbor, json, query, rest};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-amzn-requestid");
pub(crate) const QUERY_ERROR: HeaderName = HeaderName::from_static("x-amzn-query-error");
const SMITHY_PROTOCOL: HeaderName = HeaderName::from_static("smithy-protocol");

/// A successful answer. A result that cannot be written is a fault of the service.
pub fn success(head: &Head, result: &impl Serialize, request_id: &str) -> Response {
    let body = match head.protocol {
        Protocol::Json => json::success(result),
        Protocol::Query => modelled(result, |result| query::success(head, &result, request_id)),
        Protocol::Cbor => modelled(result, |result| cbor::success(head, &result)),
        Protocol::Rest => {
            let written = modelled(result, |result| rest::success(head, result, None));
            return or_fault(head, written.map(|written| rest_answer(head, written, request_id)), request_id);
        }
    };
    or_fault(head, body.map(|body| answer(head, StatusCode::OK, body.into(), request_id)), request_id)
}

/// A successful answer of a REST operation whose body is one blob, such as what a function returned.
/// The other members of the result are in `result`.
pub fn success_with_payload(
    head: &Head,
    result: &impl Serialize,
    payload: Bytes,
    request_id: &str,
) -> Response {
    let written = modelled(result, |result| rest::success(head, result, Some(payload)));
    or_fault(head, written.map(|written| rest_answer(head, written, request_id)), request_id)
}

fn or_fault(head: &Head, answer: Result<Response, String>, request_id: &str) -> Response {
    answer.unwrap_or_else(|problem| {
        let error = CommonError::InternalFailure.with(format!("cannot write the result: {problem}"));
        failure(head, &error, request_id)
    })
}

/// An error answer.
pub fn failure(head: &Head, error: &ServiceError, request_id: &str) -> Response {
    let body = match head.protocol {
        Protocol::Json => json::failure(head.service, error),
        Protocol::Query => query::failure(head.service, error, request_id),
        Protocol::Cbor => cbor::failure(error),
        Protocol::Rest => return rest_answer(head, rest::failure(head.service, error), request_id),
    };
    let mut response = answer(head, error.status, body.into(), request_id);
    if head.protocol != Protocol::Query && head.service.model().query_compatible {
        let blame = if error.sender { "Sender" } else { "Receiver" };
        if let Ok(value) = HeaderValue::try_from(format!("{};{blame}", error.query_code)) {
            response.headers_mut().insert(QUERY_ERROR, value);
        }
    }
    response
}

fn rest_answer(head: &Head, written: rest::Written, request_id: &str) -> Response {
    let mut response = answer(head, written.status, written.body, request_id);
    response.headers_mut().extend(written.headers);
    response
}

/// Writes a result in a protocol that needs the model.
fn modelled<W>(
    result: &impl Serialize,
    write: impl FnOnce(Value) -> Result<W, Mismatch>,
) -> Result<W, String> {
    let result = serde_json::to_value(result).map_err(|error| error.to_string())?;
    write(result).map_err(|error| error.to_string())
}

fn answer(head: &Head, status: StatusCode, body: Bytes, request_id: &str) -> Response {
    let media = match head.protocol {
        Protocol::Json => head.service.model().json.unwrap_or("application/json"),
        Protocol::Rest => "application/json",
        Protocol::Query => "text/xml",
        Protocol::Cbor => "application/cbor",
    };
    // AWS's samples of JSON name the type of an empty body too.
    let has_type = head.protocol == Protocol::Json || !body.is_empty();
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    if has_type {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
    }
    if head.protocol == Protocol::Cbor {
        headers.insert(SMITHY_PROTOCOL, HeaderValue::from_static("rpc-v2-cbor"));
    }
    if let Ok(value) = HeaderValue::try_from(request_id) {
        headers.insert(REQUEST_ID, value);
    }
    response
}
