//! An error as a service answers it.

use std::borrow::Cow;

use http::StatusCode;
use serde_json::Value;

use super::common::CommonError;
use crate::service::Service;

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

    /// The error that this service answers under a code: the name of a shape in its model or of an
    /// error of every service, or either's code in Query. `None` when it knows no such error.
    pub fn of(service: Service, code: &str, message: impl Into<String>) -> Option<Self> {
        let errors = &service.model().errors;
        let by_code =
            || errors.iter().find(|(_, (query_code, _))| *query_code == code).map(|(shape, _)| shape);
        match errors.get_key_value(code).map(|(shape, _)| shape).or_else(by_code) {
            Some(shape) => Some(super::modelled::error(service, shape, message)),
            None => CommonError::of_code(code).map(|error| error.with(message)),
        }
    }

    /// An error that no model knows.
    pub fn unknown(code: &str, status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            shape: Cow::Owned(code.to_owned()),
            query_code: Cow::Owned(code.to_owned()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_found_by_either_of_its_names() {
        let of = |service, code| ServiceError::of(service, code, "").map(|error| error.shape.into_owned());
        assert_eq!(
            of(Service::Sqs, "QueueDoesNotExist").as_deref(),
            Some("com.amazonaws.sqs#QueueDoesNotExist")
        );
        let by_code = of(Service::Sqs, "AWS.SimpleQueueService.NonExistentQueue");
        assert_eq!(by_code.as_deref(), Some("com.amazonaws.sqs#QueueDoesNotExist"));
        let common = of(Service::Sqs, "AccessDenied");
        assert_eq!(common.as_deref(), Some("com.amazon.coral.service#AccessDeniedException"));
        assert_eq!(common, of(Service::Lambda, "AccessDeniedException"));
        assert_eq!(of(Service::Sqs, "NoSuchError"), None);
    }
}
