//! An error as DynamoDB answers it: some carry more than a type and a message.

use std::borrow::Cow;

use dynoxide::DynoxideError;
use havoq_wire::{CommonError, ServiceError};
use http::StatusCode;
use serde_json::Value;

/// A refused call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) error: ServiceError,
    /// The whole answer, where it holds more than the error's type and message: the item that failed
    /// a condition, the reasons of a cancelled transaction.
    pub(crate) body: Option<Box<Value>>,
}

impl From<ServiceError> for Refusal {
    fn from(error: ServiceError) -> Self {
        Self { error, body: None }
    }
}

/// Operations that wrap some of what they find in a text of their own.
const WRAPPING: [&str; 3] = ["PutItem", "UpdateItem", "DeleteItem"];

impl Refusal {
    /// What the engine says of a failed operation.
    pub(super) fn of(operation: &str, error: DynoxideError) -> Self {
        let error = match error {
            DynoxideError::EnvelopedValidation(text) if WRAPPING.contains(&operation) => {
                DynoxideError::ValidationException(format!("1 validation error detected: {text}"))
            }
            error => error,
        };
        let status = StatusCode::from_u16(error.status_code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let shape = error.error_type();
        Self {
            error: ServiceError {
                shape: Cow::Borrowed(shape),
                query_code: Cow::Borrowed(shape.rsplit('#').next().unwrap_or(shape)),
                message: error.to_string(),
                status,
                sender: status.is_client_error(),
            },
            body: serde_json::from_str(&error.to_json()).ok(),
        }
    }

    /// An operation that DynamoDB has and the engine has not.
    pub(super) fn not_built(operation: &str) -> Self {
        CommonError::NotImplemented.with(format!("{operation} is not implemented")).into()
    }
}
