//! The names and statuses of SNS's errors, as its model has them.

use super::service::{Names, ServiceError};

/// The errors of SNS. Those of every service are in [`CommonError`](super::CommonError).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnsError {
    AuthorizationError,
    BatchEntryIdsNotDistinct,
    BatchRequestTooLong,
    ConcurrentAccess,
    EmptyBatchRequest,
    EndpointDisabled,
    FilterPolicyLimitExceeded,
    InternalError,
    InvalidBatchEntryId,
    InvalidParameter,
    InvalidParameterValue,
    InvalidSecurity,
    InvalidState,
    KmsAccessDenied,
    KmsDisabled,
    KmsInvalidState,
    KmsNotFound,
    KmsOptInRequired,
    KmsThrottling,
    NotFound,
    OptedOut,
    PlatformApplicationDisabled,
    ReplayLimitExceeded,
    ResourceNotFound,
    StaleTag,
    SubscriptionLimitExceeded,
    TagLimitExceeded,
    TagPolicy,
    Throttled,
    TooManyEntriesInBatchRequest,
    TopicLimitExceeded,
    UserError,
    Validation,
}

const NAMESPACE: &str = "com.amazonaws.sns#";

impl SnsError {
    pub fn with(self, message: impl Into<String>) -> ServiceError {
        ServiceError::named(NAMESPACE, self.names(), message)
    }

    fn names(self) -> Names {
        match self {
            Self::AuthorizationError => ("AuthorizationErrorException", "AuthorizationError", 403),
            Self::BatchEntryIdsNotDistinct => {
                ("BatchEntryIdsNotDistinctException", "BatchEntryIdsNotDistinct", 400)
            }
            Self::BatchRequestTooLong => ("BatchRequestTooLongException", "BatchRequestTooLong", 400),
            Self::ConcurrentAccess => ("ConcurrentAccessException", "ConcurrentAccess", 400),
            Self::EmptyBatchRequest => ("EmptyBatchRequestException", "EmptyBatchRequest", 400),
            Self::EndpointDisabled => ("EndpointDisabledException", "EndpointDisabled", 400),
            Self::FilterPolicyLimitExceeded => {
                ("FilterPolicyLimitExceededException", "FilterPolicyLimitExceeded", 403)
            }
            Self::InternalError => ("InternalErrorException", "InternalError", 500),
            Self::InvalidBatchEntryId => ("InvalidBatchEntryIdException", "InvalidBatchEntryId", 400),
            Self::InvalidParameter => ("InvalidParameterException", "InvalidParameter", 400),
            Self::InvalidParameterValue => ("InvalidParameterValueException", "ParameterValueInvalid", 400),
            Self::InvalidSecurity => ("InvalidSecurityException", "InvalidSecurity", 403),
            Self::InvalidState => ("InvalidStateException", "InvalidState", 400),
            Self::KmsAccessDenied => ("KMSAccessDeniedException", "KMSAccessDenied", 400),
            Self::KmsDisabled => ("KMSDisabledException", "KMSDisabled", 400),
            Self::KmsInvalidState => ("KMSInvalidStateException", "KMSInvalidState", 400),
            Self::KmsNotFound => ("KMSNotFoundException", "KMSNotFound", 400),
            Self::KmsOptInRequired => ("KMSOptInRequired", "KMSOptInRequired", 403),
            Self::KmsThrottling => ("KMSThrottlingException", "KMSThrottling", 400),
            Self::NotFound => ("NotFoundException", "NotFound", 404),
            Self::OptedOut => ("OptedOutException", "OptedOut", 400),
            Self::PlatformApplicationDisabled => {
                ("PlatformApplicationDisabledException", "PlatformApplicationDisabled", 400)
            }
            Self::ReplayLimitExceeded => ("ReplayLimitExceededException", "ReplayLimitExceeded", 403),
            Self::ResourceNotFound => ("ResourceNotFoundException", "ResourceNotFound", 404),
            Self::StaleTag => ("StaleTagException", "StaleTag", 400),
            Self::SubscriptionLimitExceeded => {
                ("SubscriptionLimitExceededException", "SubscriptionLimitExceeded", 403)
            }
            Self::TagLimitExceeded => ("TagLimitExceededException", "TagLimitExceeded", 400),
            Self::TagPolicy => ("TagPolicyException", "TagPolicy", 400),
            Self::Throttled => ("ThrottledException", "Throttled", 429),
            Self::TooManyEntriesInBatchRequest => {
                ("TooManyEntriesInBatchRequestException", "TooManyEntriesInBatchRequest", 400)
            }
            Self::TopicLimitExceeded => ("TopicLimitExceededException", "TopicLimitExceeded", 403),
            Self::UserError => ("UserErrorException", "UserError", 400),
            Self::Validation => ("ValidationException", "ValidationException", 400),
        }
    }
}
