//! RedrivePolicy and RedriveAllowPolicy (semantics 1.9).

use havoq_wire::ServiceError;
use serde_json::Value;

use super::errors::invalid_value;

/// Where messages go that were received too often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RedrivePolicy {
    /// As it was set.
    pub(crate) text: String,
    pub(crate) target_arn: String,
    pub(crate) max_receive_count: u32,
}

const RECEIVE_COUNTS: std::ops::RangeInclusive<u32> = 1..=1000;

impl RedrivePolicy {
    /// `None` for the empty text, which removes a policy.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, ServiceError> {
        if text.is_empty() {
            return Ok(None);
        }
        let bad = |reason: &str| bad_policy(text, reason);
        let policy: Value =
            serde_json::from_str(text).map_err(|_| bad("Redrive policy is not a valid JSON map."))?;
        let target_arn = policy.get("deadLetterTargetArn").and_then(Value::as_str).ok_or_else(|| {
            bad("Redrive policy does not contain mandatory attribute: deadLetterTargetArn.")
        })?;
        let count = policy
            .get("maxReceiveCount")
            .ok_or_else(|| bad("Redrive policy does not contain mandatory attribute: maxReceiveCount."))?;
        let max_receive_count =
            count_of(count).filter(|count| RECEIVE_COUNTS.contains(count)).ok_or_else(|| {
                bad("Invalid value for maxReceiveCount, valid values are from 1 to 1000 both inclusive.")
            })?;
        Ok(Some(Self { text: text.to_owned(), target_arn: target_arn.to_owned(), max_receive_count }))
    }
}

pub(crate) fn bad_policy(text: &str, reason: &str) -> ServiceError {
    invalid_value(text, "RedrivePolicy", reason)
}

/// The count is taken as a number or as a numeric string.
fn count_of(value: &Value) -> Option<u32> {
    match value {
        Value::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// Which queues may name this one as their dead-letter queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RedriveAllowPolicy {
    pub(crate) text: String,
    permission: Permission,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Permission {
    AllowAll,
    DenyAll,
    ByQueue(Vec<String>),
}

impl RedriveAllowPolicy {
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, ServiceError> {
        if text.is_empty() {
            return Ok(None);
        }
        let bad = |reason: &str| invalid_value(text, "RedriveAllowPolicy", reason);
        let policy: Value =
            serde_json::from_str(text).map_err(|_| bad("Redrive allow policy is not a valid JSON map."))?;
        let arns = policy.get("sourceQueueArns").and_then(Value::as_array);
        let arns =
            arns.map(|arns| arns.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>());
        let permission = match (policy.get("redrivePermission").and_then(Value::as_str), arns) {
            (Some("allowAll"), None) => Permission::AllowAll,
            (Some("denyAll"), None) => Permission::DenyAll,
            (Some("byQueue"), Some(arns)) if (1..=10).contains(&arns.len()) => Permission::ByQueue(arns),
            _ => {
                return Err(bad(
                    "redrivePermission is allowAll, denyAll, or byQueue with 1 to 10 sourceQueueArns.",
                ));
            }
        };
        Ok(Some(Self { text: text.to_owned(), permission }))
    }

    pub(crate) fn allows(&self, source_arn: &str) -> bool {
        match &self.permission {
            Permission::AllowAll => true,
            Permission::DenyAll => false,
            Permission::ByQueue(arns) => arns.iter().any(|arn| arn == source_arn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_receive_count_is_a_number_or_a_numeric_string() {
        for count in ["42", "\"42\""] {
            let text = format!(r#"{{"deadLetterTargetArn":"arn","maxReceiveCount":{count}}}"#);
            let policy = RedrivePolicy::parse(&text).expect("valid").expect("a policy");
            assert_eq!((policy.max_receive_count, policy.target_arn.as_str()), (42, "arn"));
        }
    }

    #[test]
    fn a_missing_key_or_a_count_that_is_none_is_refused_and_empty_removes() {
        for text in [
            r#"{"deadLetterTargetArn":"arn"}"#,
            r#"{"maxReceiveCount":1}"#,
            r#"{"deadLetterTargetArn":"arn","maxReceiveCount":"x"}"#,
            r#"{"deadLetterTargetArn":"arn","maxReceiveCount":0}"#,
            r#"{"deadLetterTargetArn":"arn","maxReceiveCount":1001}"#,
            "nonsense",
        ] {
            assert_eq!(RedrivePolicy::parse(text).expect_err("refused").query_code, "InvalidParameterValue");
        }
        assert_eq!(RedrivePolicy::parse(""), Ok(None));
    }

    #[test]
    fn a_redrive_allow_policy_says_who_may() {
        let allows =
            |text: &str| RedriveAllowPolicy::parse(text).map(|policy| policy.expect("one").allows("a"));
        assert_eq!(allows(r#"{"redrivePermission":"allowAll"}"#), Ok(true));
        assert_eq!(allows(r#"{"redrivePermission":"denyAll"}"#), Ok(false));
        assert_eq!(allows(r#"{"redrivePermission":"byQueue","sourceQueueArns":["a"]}"#), Ok(true));
        assert_eq!(allows(r#"{"redrivePermission":"byQueue","sourceQueueArns":["b"]}"#), Ok(false));
        assert!(allows(r#"{"redrivePermission":"byQueue"}"#).is_err());
    }
}
