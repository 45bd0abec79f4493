//! An error as a service answers it.

use std::borrow::Cow;

use http::StatusCode;

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
}

/// The names that one error has: shape, Query code, status.
pub(super) type Names = (&'static str, &'static str, u16);

impl ServiceError {
    /// An error of the names that a table holds.
    pub(super) fn named(namespace: &str, names: Names, message: impl Into<String>) -> Self {
        let (shape, query_code, status) = names;
        let status = StatusCode::from_u16(status).expect("the tables hold valid statuses");
        Self {
            shape: Cow::Owned(format!("{namespace}{shape}")),
            query_code: Cow::Borrowed(query_code),
            message: message.into(),
            status,
            sender: status.is_client_error(),
        }
    }

    /// The shape without its namespace.
    pub fn shape_name(&self) -> &str {
        self.shape.rsplit('#').next().unwrap_or(&self.shape)
    }
}
