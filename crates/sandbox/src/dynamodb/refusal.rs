//! What the engine refuses, as DynamoDB answers it: some errors carry more than a type and a message.

use std::borrow::Cow;

use dynoxide::DynoxideError;
use havoq_wire::{CommonError, ServiceError};
use http::StatusCode;
use serde_json::Value;

use super::names::Prefix;
use super::sorted::sorted;

/// Operations that wrap some of what they find in a text of their own.
const WRAPPING: [&str; 3] = ["PutItem", "UpdateItem", "DeleteItem"];

/// What there may be beside the type and the message: the item that failed a condition, the reasons
/// of a cancelled transaction, and the message once more under the name that some errors have it by.
const DETAILS: [&str; 3] = ["CancellationReasons", "Item", "Message"];

/// What the engine says of a failed operation.
pub(super) fn refused(operation: &str, error: DynoxideError, prefix: &Prefix) -> ServiceError {
    let error = match error {
        DynoxideError::EnvelopedValidation(text) if WRAPPING.contains(&operation) => {
            DynoxideError::ValidationException(format!("1 validation error detected: {text}"))
        }
        error => error,
    };
    let status = StatusCode::from_u16(error.status_code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let (shape, message) = (error.error_type(), prefix.message(&error.to_string()));
    let mut members: Value = serde_json::from_str(&error.to_json()).unwrap_or_default();
    let mut detail = |name: &'static str| Some((name, sorted(members.get_mut(name)?.take())));
    let mut details: Vec<_> = DETAILS.into_iter().filter_map(&mut detail).collect();
    if let Some((_, text)) = details.iter_mut().find(|(name, _)| *name == "Message") {
        *text = Value::from(message.as_str());
    }
    ServiceError {
        shape: Cow::Borrowed(shape),
        query_code: Cow::Borrowed(shape.rsplit('#').next().unwrap_or(shape)),
        message,
        status,
        sender: status.is_client_error(),
        details,
    }
}

/// An operation that DynamoDB has and the engine has not.
pub(super) fn not_built(operation: &str) -> ServiceError {
    CommonError::NotImplemented.with(format!("{operation} is not implemented"))
}
