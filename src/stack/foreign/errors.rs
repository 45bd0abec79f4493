//! What a failed SDK call means: refused, not done there at all, or no answer.

use std::error::Error;

use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};
use hyper_util::client::legacy;

use super::Foreign;
use crate::stack::StackError;
use crate::stack::errors::{causes, coded, told, unknown_operation};

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
        let reason = coded(error).unwrap_or_else(|| match status {
            Some(status) => format!("HTTP status {status} without an error of AWS's form"),
            None => told(error),
        });
        if unknown_operation(error) {
            return StackError::Unsupported { call, reason };
        }
        StackError::Refused { call, resource, reason }
    }
}

/// Whether the call certainly did nothing, since it never got to a stack.
pub(super) fn never_sent(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(|cause| cause.downcast_ref::<legacy::Error>().is_some_and(legacy::Error::is_connect))
}
