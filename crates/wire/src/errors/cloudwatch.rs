//! The errors of CloudWatch's model.

use super::modelled::modelled;

modelled! {
    /// The errors of CloudWatch. Those of every service are in [`CommonError`](super::CommonError).
    CloudWatchError of CloudWatch {
        ConcurrentModification => "ConcurrentModificationException",
        DashboardInvalidInput => "DashboardInvalidInputError",
        DashboardNotFound => "DashboardNotFoundError",
        InternalService => "InternalServiceFault",
        InvalidFormat => "InvalidFormatFault",
        InvalidNextToken => "InvalidNextToken",
        InvalidParameterCombination => "InvalidParameterCombinationException",
        InvalidParameterValue => "InvalidParameterValueException",
        LimitExceeded => "LimitExceededFault",
        LimitExceededException => "LimitExceededException",
        MissingParameter => "MissingRequiredParameterException",
        ResourceConflict => "ResourceConflict",
        ResourceNotFound => "ResourceNotFound",
        ResourceNotFoundException => "ResourceNotFoundException",
        Validation => "ValidationException",
    }
}
