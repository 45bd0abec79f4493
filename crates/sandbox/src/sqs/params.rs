//! Reading the inputs of operations.

use havoq_base::StackDuration;
use havoq_wire::{ServiceError, SqsError};

use super::errors::{invalid_value, missing};
use crate::place::is_account;

/// An operation's input out of its members.
#[cfg(test)]
pub(crate) fn parse<T: serde::de::DeserializeOwned>(params: serde_json::Value) -> Result<T, ServiceError> {
    serde_json::from_value(params)
        .map_err(|error| havoq_wire::CommonError::Serialization.with(error.to_string()))
}

/// A queue as a QueueUrl names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueueName {
    /// The caller's own when absent.
    pub(crate) account: Option<String>,
    pub(crate) name: String,
}

/// The last two parts of a QueueUrl, whatever the host is, because clients reach a sandbox under
/// many (semantics 8.3). A bare name is taken too, as AWS does.
pub(crate) fn queue_name(url: Option<&str>) -> Result<QueueName, ServiceError> {
    let url = url.filter(|url| !url.is_empty()).ok_or_else(|| missing("QueueUrl"))?;
    let mut parts = url.trim_end_matches('/').rsplit('/');
    match (parts.next(), parts.next().filter(|part| is_account(part))) {
        (Some(name), Some(account)) => {
            Ok(QueueName { account: Some(account.to_owned()), name: name.to_owned() })
        }
        (Some(name), None) if name == url => Ok(QueueName { account: None, name: name.to_owned() }),
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
