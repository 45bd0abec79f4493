//! What stands behind the boundary.

use std::future::Future;
use std::pin::Pin;

use bytes::Bytes;

/// A whole HTTP request.
pub type Request = http::Request<Bytes>;

/// A whole HTTP response.
pub type Response = http::Response<Bytes>;

/// An answer under way.
pub type Forwarding<'a> = Pin<Box<dyn Future<Output = Result<Response, UpstreamError>> + Send + 'a>>;

/// Answers calls. To drop the future is what a closed connection is on the wire: the call may have
/// been done or not.
pub trait Upstream: Send + Sync + 'static {
    fn forward(&self, request: Request) -> Forwarding<'_>;

    /// Whether a poll whose future is dropped takes no message with it. Where that is not known,
    /// the poll must be seen to its end, or receives go uncounted.
    fn takes_back_dropped_polls(&self) -> bool {
        true
    }
}

/// No answer came at all; an error answer is a [`Response`].
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct UpstreamError {
    message: String,
}

impl UpstreamError {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}
