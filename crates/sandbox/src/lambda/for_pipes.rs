//! What pipes ask of functions: to be invoked and waited for, or to take an event.

use bytes::Bytes;
use havoq_base::StackTime;
use havoq_lambda::BatchId;

use super::asynchronous::NewEvent;
use super::running::{Call, Origin};
use super::{FunctionId, InvokeRefusal};
use crate::acting::Acting;
use crate::core::Core;
use crate::pipes::PipeId;

/// Why a pipe's invocation did not begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotBegun {
    Refused(InvokeRefusal),
    /// No concurrency was free: it may be tried again.
    Throttled,
}

impl Core {
    /// Invokes a function for a batch of a pipe, which goes on when the invocation has ended.
    pub(crate) fn invoke_for_pipe(
        &mut self,
        now: StackTime,
        (pipe, batch): (PipeId, BatchId),
        acting: Acting<'_>,
        function_arn: &str,
        payload: Bytes,
    ) -> Result<(), NotBegun> {
        let (function, call) =
            self.call_for_pipe(acting, function_arn, payload).map_err(NotBegun::Refused)?;
        let begun = self.begin_invocation(now, function, call, Origin::Pipe(pipe, batch));
        begun.map_err(|_| NotBegun::Throttled)
    }

    /// Gives a function an event of a pipe, which does not wait for it.
    pub(crate) fn event_from_pipe(
        &mut self,
        now: StackTime,
        acting: Acting<'_>,
        function_arn: &str,
        payload: Bytes,
    ) -> Result<(), InvokeRefusal> {
        let (function, call) = self.call_for_pipe(acting, function_arn, payload)?;
        self.accept_event(now, NewEvent { function, call });
        Ok(())
    }

    fn call_for_pipe(
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
        let (request_id, invoked_arn) = (self.new_id(), named.qualified());
        Ok((
            function,
            Call {
                request_id,
                invoked_arn,
                payload,
                trace_id: None,
                client_context: None,
                messages: Vec::new(),
            },
        ))
    }
}
