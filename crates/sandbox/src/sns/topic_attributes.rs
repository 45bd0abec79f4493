//! The settable attributes of a topic: their limits and texts (semantics 2.1, 2.4).

use std::collections::BTreeMap;

use havoq_wire::ServiceError;

use super::archive::ArchivePolicy;
use super::delivery_policy::TopicPolicy;
use super::errors::invalid;

/// Within what two publishes with one deduplication id are the same (semantics 2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DedupScope {
    Topic,
    MessageGroup,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TopicAttributes {
    pub(super) fifo: bool,
    pub(super) content_based_deduplication: bool,
    pub(super) dedup_scope: Option<DedupScope>,
    pub(super) maximum_message_size: Option<u64>,
    /// The default one when absent.
    pub(super) policy: Option<String>,
    pub(super) delivery_policy: Option<TopicPolicy>,
    pub(super) signature_version_2: Option<bool>,
    pub(super) archive: Option<ArchivePolicy>,
    display_name: String,
    /// Kept and given back; they change nothing that a client of the sandbox can see.
    others: BTreeMap<String, String>,
}

/// Which operation sets an attribute: they word their errors differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setter {
    Create,
    Set,
}

impl Setter {
    /// A complaint about one attribute.
    pub(super) fn refuse(self, what: impl std::fmt::Display) -> ServiceError {
        match self {
            Self::Create => invalid(format_args!("Attributes Reason: {what}")),
            Self::Set => invalid(what),
        }
    }

    fn unknown(self, name: &str) -> ServiceError {
        match self {
            Self::Create => invalid(format_args!("Attributes Reason: Unknown attribute: {name}")),
            Self::Set => invalid("AttributeName"),
        }
    }
}

/// Semantics 2.1: the size of a message when a topic says nothing, and what it may say.
const DEFAULT_SIZE: u64 = 262_144;
const SIZES: std::ops::RangeInclusive<u64> = 1_024..=1_048_576;

impl TopicAttributes {
    /// These attributes with some of them set anew.
    pub(super) fn with<'a>(
        &self,
        changes: impl IntoIterator<Item = (&'a String, &'a String)>,
        setter: Setter,
    ) -> Result<Self, ServiceError> {
        let mut changed = self.clone();
        for (name, value) in changes {
            changed.set(name, value, setter)?;
        }
        if changed.content_based_deduplication && !changed.fifo {
            let text = "Content-based deduplication can only be set for FIFO topics";
            return Err(invalid(format_args!("Attributes Reason: {text}")));
        }
        if changed.archive.is_some() && !changed.fifo {
            return Err(setter.refuse("ArchivePolicy: Message archiving is only for FIFO topics"));
        }
        Ok(changed)
    }

    fn set(&mut self, name: &str, value: &str, setter: Setter) -> Result<(), ServiceError> {
        let wrong = |hint: &str| setter.refuse(format_args!("{name}: Invalid value [{value}]. {hint}"));
        let named = |what: String| setter.refuse(format_args!("{name}: {what}"));
        let boolean = || match value.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(wrong("Must be true or false.")),
        };
        match name {
            "FifoTopic" if setter == Setter::Create => self.fifo = boolean()?,
            "ContentBasedDeduplication" => self.content_based_deduplication = boolean()?,
            "FifoThroughputScope" => {
                self.dedup_scope = Some(match value {
                    "Topic" => DedupScope::Topic,
                    "MessageGroup" => DedupScope::MessageGroup,
                    _ => return Err(wrong("Must be Topic or MessageGroup.")),
                });
            }
            "MaximumMessageSize" => {
                let size = value.parse().ok().filter(|size| SIZES.contains(size));
                self.maximum_message_size =
                    Some(size.ok_or_else(|| wrong("Must be an integer between 1024 and 1048576."))?);
            }
            "SignatureVersion" => {
                self.signature_version_2 = Some(match value {
                    "1" => false,
                    "2" => true,
                    _ => return Err(wrong("Must be 1 or 2.")),
                });
            }
            "TracingConfig" if !matches!(value, "PassThrough" | "Active") => {
                return Err(wrong("Must be PassThrough or Active."));
            }
            "Policy" => self.policy = policy(value)?,
            "DeliveryPolicy" => self.delivery_policy = TopicPolicy::parse(value).map_err(named)?,
            "DisplayName" => self.display_name = display_name(value, setter)?,
            "ArchivePolicy" => self.archive = ArchivePolicy::parse(value).map_err(named)?,
            "KmsMasterKeyId" | "TracingConfig" => self.keep(name, value),
            _ if is_feedback(name) => self.keep(name, value),
            _ => return Err(setter.unknown(name)),
        }
        Ok(())
    }

    fn keep(&mut self, name: &str, value: &str) {
        if value.is_empty() {
            self.others.remove(name);
        } else {
            self.others.insert(name.to_owned(), value.to_owned());
        }
    }

    pub(super) fn message_limit(&self) -> u64 {
        self.maximum_message_size.unwrap_or(DEFAULT_SIZE)
    }

    /// Whether only some kinds of endpoints, and 100 of them, may be subscribed (semantics 2.1).
    pub(super) fn takes_large_messages(&self) -> bool {
        self.message_limit() > DEFAULT_SIZE
    }

    /// What GetTopicAttributes shows of these. FIFO's own are shown of FIFO topics alone.
    pub(super) fn shown(&self) -> BTreeMap<String, String> {
        let mut shown = self.others.clone();
        let mut show = |name: &str, value: String| {
            shown.insert(name.to_owned(), value);
        };
        show("DisplayName", self.display_name.clone());
        if self.fifo {
            show("FifoTopic", "true".to_owned());
            show("ContentBasedDeduplication", self.content_based_deduplication.to_string());
        }
        if let Some(scope) = self.dedup_scope {
            let scope = match scope {
                DedupScope::Topic => "Topic",
                DedupScope::MessageGroup => "MessageGroup",
            };
            show("FifoThroughputScope", scope.to_owned());
        }
        if let Some(size) = self.maximum_message_size {
            show("MaximumMessageSize", size.to_string());
        }
        if let Some(second) = self.signature_version_2 {
            show("SignatureVersion", if second { "2" } else { "1" }.to_owned());
        }
        if let Some(policy) = &self.archive {
            show("ArchivePolicy", policy.text.clone());
        }
        if let Some(policy) = &self.delivery_policy {
            show("DeliveryPolicy", policy.text());
        }
        show("EffectiveDeliveryPolicy", TopicPolicy::effective(self.delivery_policy.as_ref()));
        shown
    }
}

fn policy(value: &str) -> Result<Option<String>, ServiceError> {
    if value.is_empty() {
        return Ok(None);
    }
    match serde_json::from_str(value) {
        Ok(serde_json::Value::Object(_)) => Ok(Some(value.to_owned())),
        _ => Err(invalid("Policy Error: null")),
    }
}

fn display_name(value: &str, setter: Setter) -> Result<String, ServiceError> {
    if value.chars().count() > 100 || value.chars().any(char::is_control) {
        return Err(setter.refuse("DisplayName"));
    }
    Ok(value.to_owned())
}

/// Delivery status logging: `SQSSuccessFeedbackRoleArn` and its like.
fn is_feedback(name: &str) -> bool {
    let protocols = ["HTTP", "Firehose", "Lambda", "Application", "SQS"];
    let kinds = ["SuccessFeedbackRoleArn", "SuccessFeedbackSampleRate", "FailureFeedbackRoleArn"];
    protocols.iter().any(|protocol| name.strip_prefix(protocol).is_some_and(|kind| kinds.contains(&kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, value: &str, setter: Setter) -> Result<TopicAttributes, ServiceError> {
        TopicAttributes::default().with([(&name.to_owned(), &value.to_owned())], setter)
    }

    #[test]
    fn the_message_size_is_256_kib_unless_the_topic_says_other_up_to_1_mib() {
        assert_eq!(TopicAttributes::default().message_limit(), 262_144);
        assert!(!TopicAttributes::default().shown().contains_key("MaximumMessageSize"));
        for size in [1_024, 1_048_576] {
            let set = with("MaximumMessageSize", &size.to_string(), Setter::Set).expect("within the limits");
            assert_eq!(set.message_limit(), size);
            assert_eq!(set.shown()["MaximumMessageSize"], size.to_string());
        }
        for size in ["1023", "1048577", "x"] {
            let error = with("MaximumMessageSize", size, Setter::Set).expect_err("beyond the limits");
            assert_eq!(error.query_code, "InvalidParameter");
        }
    }

    #[test]
    fn a_topic_is_fifo_from_its_creation_or_never() {
        assert!(with("FifoTopic", "true", Setter::Create).expect("valid").fifo);
        let error = with("FifoTopic", "false", Setter::Set).expect_err("refused");
        assert_eq!(error.message, "Invalid parameter: AttributeName");
        let error = with("ContentBasedDeduplication", "true", Setter::Create).expect_err("refused");
        assert_eq!(
            error.message,
            "Invalid parameter: Attributes Reason: Content-based deduplication can only be set for FIFO topics"
        );
    }

    #[test]
    fn archives_are_of_fifo_topics_and_unknown_names_are_refused() {
        let policy = r#"{"MessageRetentionPeriod":"30"}"#;
        for setter in [Setter::Create, Setter::Set] {
            let error = with("ArchivePolicy", policy, setter).expect_err("refused").message;
            assert!(error.ends_with("Message archiving is only for FIFO topics"), "{error}");
        }
        assert_eq!(
            with("Colour", "red", Setter::Set).expect_err("refused").message,
            "Invalid parameter: AttributeName"
        );
        assert!(with("SQSSuccessFeedbackSampleRate", "100", Setter::Set).is_ok());
        assert!(with("SQSColour", "100", Setter::Set).is_err());
    }
}
