//! Lambda's error texts that more than one operation uses.

use std::fmt::Display;

use havoq_wire::{CommonError, LambdaError, ServiceError};

pub(super) fn invalid(text: impl Into<String>) -> ServiceError {
    LambdaError::InvalidParameterValueException.with(text)
}

/// What the front end finds wrong with members.
pub(super) fn validation(text: String) -> ServiceError {
    CommonError::ValidationError.with(text)
}

/// `arn` is what the caller asked for: some operations tell a qualifier, others do not.
pub(super) fn no_function(arn: impl Display) -> ServiceError {
    not_found(format!("Function not found: {arn}"))
}

pub(super) fn not_found(text: impl Into<String>) -> ServiceError {
    LambdaError::ResourceNotFoundException.with(text)
}

pub(super) fn no_resource() -> ServiceError {
    not_found("The resource you requested does not exist.")
}

pub(super) fn missing(member: &str) -> ServiceError {
    let mut name = member.to_owned();
    name[..1].make_ascii_lowercase();
    validation(format!(
        "1 validation error detected: Value null at '{name}' failed to satisfy constraint: Member must not be null"
    ))
}
