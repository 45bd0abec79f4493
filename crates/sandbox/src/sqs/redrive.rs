//! RedrivePolicy: where messages go that were received too often (semantics 1.9).

use havoq_wire::{ServiceError, SqsError};
use serde_json::Value;

use super::errors::invalid_value;
use super::queue_attributes::QueueAttributes;
use crate::core::Core;
use crate::place::{Place, account_of};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RedrivePolicy {
    /// As it was set.
    pub(crate) text: String,
    pub(crate) target_arn: String,
    pub(crate) max_receive_count: u32,
}

const RECEIVE_COUNTS: std::ops::RangeInclusive<u32> = 1..=1000;
const KEYS: [&str; 2] = ["maxReceiveCount", "deadLetterTargetArn"];

impl RedrivePolicy {
    /// `None` for the empty text, which removes a policy.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, ServiceError> {
        if text.is_empty() {
            return Ok(None);
        }
        let bad = |reason: &str| invalid_value(text, "RedrivePolicy", reason);
        let policy: Option<serde_json::Map<String, Value>> = serde_json::from_str(text).ok();
        let policy = policy.ok_or_else(|| {
            let reason = "Redrive policy is not a valid JSON map.";
            SqsError::InvalidAttributeValue
                .with(format!("Invalid value for the parameter RedrivePolicy. Reason: {reason}"))
        })?;
        let key = |key: &str| {
            policy
                .get(key)
                .ok_or_else(|| bad(&format!("Redrive policy does not contain mandatory attribute: {key}.")))
        };
        let (count, target) = (key("maxReceiveCount")?, key("deadLetterTargetArn")?);
        if policy.keys().any(|key| !KEYS.contains(&key.as_str())) {
            return Err(bad(&format!("Only following attributes are supported: [{}].", KEYS.join(", "))));
        }
        let shown = count.as_str().map_or_else(|| count.to_string(), str::to_owned);
        let max_receive_count =
            count_of(count).filter(|count| RECEIVE_COUNTS.contains(count)).ok_or_else(|| {
                let limits = "valid values are from 1 to 1000 both inclusive";
                bad(&format!("Invalid value for maxReceiveCount: {shown}, {limits}."))
            })?;
        let target_arn = target.as_str().unwrap_or_default().to_owned();
        check_arn(&target_arn).map_err(bad)?;
        Ok(Some(Self { text: text.to_owned(), target_arn, max_receive_count }))
    }
}

/// The count is taken as a number or as a numeric string.
fn count_of(value: &Value) -> Option<u32> {
    match value {
        Value::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

fn check_arn(arn: &str) -> Result<(), &'static str> {
    match arn.split(':').collect::<Vec<_>>().as_slice() {
        ["arn", _, "sqs", _, _, _] => Ok(()),
        ["arn", _, _, _, _, _] => Err("Only SQS queues are valid resources for deadLetterTargetArn."),
        _ => Err("Dead-letter target ARN should be fully qualified ARN."),
    }
}

impl Core {
    /// The dead-letter queue must be of the same type, account and region as its source, must exist
    /// and must allow it (semantics 1.9).
    pub(crate) fn check_redrive(
        &self,
        attributes: &QueueAttributes,
        place: Place,
        source_arn: &str,
    ) -> Result<(), ServiceError> {
        let Some(policy) = &attributes.redrive else { return Ok(()) };
        let bad = |reason| Err(invalid_value(&policy.text, "RedrivePolicy", reason));
        let target = &policy.target_arn;
        if target.ends_with(".fifo") != attributes.fifo.is_some() {
            return bad("Dead-letter queue must be same type of queue as the source..");
        }
        if account_of(target) != account_of(source_arn) {
            return bad("Dead-letter target owner should be same as the source.");
        }
        let found = self.find_queue(target).and_then(|id| self.queues.get(id).ok());
        let Some(found) = found.filter(|queue| queue.place == place) else {
            return bad("Dead letter target does not exist.");
        };
        match &found.attributes.redrive_allow {
            Some(allow) if !allow.allows(source_arn) => {
                bad("The RedriveAllowPolicy of the dead letter target does not allow this queue.")
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARN: &str = "arn:aws:sqs:us-east-1:123456789012:dlq";

    #[test]
    fn max_receive_count_is_a_number_or_a_numeric_string() {
        for count in ["42", "\"42\""] {
            let text = format!(r#"{{"deadLetterTargetArn":"{ARN}","maxReceiveCount":{count}}}"#);
            let policy = RedrivePolicy::parse(&text).expect("valid").expect("a policy");
            assert_eq!((policy.max_receive_count, policy.target_arn.as_str()), (42, ARN));
        }
    }

    #[test]
    fn what_is_wrong_with_a_policy_is_said_as_aws_says_it() {
        let with = |rest: &str| format!(r#"{{"deadLetterTargetArn":"{ARN}"{rest}}}"#);
        for (text, reason) in [
            (with(""), "Redrive policy does not contain mandatory attribute: maxReceiveCount."),
            (
                r#"{"maxReceiveCount":1}"#.to_owned(),
                "Redrive policy does not contain mandatory attribute: deadLetterTargetArn.",
            ),
            (
                with(r#","maxReceiveCount":"x""#),
                "Invalid value for maxReceiveCount: x, valid values are from 1 to 1000 both inclusive.",
            ),
            (
                with(r#","maxReceiveCount":1001"#),
                "Invalid value for maxReceiveCount: 1001, valid values are from 1 to 1000 both inclusive.",
            ),
            (
                with(r#","maxReceiveCount":1,"x":2"#),
                "Only following attributes are supported: [maxReceiveCount, deadLetterTargetArn].",
            ),
            (
                r#"{"deadLetterTargetArn":"dummy","maxReceiveCount":1}"#.to_owned(),
                "Dead-letter target ARN should be fully qualified ARN.",
            ),
            (
                r#"{"deadLetterTargetArn":"arn:aws:sns:a:b:c","maxReceiveCount":1}"#.to_owned(),
                "Only SQS queues are valid resources for deadLetterTargetArn.",
            ),
        ] {
            let error = RedrivePolicy::parse(&text).expect_err("refused");
            assert_eq!(error.query_code, "InvalidParameterValue");
            assert_eq!(
                error.message,
                format!("Value {text} for parameter RedrivePolicy is invalid. Reason: {reason}")
            );
        }
    }

    #[test]
    fn an_empty_text_removes_a_policy_and_nonsense_is_an_invalid_value() {
        assert_eq!(RedrivePolicy::parse(""), Ok(None));
        for text in ["nonsense", "[]"] {
            let error = RedrivePolicy::parse(text).expect_err("refused");
            assert_eq!(error.query_code, "InvalidAttributeValue");
        }
    }
}
