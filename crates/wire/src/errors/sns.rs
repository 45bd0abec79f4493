//! The errors of SNS's model.

use super::modelled::modelled;

modelled! {
    /// The errors of SNS. Those of every service are in [`CommonError`](super::CommonError).
    SnsError of Sns {
        AuthorizationError => "AuthorizationErrorException",
        BatchEntryIdsNotDistinct => "BatchEntryIdsNotDistinctException",
        BatchRequestTooLong => "BatchRequestTooLongException",
        ConcurrentAccess => "ConcurrentAccessException",
        EmptyBatchRequest => "EmptyBatchRequestException",
        EndpointDisabled => "EndpointDisabledException",
        FilterPolicyLimitExceeded => "FilterPolicyLimitExceededException",
        InternalError => "InternalErrorException",
        InvalidBatchEntryId => "InvalidBatchEntryIdException",
        InvalidParameter => "InvalidParameterException",
        InvalidParameterValue => "InvalidParameterValueException",
        InvalidSecurity => "InvalidSecurityException",
        InvalidState => "InvalidStateException",
        KmsAccessDenied => "KMSAccessDeniedException",
        KmsDisabled => "KMSDisabledException",
        KmsInvalidState => "KMSInvalidStateException",
        KmsNotFound => "KMSNotFoundException",
        KmsOptInRequired => "KMSOptInRequired",
        KmsThrottling => "KMSThrottlingException",
        NotFound => "NotFoundException",
        OptedOut => "OptedOutException",
        PlatformApplicationDisabled => "PlatformApplicationDisabledException",
        ReplayLimitExceeded => "ReplayLimitExceededException",
        ResourceNotFound => "ResourceNotFoundException",
        StaleTag => "StaleTagException",
        SubscriptionLimitExceeded => "SubscriptionLimitExceededException",
        TagLimitExceeded => "TagLimitExceededException",
        TagPolicy => "TagPolicyException",
        Throttled => "ThrottledException",
        TooManyEntriesInBatchRequest => "TooManyEntriesInBatchRequestException",
        TopicLimitExceeded => "TopicLimitExceededException",
        UserError => "UserErrorException",
        Validation => "ValidationException",
    }
}
