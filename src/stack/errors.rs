//! What a failed SDK call says, whoever made it.

use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};

pub(super) use crate::aws::{causes, told};

/// Codes with which stacks say that they do not know an operation.
const UNKNOWN: [&str; 9] = [
    "UnsupportedOperation",
    "UnsupportedOperationException",
    "AWS.SimpleQueueService.UnsupportedOperation",
    "UnknownOperation",
    "UnknownOperationException",
    "InvalidAction",
    "NotImplemented",
    "NotImplementedException",
    "UnrecognizedClientException",
];

/// Whether the stack answered that it does not do this at all.
pub(super) fn unknown_operation<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    let status = error.raw_response().map(|response| response.status().as_u16());
    let code = error.code();
    code.is_some_and(|code| UNKNOWN.contains(&code))
        || matches!(status, Some(404 | 405)) && code.is_none()
        || status == Some(501)
}

/// Whether the stack answered that there is no such thing.
pub(super) fn is_missing<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    let names = ["NonExistentQueue", "QueueDoesNotExist", "NotFound"];
    error.code().is_some_and(|code| names.iter().any(|name| code.contains(name)))
}

/// The code of the answer, with its message if it has one.
pub(super) fn coded<E: ProvideErrorMetadata>(error: &SdkError<E>) -> Option<String> {
    let code = error.code()?;
    Some(error.message().map_or_else(|| code.to_owned(), |message| format!("{code}: {message}")))
}
