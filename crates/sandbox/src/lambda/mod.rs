//! Lambda: functions, invocations and event source mappings (semantics 5). One file a family of
//! operations. Functions themselves run elsewhere: see crate lambda.

mod service;

#[allow(unused_imports, reason = "the services that call it come next")]
pub(crate) use service::{InvokeRefusal, ServiceInvoke};
