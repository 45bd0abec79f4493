//! The names and statuses of CloudWatch's errors, as its model has them.

use super::service::{Names, ServiceError};

/// The errors of CloudWatch. Those of every service are in [`CommonError`](super::CommonError).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloudWatchError {
    ConcurrentModification,
    DashboardInvalidInput,
    DashboardNotFound,
    InternalService,
    InvalidFormat,
    InvalidNextToken,
    InvalidParameterCombination,
    InvalidParameterValue,
    LimitExceeded,
    LimitExceededException,
    MissingParameter,
    ResourceConflict,
    ResourceNotFound,
    ResourceNotFoundException,
    Validation,
}

const NAMESPACE: &str = "com.amazonaws.cloudwatch#";

impl CloudWatchError {
    pub fn with(self, message: impl Into<String>) -> ServiceError {
        ServiceError::named(NAMESPACE, self.names(), message)
    }

    fn names(self) -> Names {
        match self {
            Self::ConcurrentModification => {
                ("ConcurrentModificationException", "ConcurrentModificationException", 429)
            }
            Self::DashboardInvalidInput => ("DashboardInvalidInputError", "InvalidParameterInput", 400),
            Self::DashboardNotFound => ("DashboardNotFoundError", "ResourceNotFound", 404),
            Self::InternalService => ("InternalServiceFault", "InternalServiceError", 500),
            Self::InvalidFormat => ("InvalidFormatFault", "InvalidFormat", 400),
            Self::InvalidNextToken => ("InvalidNextToken", "InvalidNextToken", 400),
            Self::InvalidParameterCombination => {
                ("InvalidParameterCombinationException", "InvalidParameterCombination", 400)
            }
            Self::InvalidParameterValue => ("InvalidParameterValueException", "InvalidParameterValue", 400),
            Self::LimitExceeded => ("LimitExceededFault", "LimitExceeded", 400),
            Self::LimitExceededException => ("LimitExceededException", "LimitExceededException", 400),
            Self::MissingParameter => ("MissingRequiredParameterException", "MissingParameter", 400),
            Self::ResourceConflict => ("ResourceConflict", "ResourceConflict", 409),
            Self::ResourceNotFound => ("ResourceNotFound", "ResourceNotFound", 404),
            Self::ResourceNotFoundException => {
                ("ResourceNotFoundException", "ResourceNotFoundException", 404)
            }
            Self::Validation => ("ValidationException", "ValidationError", 400),
        }
    }
}
