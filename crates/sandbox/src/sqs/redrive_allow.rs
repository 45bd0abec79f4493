//! RedriveAllowPolicy: which queues may name this one as their dead-letter queue (semantics 1.9).

use havoq_wire::{ServiceError, SqsError};
use serde::Deserialize;

use super::errors::invalid_value;

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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Document {
    redrive_permission: Named,
    source_queue_arns: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Named {
    AllowAll,
    DenyAll,
    ByQueue,
}

const MOST_SOURCES: usize = 10;

impl RedriveAllowPolicy {
    /// `None` for the empty text, which removes a policy.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, ServiceError> {
        if text.is_empty() {
            return Ok(None);
        }
        let refused = "Amazon SQS can't create the redrive allow policy";
        let document: Document = serde_json::from_str(text).map_err(|_| {
            let reason = format!("{refused}, as it\u{2019}s in an unsupported format.");
            SqsError::InvalidAttributeValue
                .with(format!("Invalid value for the parameter RedriveAllowPolicy. Reason: {reason}"))
        })?;
        let bad =
            |reason: &str| Err(invalid_value(text, "RedriveAllowPolicy", &format!("{refused}. {reason}")));
        let permission = match (document.redrive_permission, document.source_queue_arns) {
            (Named::AllowAll, None) => Permission::AllowAll,
            (Named::DenyAll, None) => Permission::DenyAll,
            (Named::AllowAll | Named::DenyAll, Some(_)) => {
                return bad(
                    "To specify one or more source queue ARNs, you must set redrivePermission to byQueue.",
                );
            }
            (Named::ByQueue, Some(arns)) if arns.len() > MOST_SOURCES => {
                return bad("The maximum number of source queue ARNs you can specify is 10.");
            }
            (Named::ByQueue, Some(arns)) if !arns.is_empty() => Permission::ByQueue(arns),
            (Named::ByQueue, _) => {
                return bad(
                    "When you specify the byQueue permission type, you must also specify one or more sourceQueueArns values.",
                );
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
    fn a_redrive_allow_policy_says_who_may() {
        let allows =
            |text: &str| RedriveAllowPolicy::parse(text).map(|policy| policy.expect("one").allows("a"));
        assert_eq!(allows(r#"{"redrivePermission":"allowAll"}"#), Ok(true));
        assert_eq!(allows(r#"{"redrivePermission":"denyAll"}"#), Ok(false));
        assert_eq!(allows(r#"{"redrivePermission":"byQueue","sourceQueueArns":["a"]}"#), Ok(true));
        assert_eq!(allows(r#"{"redrivePermission":"byQueue","sourceQueueArns":["b"]}"#), Ok(false));
        assert_eq!(RedriveAllowPolicy::parse(""), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_said_as_aws_says_it() {
        let eleven = format!(r#"{{"redrivePermission":"byQueue","sourceQueueArns":{:?}}}"#, ["a"; 11]);
        for (text, reason) in [
            (
                r#"{"redrivePermission":"byQueue"}"#,
                "you must also specify one or more sourceQueueArns values.",
            ),
            (
                r#"{"redrivePermission":"byQueue","sourceQueueArns":[]}"#,
                "you must also specify one or more sourceQueueArns values.",
            ),
            (&eleven, "The maximum number of source queue ARNs you can specify is 10."),
            (
                r#"{"redrivePermission":"denyAll","sourceQueueArns":["a"]}"#,
                "you must set redrivePermission to byQueue.",
            ),
        ] {
            let error = RedriveAllowPolicy::parse(text).expect_err("refused");
            assert_eq!(error.query_code, "InvalidParameterValue");
            assert!(error.message.ends_with(reason), "{}", error.message);
        }
        for text in
            ["x", "[]", "{}", r#"{"redrivePermission":"no"}"#, r#"{"redrivePermission":"allowAll","x":1}"#]
        {
            let error = RedriveAllowPolicy::parse(text).expect_err("refused");
            assert_eq!(error.query_code, "InvalidAttributeValue");
            assert!(error.message.ends_with("as it\u{2019}s in an unsupported format."));
        }
    }
}
