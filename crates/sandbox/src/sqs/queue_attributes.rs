//! The settable attributes of a queue: their defaults, limits and texts (semantics 1.1, 1.4-1.6,
//! 1.9, 1.15).

use std::collections::BTreeMap;

use havoq_base::StackDuration;
use havoq_wire::{ServiceError, SqsError};

use super::errors::{bad_attribute, unknown_attribute};
use super::fifo_attributes::{FIFO_ONLY, FifoAttributes, not_fifo};
use super::policy::QueuePolicy;
use super::redrive::RedrivePolicy;
use super::redrive_allow::RedriveAllowPolicy;

#[derive(Clone, Debug)]
pub(crate) struct QueueAttributes {
    /// Those of a FIFO queue; a standard queue has none, and no queue changes its type.
    pub(crate) fifo: Option<FifoAttributes>,
    pub(crate) visibility_timeout: StackDuration,
    pub(crate) delay: StackDuration,
    pub(crate) retention: StackDuration,
    pub(crate) receive_wait: StackDuration,
    pub(crate) maximum_message_size: u64,
    pub(crate) redrive: Option<RedrivePolicy>,
    pub(crate) redrive_allow: Option<RedriveAllowPolicy>,
    pub(crate) policy: Option<QueuePolicy>,
    /// Encryption changes nothing that a client can see.
    kms_key: Option<String>,
    kms_reuse: u64,
    managed_sse: bool,
}

impl Default for QueueAttributes {
    fn default() -> Self {
        Self {
            fifo: None,
            visibility_timeout: StackDuration::from_secs(30),
            delay: StackDuration::ZERO,
            retention: StackDuration::from_secs(345_600),
            receive_wait: StackDuration::ZERO,
            maximum_message_size: 1_048_576,
            redrive: None,
            redrive_allow: None,
            policy: None,
            kms_key: None,
            kms_reuse: 300,
            managed_sse: true,
        }
    }
}

/// The attributes of both types of queues that can be read back, in the order of the API's documentation.
const SETTABLE: [&str; 11] = [
    "VisibilityTimeout",
    "MaximumMessageSize",
    "MessageRetentionPeriod",
    "DelaySeconds",
    "ReceiveMessageWaitTimeSeconds",
    "Policy",
    "RedrivePolicy",
    "RedriveAllowPolicy",
    "KmsMasterKeyId",
    "KmsDataKeyReusePeriodSeconds",
    "SqsManagedSseEnabled",
];

impl QueueAttributes {
    /// The attributes of a new queue that is asked for with some of them.
    pub(crate) fn new(set: &BTreeMap<String, String>) -> Result<Self, ServiceError> {
        let fifo = set.get("FifoQueue").map(|value| boolean("FifoQueue", value)).transpose()?;
        let fifo = fifo.unwrap_or_default().then(FifoAttributes::default);
        Self { fifo, ..Self::default() }.with(set)
    }

    /// These attributes with some of them set anew.
    pub(crate) fn with(&self, changes: &BTreeMap<String, String>) -> Result<Self, ServiceError> {
        let set = |name: &str| changes.get(name).map(String::as_str).unwrap_or_default();
        if !set("KmsMasterKeyId").is_empty() && set("SqsManagedSseEnabled").eq_ignore_ascii_case("true") {
            return Err(SqsError::InvalidAttributeName.with(
                "You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.",
            ));
        }
        let mut changed = self.clone();
        for (name, value) in changes {
            changed.set(name, value)?;
        }
        if let Some(fifo) = &changed.fifo {
            fifo.check()?;
        }
        Ok(changed)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), ServiceError> {
        let seconds = |limits| number(name, value, limits).map(StackDuration::from_secs);
        match name {
            "VisibilityTimeout" => self.visibility_timeout = seconds(0..=43_200)?,
            "DelaySeconds" => self.delay = seconds(0..=900)?,
            "MessageRetentionPeriod" => self.retention = seconds(60..=1_209_600)?,
            "ReceiveMessageWaitTimeSeconds" => self.receive_wait = seconds(0..=20)?,
            "MaximumMessageSize" => self.maximum_message_size = number(name, value, 1_024..=1_048_576)?,
            "RedrivePolicy" => self.redrive = RedrivePolicy::parse(value)?,
            "RedriveAllowPolicy" => self.redrive_allow = RedriveAllowPolicy::parse(value)?,
            "Policy" => self.policy = QueuePolicy::parse(value)?,
            "KmsMasterKeyId" => self.set_kms_key(value),
            "KmsDataKeyReusePeriodSeconds" => self.kms_reuse = number(name, value, 60..=86_400)?,
            "SqsManagedSseEnabled" => self.set_managed_sse(boolean(name, value)?),
            name if FIFO_ONLY.contains(&name) => {
                self.fifo.as_mut().ok_or_else(|| not_fifo(name))?.set(name, value)?;
            }
            _ => return Err(unknown_attribute(name)),
        }
        Ok(())
    }

    /// A key turns managed encryption off, and clearing the key leaves it off (semantics 1.15).
    fn set_kms_key(&mut self, value: &str) {
        self.kms_key = some(value);
        if self.kms_key.is_some() {
            self.managed_sse = false;
        }
    }

    /// One kind of encryption at a time.
    fn set_managed_sse(&mut self, enabled: bool) {
        self.managed_sse = enabled;
        if enabled {
            self.kms_key = None;
        }
    }

    /// The names of all that can be set on this queue and read back.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let fifo_only = if self.fifo.is_some() { &FIFO_ONLY[..] } else { &[] };
        SETTABLE.into_iter().chain(fifo_only.iter().copied())
    }

    /// An attribute's text; `None` when it is not set.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        Some(match name {
            "VisibilityTimeout" => self.visibility_timeout.as_secs().to_string(),
            "DelaySeconds" => self.delay.as_secs().to_string(),
            "MessageRetentionPeriod" => self.retention.as_secs().to_string(),
            "ReceiveMessageWaitTimeSeconds" => self.receive_wait.as_secs().to_string(),
            "MaximumMessageSize" => self.maximum_message_size.to_string(),
            "RedrivePolicy" => self.redrive.as_ref()?.text.clone(),
            "RedriveAllowPolicy" => self.redrive_allow.as_ref()?.text.clone(),
            "Policy" => self.policy.as_ref()?.text.clone(),
            "KmsMasterKeyId" => self.kms_key.clone()?,
            "KmsDataKeyReusePeriodSeconds" => {
                self.kms_key.as_ref()?;
                self.kms_reuse.to_string()
            }
            "SqsManagedSseEnabled" => self.managed_sse.to_string(),
            name => self.fifo.as_ref()?.get(name)?,
        })
    }

    /// The first of these attributes whose value differs from `other`'s, as CreateQueue compares
    /// (semantics 1.5).
    pub(crate) fn first_difference<'a>(
        &self,
        other: &Self,
        names: impl IntoIterator<Item = &'a String>,
    ) -> Option<&'a String> {
        names.into_iter().find(|name| self.get(name) != other.get(name))
    }
}

fn number(name: &str, value: &str, limits: std::ops::RangeInclusive<u64>) -> Result<u64, ServiceError> {
    value.parse().ok().filter(|number| limits.contains(number)).ok_or_else(|| bad_attribute(name))
}

/// AWS takes the words in any case.
pub(crate) fn boolean(name: &str, value: &str) -> Result<bool, ServiceError> {
    value.to_ascii_lowercase().parse().map_err(|_| bad_attribute(name))
}

fn some(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, value: &str) -> Result<QueueAttributes, ServiceError> {
        QueueAttributes::default().with(&BTreeMap::from([(name.into(), value.into())]))
    }

    #[test]
    fn attributes_have_the_limits_of_the_api() {
        for (name, low, high) in [
            ("VisibilityTimeout", 0, 43_200),
            ("DelaySeconds", 0, 900),
            ("MessageRetentionPeriod", 60, 1_209_600),
            ("ReceiveMessageWaitTimeSeconds", 0, 20),
            ("MaximumMessageSize", 1_024, 1_048_576),
        ] {
            for value in [low, high] {
                let attributes = with(name, &value.to_string()).expect("within the limits");
                assert_eq!(attributes.get(name), Some(value.to_string()));
            }
            for value in [low - 1, high + 1] {
                let error = with(name, &value.to_string()).expect_err("beyond the limits");
                assert_eq!(error.query_code, "InvalidAttributeValue");
            }
        }
    }

    #[test]
    fn a_kms_key_turns_managed_encryption_off_and_clearing_it_leaves_it_off() {
        let keyed = with("KmsMasterKeyId", "alias/x").expect("valid");
        assert_eq!(keyed.get("SqsManagedSseEnabled").as_deref(), Some("false"));
        let cleared = keyed.with(&BTreeMap::from([("KmsMasterKeyId".into(), String::new())])).expect("valid");
        assert_eq!(cleared.get("SqsManagedSseEnabled").as_deref(), Some("false"));
        assert_eq!(cleared.get("KmsMasterKeyId"), None);
    }

    #[test]
    fn unknown_names_are_refused() {
        let error = with("Colour", "red").expect_err("refused");
        assert_eq!(
            (error.shape_name(), error.message.as_str()),
            ("InvalidAttributeName", "Unknown Attribute Colour.")
        );
    }
}
