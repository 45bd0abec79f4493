//! AWS calls and answers as they travel over HTTP: what a request asks for, and how a result or an
//! error is written. One module a protocol (`json`, `query`, `cbor`, `rest`), and one model a service that
//! says what its API looks like; it knows no service's behaviour and does no I/O. [`Upstream`] is
//! what stands behind a proxy: a sandbox in process, a URL, or AWS.

mod body;
mod call;
mod cbor;
mod credential;
mod error_answer;
mod errors;
mod json;
mod model;
mod not_a_call;
mod query;
mod reply;
mod rest;
mod result;
mod retry;
mod service;
mod upstream;
mod values;

pub use body::{body, unpack};
pub use call::{Attempt, Call, Head, Protocol, decode};
pub use credential::Credential;
pub use error_answer::decode_error;
pub use errors::{
    CloudWatchError, CommonError, EventBridgeError, LambdaError, PipesError, SchedulerError, ServiceError,
    SnsError, SqsError,
};
pub use not_a_call::NotACall;
pub use reply::{failure, success, success_with_payload};
pub use result::decode_result;
pub use retry::is_retryable;
pub use service::Service;
pub use upstream::{Forwarding, Request, Response, Upstream, UpstreamError};
