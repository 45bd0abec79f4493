//! The AWS JSON 1.0 protocol (semantics 1.15).

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call::Service;
use crate::errors::ServiceError;
use crate::upstream::Response;

const MEDIA_TYPE: &str = "application/x-amz-json-1.0";
const REQUEST_ID: &str = "x-amzn-requestid";
const QUERY_ERROR: &str = "x-amzn-query-error";

/// The service and operation that an `X-Amz-Target` names.
pub(crate) fn target(target: &str) -> Option<(Service, &str)> {
    let (prefix, operation) = target.split_once('.')?;
    let service = match prefix {
        "AmazonSQS" => Service::Sqs,
        _ => return None,
    };
    Some((service, operation))
}

/// An input's members; no body at all is an input without members.
pub(crate) fn input<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    let body = if body.is_empty() { b"{}" } else { body };
    // A list would be taken for a structure's members in their order.
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err("the body is not a JSON object".to_owned());
    }
    serde_json::from_slice(body).map_err(|error| format!("the body is not the JSON of this input: {error}"))
}

/// A successful answer. A result that cannot be written is a fault of the service.
pub(crate) fn success(result: &impl Serialize, request_id: &str) -> Response {
    match serde_json::to_vec(result) {
        Ok(body) => answer(http::StatusCode::OK, body, request_id),
        Err(error) => failure(
            &crate::SqsError::InternalFailure.with(format!("cannot write the result: {error}")),
            request_id,
        ),
    }
}

/// An error answer.
pub(crate) fn failure(error: &ServiceError, request_id: &str) -> Response {
    let body = serde_json::json!({ "__type": error.shape, "message": error.message });
    let mut response = answer(error.status, body.to_string().into_bytes(), request_id);
    let blame = if error.sender { "Sender" } else { "Receiver" };
    if let Ok(value) = HeaderValue::try_from(format!("{};{blame}", error.query_code)) {
        response.headers_mut().insert(QUERY_ERROR, value);
    }
    response
}

fn answer(status: http::StatusCode, body: Vec<u8>, request_id: &str) -> Response {
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    if let Ok(value) = HeaderValue::try_from(request_id) {
        headers.insert(REQUEST_ID, value);
    }
    response
}

/// The code and message of an error answer: the Query code where there is one, as SDKs report it,
/// else the shape's name. `None` when the answer is no error.
pub fn decode_error(response: &Response) -> Option<(String, String)> {
    if response.status().is_success() {
        return None;
    }
    let body: Value = serde_json::from_slice(response.body()).unwrap_or_default();
    let text = |key: &str| body.get(key).and_then(Value::as_str);
    let header = response.headers().get(QUERY_ERROR).and_then(|value| value.to_str().ok());
    let code = header.and_then(|value| value.split(';').next());
    let shape = || text("__type").and_then(|shape| shape.rsplit('#').next());
    let code = code.or_else(shape).map_or_else(|| response.status().as_str().to_owned(), str::to_owned);
    let message = text("message").or_else(|| text("Message")).unwrap_or_default();
    Some((code, message.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SqsError;

    #[test]
    fn an_error_answer_has_the_type_the_message_and_the_query_error_header() {
        let error = SqsError::QueueDoesNotExist.with("The specified queue does not exist.");
        let response = failure(&error, "r-1");
        assert_eq!(response.status(), 400);
        assert_eq!(response.headers()["content-type"], "application/x-amz-json-1.0");
        assert_eq!(response.headers()["x-amzn-requestid"], "r-1");
        assert_eq!(
            response.headers()["x-amzn-query-error"],
            "AWS.SimpleQueueService.NonExistentQueue;Sender"
        );
        assert_eq!(
            &response.body()[..],
            br#"{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"The specified queue does not exist."}"#
        );
        let decoded = decode_error(&response).expect("an error");
        assert_eq!(decoded.0, "AWS.SimpleQueueService.NonExistentQueue");
        assert_eq!(decoded.1, "The specified queue does not exist.");
    }

    #[test]
    fn an_error_without_query_header_or_body_still_has_a_code() {
        let mut response = Response::new(Bytes::from_static(br#"{"__type":"a.b#Throttled"}"#));
        *response.status_mut() = http::StatusCode::BAD_REQUEST;
        assert_eq!(decode_error(&response), Some(("Throttled".into(), String::new())));
        let mut response = Response::new(Bytes::from_static(b"<html>"));
        *response.status_mut() = http::StatusCode::BAD_GATEWAY;
        assert_eq!(decode_error(&response), Some(("502".into(), String::new())));
    }

    #[test]
    fn a_success_is_no_error() {
        let response = success(&serde_json::json!({ "MessageId": "m" }), "r-1");
        assert_eq!(&response.body()[..], br#"{"MessageId":"m"}"#);
        assert_eq!(decode_error(&response), None);
    }
}
