//! Why a request is no call, and the error that its sender is told.

use crate::call::Protocol;
use crate::errors::{CommonError, ServiceError};

/// Why a request is not a call that can be read.
#[derive(Debug, thiserror::Error)]
pub enum NotACall {
    #[error("a call is a POST, and this is a {0}")]
    Method(http::Method),
    #[error(
        "it is no call of a protocol that is understood: it has no X-Amz-Target header, no Smithy-Protocol header, no path of an operation and no form with an Action (content type {0:?})"
    )]
    Protocol(String),
    #[error("X-Amz-Target {0:?} names no operation of a service that is understood")]
    Target(String),
    #[error("the path {0:?} names no operation of a service that is understood")]
    Path(String),
    #[error(
        "the action {action:?} of version {version:?} is of no service that is understood, and no signature says of which it is"
    )]
    Action { action: String, version: String },
    #[error("{0}")]
    Body(String),
}

impl NotACall {
    /// What the service answers in this protocol.
    pub fn answer(&self, protocol: Protocol) -> ServiceError {
        let error = match (self, protocol) {
            (Self::Body(_), Protocol::Query) => CommonError::MalformedInput,
            (Self::Body(_), Protocol::Json | Protocol::Cbor | Protocol::Rest) => CommonError::Serialization,
            (Self::Protocol(_) | Self::Method(_), Protocol::Query) => CommonError::MissingAction,
            _ => CommonError::InvalidAction,
        };
        let mut error = error.with(self.to_string());
        if matches!((self, protocol), (Self::Path(_), Protocol::Rest)) {
            error.status = http::StatusCode::NOT_FOUND;
        }
        error
    }
}
