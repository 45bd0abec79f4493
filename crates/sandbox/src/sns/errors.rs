//! SNS's error texts that more than one operation uses.

use std::fmt::Display;

use havoq_wire::{ServiceError, SnsError};
use serde::de::DeserializeOwned;

/// The common form of a complaint.
pub(super) fn invalid(what: impl Display) -> ServiceError {
    SnsError::InvalidParameter.with(format!("Invalid parameter: {what}"))
}

pub(super) fn missing(parameter: &str) -> ServiceError {
    invalid(format_args!("{parameter} Reason: no value for required parameter"))
}

pub(super) fn no_topic() -> ServiceError {
    SnsError::NotFound.with("Topic does not exist")
}

pub(super) fn no_subscription() -> ServiceError {
    SnsError::NotFound.with("Subscription does not exist")
}

/// The parts of an ARN: partition, service, region, account and the rest are those after `arn`.
pub(super) fn arn_parts<'a>(parameter: &str, arn: &'a str) -> Result<Vec<&'a str>, ServiceError> {
    let parts: Vec<_> = arn.split(':').collect();
    if parts.len() < 6 {
        let count = parts.len();
        return Err(invalid(format_args!(
            "{parameter} Reason: An ARN must have at least 6 elements, not {count}"
        )));
    }
    Ok(parts)
}

/// Reads a policy. The error is without the attribute's name.
pub(super) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("failed to parse JSON. {error}"))
}
