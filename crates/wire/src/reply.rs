//! Answers, in the protocol of their calls.

use serde::Serialize;

use crate::call::{Head, Protocol};
use crate::errors::ServiceError;
use crate::json;
use crate::upstream::Response;

/// A successful answer. A result that cannot be written is a fault of the service.
pub fn success(head: &Head, result: &impl Serialize, request_id: &str) -> Response {
    match head.protocol {
        Protocol::Json => json::success(result, request_id),
    }
}

/// An error answer.
pub fn failure(head: &Head, error: &ServiceError, request_id: &str) -> Response {
    match head.protocol {
        Protocol::Json => json::failure(error, request_id),
    }
}
