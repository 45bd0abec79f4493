//! What other services invoke, such as SNS on behalf of a topic: always asynchronously (semantics
//! 5.6).

use havoq_base::StackTime;

use crate::core::Core;

/// An event from a service.
#[allow(dead_code, reason = "the services that call it come next")]
#[derive(Debug)]
pub(crate) struct ServiceInvoke<'a> {
    /// With or without a qualifier.
    pub(crate) function_arn: &'a str,
    /// The principal, such as `events.amazonaws.com`.
    pub(crate) service: &'a str,
    /// On whose behalf: `aws:SourceArn` of the function's policy.
    pub(crate) source_arn: &'a str,
    pub(crate) payload: String,
}

/// Why a function was not invoked. None of it gets better by itself.
#[allow(dead_code, reason = "the services that call it come next")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InvokeRefusal {
    NoFunction,
    /// The function's policy does not let the service.
    Denied,
}

impl Core {
    /// Takes an event for a function; what comes of it, the service is not told.
    #[allow(dead_code, reason = "the services that call it come next")]
    pub(crate) fn invoke_as_service(
        &mut self,
        _now: StackTime,
        _invoke: ServiceInvoke<'_>,
    ) -> Result<(), InvokeRefusal> {
        Err(InvokeRefusal::NoFunction)
    }
}
