//! AWS calls and answers as they travel over HTTP: what a request asks for, and how a result or an
//! error is written. One file a protocol (`json` so far); it knows no service's behaviour and does
//! no I/O. [`Upstream`] is what stands behind a proxy: a sandbox in process, a URL, or AWS.

mod call;
mod errors;
mod json;
mod reply;
mod retry;
mod upstream;

pub use call::{Attempt, Call, Head, NotACall, Protocol, Service, decode};
pub use errors::{CloudWatchError, CommonError, ServiceError, SnsError, SqsError};
pub use json::decode_error;
pub use reply::{failure, success};
pub use retry::is_retryable;
pub use upstream::{Forwarding, Request, Response, Upstream, UpstreamError};
