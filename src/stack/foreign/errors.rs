//! What a failed SDK call means: refused, not done there at all, or no answer.

use std::error::Error;

use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};
use hyper_util::client::legacy;

use super::Foreign;
use crate::stack::StackError;

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

/// The call that failed.
#[derive(Clone, Copy)]
pub(super) struct Failed<'a> {
    pub call: &'static str,
    /// Its name for the user.
    pub resource: &'a str,
}

impl Foreign {
    /// Why the call failed. No answer at all also marks the stack as gone.
    pub(super) fn failed<E>(&self, failed: Failed<'_>, error: &SdkError<E>) -> StackError
    where
        E: ProvideErrorMetadata + Error + 'static,
    {
        let Failed { call, resource } = failed;
        let resource = resource.to_owned();
        if matches!(error, SdkError::DispatchFailure(_) | SdkError::TimeoutError(_)) {
            let (url, reason) = (self.url.clone(), told(error));
            let gone = StackError::NoAnswer { url, call, resource, reason };
            self.is_gone(gone.to_string());
            return gone;
        }
        let status = error.raw_response().map(|response| response.status().as_u16());
        let code = error.code();
        let reason = match (code, error.message(), status) {
            (Some(code), Some(message), _) => format!("{code}: {message}"),
            (Some(code), None, _) => code.to_owned(),
            (None, _, Some(status)) => format!("HTTP status {status} without an error of AWS's form"),
            (None, _, None) => told(error),
        };
        let unknown = code.is_some_and(|code| UNKNOWN.contains(&code));
        if unknown || matches!(status, Some(404 | 405 | 501) if code.is_none()) || status == Some(501) {
            return StackError::Unsupported { call, reason };
        }
        StackError::Refused { call, resource, reason }
    }
}

/// Whether the call certainly did nothing, since it never got to a stack.
pub(super) fn never_sent(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(|cause| cause.downcast_ref::<legacy::Error>().is_some_and(legacy::Error::is_connect))
}

/// The error and what caused it: the outermost one only says that a client had an error.
pub(super) fn told(error: &(dyn Error + 'static)) -> String {
    let mut parts: Vec<String> = causes(error).map(ToString::to_string).collect();
    parts.dedup();
    parts.join(": ")
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let error = next?;
        next = error.source();
        Some(error)
    })
}
