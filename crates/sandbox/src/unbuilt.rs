//! What this sandbox does not have says so, in the same words everywhere.

use std::fmt::Display;

use havoq_wire::{CommonError, ServiceError};

/// An operation or a value that this sandbox does not have.
pub(crate) fn not_implemented(what: impl Display) -> ServiceError {
    CommonError::NotImplemented.with(unbuilt(what))
}

/// The same as a text, for services that refuse a value by an error of their own.
pub(crate) fn unbuilt(what: impl Display) -> String {
    format!("{what} is not implemented in havoq's sandbox yet")
}
