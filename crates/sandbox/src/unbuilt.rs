//! What is said of that which this sandbox does not have.

use std::fmt::Display;

use havoq_wire::{CommonError, ServiceError};

/// An operation, or a value, that is not built.
pub(crate) fn not_implemented(what: impl Display) -> ServiceError {
    CommonError::NotImplemented.with(unbuilt(what))
}

/// The text for what is not built, where it goes into another error.
pub(crate) fn unbuilt(what: impl Display) -> String {
    format!("{what} is not implemented in havoq's sandbox yet")
}
