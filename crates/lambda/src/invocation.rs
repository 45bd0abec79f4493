//! One invocation, as a function's runtime hears of it (semantics 5.5).

use std::sync::Arc;

use bytes::Bytes;
use havoq_base::StackTime;

use crate::function::FunctionSpec;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The same in each retry of an asynchronous invocation.
    pub request_id: String,
    pub function: Arc<FunctionSpec>,
    /// As the caller named it, with a qualifier if the caller gave one.
    pub invoked_arn: String,
    pub payload: Bytes,
    /// When it times out.
    pub deadline: StackTime,
    /// `X-Amzn-Trace-Id`, if the caller's request had one.
    pub trace_id: Option<String>,
    /// JSON text, of a synchronous caller.
    pub client_context: Option<String>,
}
