//! What other services invoke, such as SNS on behalf of a topic: always asynchronously (semantics
//! 5.6).

use bytes::Bytes;
use havoq_base::StackTime;

use super::FunctionId;
use super::asynchronous::NewEvent;
use super::names::Named;
use super::running::Call;
use crate::acting::Acting;
use crate::core::Core;

/// An event from a service.
#[derive(Debug)]
pub(crate) struct ServiceInvoke<'a> {
    /// With or without a qualifier.
    pub(crate) function_arn: &'a str,
    pub(crate) acting: Acting<'a>,
    pub(crate) payload: Bytes,
}

/// Why a function was not invoked. None of it gets better by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InvokeRefusal {
    NoFunction,
    /// The function's policy does not let the service.
    Denied,
}

impl Core {
    /// Takes an event for a function; what comes of it, the service is not told.
    pub(crate) fn invoke_as_service(
        &mut self,
        now: StackTime,
        invoke: ServiceInvoke<'_>,
    ) -> Result<(), InvokeRefusal> {
        let ServiceInvoke { function_arn, acting, payload } = invoke;
        let (function, call) = self.call_for_service(acting, function_arn, payload)?;
        self.accept_event(now, NewEvent { function, call });
        Ok(())
    }

    /// The function of this ARN, if it lets somebody invoke it, and the call of it.
    pub(super) fn call_for_service(
        &mut self,
        acting: Acting<'_>,
        function_arn: &str,
        payload: Bytes,
    ) -> Result<(FunctionId, Call), InvokeRefusal> {
        let named = self.by_arn(function_arn).ok_or(InvokeRefusal::NoFunction)?;
        let function = self.find_function(&named).ok_or(InvokeRefusal::NoFunction)?;
        if !self.may_invoke(function, acting) {
            return Err(InvokeRefusal::Denied);
        }
        let call = Call {
            request_id: self.new_id(),
            invoked_arn: named.qualified(),
            payload,
            trace_id: None,
            client_context: None,
            messages: Vec::new(),
        };
        Ok((function, call))
    }

    /// What an ARN names, wherever that is.
    pub(super) fn by_arn(&self, arn: &str) -> Option<Named> {
        let (place, _) = self.places.resource("lambda", arn)?;
        Named::read(&self.places, place, arn, None).ok()
    }
}
