//! The errors that the front end of every service has, whatever the service's own model says.

use super::service::ServiceError;

/// What a request can fail of before it reaches an operation, or beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonError {
    AccessDenied,
    InternalFailure,
    InvalidAction,
    InvalidParameterValue,
    MalformedInput,
    MissingAction,
    MissingParameter,
    NotImplemented,
    Serialization,
    ServiceUnavailable,
    Throttling,
    ValidationError,
}

const NAMESPACE: &str = "com.amazon.coral.service#";

impl CommonError {
    const ALL: [Self; 12] = [
        Self::AccessDenied,
        Self::InternalFailure,
        Self::InvalidAction,
        Self::InvalidParameterValue,
        Self::MalformedInput,
        Self::MissingAction,
        Self::MissingParameter,
        Self::NotImplemented,
        Self::Serialization,
        Self::ServiceUnavailable,
        Self::Throttling,
        Self::ValidationError,
    ];

    /// The error of this shape or Query code.
    pub(super) fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|error| {
            let (shape, query_code, _) = error.names();
            code == shape || code == query_code
        })
    }

    pub fn with(self, message: impl Into<String>) -> ServiceError {
        let (shape, query_code, status) = self.names();
        ServiceError::named(format!("{NAMESPACE}{shape}"), query_code, status, message)
    }

    /// Shape, Query code, status.
    fn names(self) -> (&'static str, &'static str, u16) {
        match self {
            Self::AccessDenied => ("AccessDeniedException", "AccessDenied", 403),
            Self::InternalFailure => ("InternalFailure", "InternalFailure", 500),
            Self::InvalidAction => ("UnknownOperationException", "InvalidAction", 400),
            Self::InvalidParameterValue => ("InvalidParameterValueException", "InvalidParameterValue", 400),
            Self::MalformedInput => ("SerializationException", "MalformedInput", 400),
            Self::MissingAction => ("UnknownOperationException", "MissingAction", 400),
            Self::MissingParameter => ("MissingRequiredParameterException", "MissingParameter", 400),
            Self::NotImplemented => ("NotImplementedException", "NotImplemented", 501),
            Self::Serialization => ("SerializationException", "SerializationException", 400),
            Self::ServiceUnavailable => ("ServiceUnavailable", "ServiceUnavailable", 503),
            Self::Throttling => ("ThrottlingException", "Throttling", 400),
            Self::ValidationError => ("ValidationException", "ValidationError", 400),
        }
    }
}
