//! Error texts that more than one operation uses. Of Pipes they are not established, but for their kinds.

use havoq_wire::{PipesError, ServiceError};

pub(super) fn validation(text: impl Into<String>) -> ServiceError {
    PipesError::ValidationException.with(text)
}

pub(super) fn no_pipe(name: &str) -> ServiceError {
    PipesError::NotFoundException.with(format!("Pipe {name} does not exist."))
}
