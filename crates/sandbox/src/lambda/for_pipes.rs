//! What pipes ask of functions: to be invoked and waited for.

use bytes::Bytes;
use havoq_base::StackTime;
use havoq_lambda::BatchId;

use super::InvokeRefusal;
use super::running::Origin;
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
            self.call_for_service(acting, function_arn, payload).map_err(NotBegun::Refused)?;
        let begun = self.begin_invocation(now, function, call, Origin::Pipe(pipe, batch));
        begun.map_err(|_| NotBegun::Throttled)
    }
}
