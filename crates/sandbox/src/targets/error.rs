//! What went wrong at a target, in the words of dead letters (semantics 3.4).

use crate::lambda::InvokeRefusal;
use crate::sns::PublishRefusal;
use crate::sqs::Refusal;

/// An attempt that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetError {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

/// `ERROR_CODE` of a dead letter. AWS lists more; these are the ones that can happen here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorCode {
    /// The target is unavailable, or unhealthy.
    ErrorFromTarget,
    /// What the input transformer made is not JSON.
    InvalidJson,
    InvalidParameter,
    NoPermissions,
    NoResource,
    /// An event that came from another account would go on to a third one.
    ThirdAccountHop,
    /// An event that came from another region would go on to a third one.
    ThirdRegionHop,
    Throttling,
}

impl ErrorCode {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::ErrorFromTarget => "ERROR_FROM_TARGET",
            Self::InvalidJson => "INVALID_JSON",
            Self::InvalidParameter => "INVALID_PARAMETER",
            Self::NoPermissions => "NO_PERMISSIONS",
            Self::NoResource => "NO_RESOURCE",
            Self::ThirdAccountHop => "THIRD_ACCOUNT_HOP_DETECTED",
            Self::ThirdRegionHop => "THIRD_REGION_HOP_DETECTED",
            Self::Throttling => "THROTTLING",
        }
    }

    /// Whether another attempt makes sense: nothing else gets better by itself.
    pub(crate) fn is_retryable(self) -> bool {
        matches!(self, Self::ErrorFromTarget | Self::Throttling)
    }

    pub(crate) fn with(self, message: impl Into<String>) -> TargetError {
        TargetError { code: self, message: message.into() }
    }
}

impl From<Refusal> for TargetError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NoQueue => ErrorCode::NoResource.with("the queue does not exist"),
            Refusal::Denied => ErrorCode::NoPermissions.with("the queue's policy does not allow it"),
            Refusal::Invalid(error) => ErrorCode::InvalidParameter.with(error.message),
        }
    }
}

impl From<PublishRefusal> for TargetError {
    fn from(refusal: PublishRefusal) -> Self {
        match refusal {
            PublishRefusal::NoTopic => ErrorCode::NoResource.with("the topic does not exist"),
            PublishRefusal::Denied => ErrorCode::NoPermissions.with("the topic's policy does not allow it"),
            PublishRefusal::Invalid(error) => ErrorCode::InvalidParameter.with(error.message),
        }
    }
}

impl From<InvokeRefusal> for TargetError {
    fn from(refusal: InvokeRefusal) -> Self {
        match refusal {
            InvokeRefusal::NoFunction => ErrorCode::NoResource.with("the function does not exist"),
            InvokeRefusal::Denied => ErrorCode::NoPermissions.with("the function's policy does not allow it"),
        }
    }
}
