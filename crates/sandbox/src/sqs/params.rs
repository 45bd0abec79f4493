//! Reading the inputs of operations.

use havoq_base::StackDuration;
use havoq_wire::{ServiceError, SqsError};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::errors::{invalid_value, missing};

/// An operation's input out of its members.
pub(crate) fn parse<T: DeserializeOwned>(params: Value) -> Result<T, ServiceError> {
    serde_json::from_value(params).map_err(|error| SqsError::Serialization.with(error.to_string()))
}

/// The queue's name in a QueueUrl: its last part, whatever the host is, because clients reach a
/// sandbox under many (semantics 8.3).
pub(crate) fn queue_name<'a>(url: Option<&'a str>, account: &str) -> Result<&'a str, ServiceError> {
    let url = url.filter(|url| !url.is_empty()).ok_or_else(|| missing("QueueUrl"))?;
    let mut parts = url.trim_end_matches('/').rsplit('/');
    match (parts.next(), parts.next()) {
        (Some(name), Some(owner)) if owner == account => Ok(name),
        _ => Err(SqsError::InvalidAddress.with(format!("The address {url} is not valid for this endpoint."))),
    }
}

/// A whole number of seconds within limits.
pub(crate) fn seconds(
    value: i64,
    parameter: &str,
    limits: std::ops::RangeInclusive<i64>,
    reason: &str,
) -> Result<StackDuration, ServiceError> {
    match u64::try_from(value) {
        Ok(secs) if limits.contains(&value) => Ok(StackDuration::from_secs(secs)),
        _ => Err(invalid_value(value, parameter, reason)),
    }
}
