//! SQS's error texts that more than one operation uses.

use havoq_wire::{CommonError, ServiceError, SqsError};

pub(crate) fn invalid_parameter(message: impl Into<String>) -> ServiceError {
    CommonError::InvalidParameterValue.with(message)
}

/// The common form of a complaint about one parameter.
pub(crate) fn invalid_value(value: impl std::fmt::Display, parameter: &str, reason: &str) -> ServiceError {
    invalid_parameter(format!("Value {value} for parameter {parameter} is invalid. Reason: {reason}"))
}

pub(crate) fn missing(parameter: &str) -> ServiceError {
    CommonError::MissingParameter.with(format!("The request must contain the parameter {parameter}."))
}

pub(crate) fn no_queue() -> ServiceError {
    SqsError::QueueDoesNotExist.with("The specified queue does not exist.")
}

pub(crate) fn bad_handle(handle: &str) -> ServiceError {
    SqsError::ReceiptHandleIsInvalid
        .with(format!("The input receipt handle \"{handle}\" is not a valid receipt handle."))
}

pub(crate) fn unknown_attribute(name: &str) -> ServiceError {
    SqsError::InvalidAttributeName.with(format!("Unknown Attribute {name}."))
}

pub(crate) fn bad_attribute(name: &str) -> ServiceError {
    SqsError::InvalidAttributeValue.with(format!("Invalid value for the parameter {name}."))
}

/// A parameter that only the other type of queue has.
pub(crate) fn wrong_type(parameter: &str) -> ServiceError {
    invalid_parameter(format!(
        "The request include parameter {parameter} which is not valid for this queue type"
    ))
}

pub(crate) fn too_long(limit: u64) -> ServiceError {
    let reason = format!("Message must be shorter than {limit} bytes.");
    invalid_parameter(format!("One or more parameters are invalid. Reason: {reason}"))
}
