//! CloudWatch's error texts that more than one operation uses, with the namespaces that AWS's own
//! answers have.

use std::borrow::Cow;

use havoq_wire::{CloudWatchError, ServiceError};

const NAMESPACE: &str = "com.amazonaws.cloudwatch.v2010_08_01#";

fn error(error: CloudWatchError, message: impl Into<String>) -> ServiceError {
    let error = error.with(message);
    let shape = format!("{NAMESPACE}{}", error.shape_name());
    ServiceError { shape: Cow::Owned(shape), ..error }
}

pub(crate) fn validation(message: impl Into<String>) -> ServiceError {
    let shape = Cow::Borrowed("com.amazon.coral.validate#ValidationException");
    ServiceError { shape, ..CloudWatchError::Validation.with(message) }
}

pub(crate) fn invalid_value(message: impl Into<String>) -> ServiceError {
    error(CloudWatchError::InvalidParameterValue, message)
}

pub(crate) fn not_in(parameter: &str, all: &[&str]) -> ServiceError {
    invalid_value(format!("The parameter {parameter} must be a value in the set [ {} ].", all.join(", ")))
}

pub(crate) fn invalid_combination(message: impl Into<String>) -> ServiceError {
    error(CloudWatchError::InvalidParameterCombination, message)
}

pub(crate) fn missing(parameter: &str) -> ServiceError {
    error(CloudWatchError::MissingParameter, format!("The parameter {parameter} is required."))
}

/// AWS leaves the text empty.
pub(crate) fn not_found() -> ServiceError {
    error(CloudWatchError::ResourceNotFound, "")
}

/// For tags.
pub(crate) fn unknown_resource(arn: &str) -> ServiceError {
    error(CloudWatchError::ResourceNotFoundException, format!("Unknown resource {arn}"))
}

pub(crate) fn invalid_format(message: impl Into<String>) -> ServiceError {
    error(CloudWatchError::InvalidFormat, message)
}

pub(crate) fn invalid_token() -> ServiceError {
    error(CloudWatchError::InvalidNextToken, "Invalid nextToken")
}

/// What this sandbox does not do.
pub(crate) fn unsupported(what: impl std::fmt::Display) -> ServiceError {
    validation(crate::unbuilt::unbuilt(what))
}
