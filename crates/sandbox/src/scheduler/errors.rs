//! Scheduler's error texts that more than one operation uses.

use std::fmt::Display;

use havoq_wire::{CommonError, SchedulerError, ServiceError};

pub(super) fn validation(text: impl Into<String>) -> ServiceError {
    SchedulerError::ValidationException.with(text)
}

pub(super) fn no_schedule(name: &str) -> ServiceError {
    SchedulerError::ResourceNotFoundException.with(format!("Schedule {name} does not exist."))
}

pub(super) fn no_group(name: &str) -> ServiceError {
    SchedulerError::ResourceNotFoundException.with(format!("Schedule group {name} does not exist."))
}

/// What this sandbox does not have.
pub(super) fn not_implemented(what: impl Display) -> ServiceError {
    CommonError::NotImplemented.with(format!("{what} is not implemented in havoq's sandbox yet"))
}
