//! Scheduler's error texts that more than one operation uses.

use havoq_wire::{SchedulerError, ServiceError};

pub(super) fn validation(text: impl Into<String>) -> ServiceError {
    SchedulerError::ValidationException.with(text)
}

pub(super) fn no_schedule(name: &str) -> ServiceError {
    SchedulerError::ResourceNotFoundException.with(format!("Schedule {name} does not exist."))
}

pub(super) fn no_group(name: &str) -> ServiceError {
    SchedulerError::ResourceNotFoundException.with(format!("Schedule group {name} does not exist."))
}
