//! The names and statuses of SQS's errors (semantics 1.15).

use std::borrow::Cow;

use http::StatusCode;

use super::service::ServiceError;

/// The errors of SQS. Their texts are the caller's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SqsError {
    AccessDenied,
    BatchEntryIdsNotDistinct,
    BatchRequestTooLong,
    EmptyBatchRequest,
    InternalFailure,
    InvalidAction,
    InvalidAddress,
    InvalidAttributeName,
    InvalidAttributeValue,
    InvalidBatchEntryId,
    InvalidMessageContents,
    InvalidParameterValue,
    MessageNotInflight,
    MissingParameter,
    OverLimit,
    PurgeQueueInProgress,
    QueueDeletedRecently,
    QueueDoesNotExist,
    QueueNameExists,
    ReceiptHandleIsInvalid,
    RequestThrottled,
    ResourceNotFound,
    Serialization,
    ServiceUnavailable,
    TooManyEntriesInBatchRequest,
    UnsupportedOperation,
}

/// Errors in SQS's own model, and those that the front end of every service has.
const MODELLED: &str = "com.amazonaws.sqs#";
const COMMON: &str = "com.amazon.coral.service#";
/// What Query codes of many modelled errors begin with.
const PREFIX: &str = "AWS.SimpleQueueService.";

impl SqsError {
    pub fn with(self, message: impl Into<String>) -> ServiceError {
        let (namespace, shape) = self.shape();
        let status = self.status();
        ServiceError {
            shape: Cow::Owned(format!("{namespace}{shape}")),
            query_code: self.query_code(),
            message: message.into(),
            status,
            sender: status.is_client_error(),
        }
    }

    fn shape(self) -> (&'static str, &'static str) {
        match self {
            Self::AccessDenied => (COMMON, "AccessDeniedException"),
            Self::BatchEntryIdsNotDistinct => (MODELLED, "BatchEntryIdsNotDistinct"),
            Self::BatchRequestTooLong => (MODELLED, "BatchRequestTooLong"),
            Self::EmptyBatchRequest => (MODELLED, "EmptyBatchRequest"),
            Self::InternalFailure => (COMMON, "InternalFailure"),
            Self::InvalidAction => (COMMON, "UnknownOperationException"),
            Self::InvalidAddress => (MODELLED, "InvalidAddress"),
            Self::InvalidAttributeName => (MODELLED, "InvalidAttributeName"),
            Self::InvalidAttributeValue => (MODELLED, "InvalidAttributeValue"),
            Self::InvalidBatchEntryId => (MODELLED, "InvalidBatchEntryId"),
            Self::InvalidMessageContents => (MODELLED, "InvalidMessageContents"),
            Self::InvalidParameterValue => (COMMON, "InvalidParameterValueException"),
            Self::MessageNotInflight => (MODELLED, "MessageNotInflight"),
            Self::MissingParameter => (COMMON, "MissingRequiredParameterException"),
            Self::OverLimit => (MODELLED, "OverLimit"),
            Self::PurgeQueueInProgress => (MODELLED, "PurgeQueueInProgress"),
            Self::QueueDeletedRecently => (MODELLED, "QueueDeletedRecently"),
            Self::QueueDoesNotExist => (MODELLED, "QueueDoesNotExist"),
            Self::QueueNameExists => (MODELLED, "QueueNameExists"),
            Self::ReceiptHandleIsInvalid => (MODELLED, "ReceiptHandleIsInvalid"),
            Self::RequestThrottled => (MODELLED, "RequestThrottled"),
            Self::ResourceNotFound => (MODELLED, "ResourceNotFoundException"),
            Self::Serialization => (COMMON, "SerializationException"),
            Self::ServiceUnavailable => (COMMON, "ServiceUnavailable"),
            Self::TooManyEntriesInBatchRequest => (MODELLED, "TooManyEntriesInBatchRequest"),
            Self::UnsupportedOperation => (MODELLED, "UnsupportedOperation"),
        }
    }

    fn query_code(self) -> Cow<'static, str> {
        match self {
            Self::AccessDenied => "AccessDenied".into(),
            Self::InvalidAction => "InvalidAction".into(),
            Self::InvalidParameterValue => "InvalidParameterValue".into(),
            Self::MissingParameter => "MissingParameter".into(),
            Self::QueueDoesNotExist => format!("{PREFIX}NonExistentQueue").into(),
            Self::QueueNameExists => "QueueAlreadyExists".into(),
            Self::BatchEntryIdsNotDistinct
            | Self::BatchRequestTooLong
            | Self::EmptyBatchRequest
            | Self::InvalidBatchEntryId
            | Self::MessageNotInflight
            | Self::PurgeQueueInProgress
            | Self::QueueDeletedRecently
            | Self::TooManyEntriesInBatchRequest
            | Self::UnsupportedOperation => format!("{PREFIX}{}", self.shape().1).into(),
            _ => self.shape().1.into(),
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Self::AccessDenied | Self::PurgeQueueInProgress | Self::RequestThrottled => StatusCode::FORBIDDEN,
            Self::OverLimit => StatusCode::FORBIDDEN,
            Self::ResourceNotFound => StatusCode::NOT_FOUND,
            Self::InternalFailure => StatusCode::INTERNAL_SERVER_ERROR,
            Self::ServiceUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_the_names_of_semantics_1_15() {
        for (error, shape, query, status) in [
            (
                SqsError::QueueDoesNotExist,
                "com.amazonaws.sqs#QueueDoesNotExist",
                "AWS.SimpleQueueService.NonExistentQueue",
                400,
            ),
            (SqsError::QueueNameExists, "com.amazonaws.sqs#QueueNameExists", "QueueAlreadyExists", 400),
            (
                SqsError::InvalidParameterValue,
                "com.amazon.coral.service#InvalidParameterValueException",
                "InvalidParameterValue",
                400,
            ),
            (
                SqsError::MissingParameter,
                "com.amazon.coral.service#MissingRequiredParameterException",
                "MissingParameter",
                400,
            ),
            (SqsError::OverLimit, "com.amazonaws.sqs#OverLimit", "OverLimit", 403),
            (
                SqsError::PurgeQueueInProgress,
                "com.amazonaws.sqs#PurgeQueueInProgress",
                "AWS.SimpleQueueService.PurgeQueueInProgress",
                403,
            ),
            (
                SqsError::ResourceNotFound,
                "com.amazonaws.sqs#ResourceNotFoundException",
                "ResourceNotFoundException",
                404,
            ),
        ] {
            let error = error.with("text");
            assert_eq!((&*error.shape, &*error.query_code, error.status.as_u16()), (shape, query, status));
            assert!(error.sender);
        }
    }
}
