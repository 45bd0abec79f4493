//! An error as a service answers it.

use std::borrow::Cow;

use http::StatusCode;
use serde_json::Value;

/// An error answer, in all the names that it has on the wire (semantics 1.15).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{query_code}: {message}")]
pub struct ServiceError {
    /// The `__type` of JSON answers, namespace included.
    pub shape: Cow<'static, str>,
    /// The code of Query answers, which the SDKs of query-compatible services report.
    pub query_code: Cow<'static, str>,
    pub message: String,
    pub status: StatusCode,
    /// Whether the sender is to blame, rather than the service.
    pub sender: bool,
    /// Other members than the message, by their names in the API. Query has no place for them.
    pub details: Vec<(&'static str, Value)>,
}

impl ServiceError {
    /// An error by its names. The sender is to blame for a status of the client's.
    pub(super) fn named(
        shape: String,
        query_code: &'static str,
        status: u16,
        message: impl Into<String>,
    ) -> Self {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self {
            shape: Cow::Owned(shape),
            query_code: Cow::Borrowed(query_code),
            message: message.into(),
            status,
            sender: status.is_client_error(),
            details: Vec::new(),
        }
    }

    /// With one more member beside the message, such as `Reason`.
    pub fn detail(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.details.push((name, value.into()));
        self
    }

    /// The shape without its namespace.
    pub fn shape_name(&self) -> &str {
        self.shape.rsplit('#').next().unwrap_or(&self.shape)
    }
}
