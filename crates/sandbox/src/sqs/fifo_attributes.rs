//! The attributes that only FIFO queues have (semantics 1.13).

use havoq_wire::{ServiceError, SqsError};

use super::errors::{bad_attribute, unknown_attribute};
use super::queue_attributes::boolean;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FifoAttributes {
    /// Whether the SHA-256 of the body stands for an absent MessageDeduplicationId.
    pub(crate) content_based: bool,
    pub(crate) scope: DeduplicationScope,
    limit: ThroughputLimit,
}

/// Where a deduplication id must not come twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DeduplicationScope {
    #[default]
    Queue,
    MessageGroup,
}

/// What a throughput quota counts. The quotas themselves are not imitated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ThroughputLimit {
    #[default]
    PerQueue,
    PerMessageGroupId,
}

/// In the order of the API's documentation.
pub(crate) const FIFO_ONLY: [&str; 4] =
    ["FifoQueue", "ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"];

/// What it is to set one of these attributes on a standard queue.
pub(crate) fn not_fifo(name: &str) -> ServiceError {
    match name {
        "DeduplicationScope" | "FifoThroughputLimit" => SqsError::InvalidAttributeName
            .with(format!("You can specify the {name} only when FifoQueue is set to true.")),
        _ => unknown_attribute(name),
    }
}

impl FifoAttributes {
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), ServiceError> {
        match (name, value) {
            ("FifoQueue", value) if boolean(name, value)? => {}
            ("FifoQueue", _) => {
                let text = "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.";
                return Err(SqsError::InvalidAttributeValue.with(text));
            }
            ("ContentBasedDeduplication", value) => self.content_based = boolean(name, value)?,
            ("DeduplicationScope", "queue") => self.scope = DeduplicationScope::Queue,
            ("DeduplicationScope", "messageGroup") => self.scope = DeduplicationScope::MessageGroup,
            ("FifoThroughputLimit", "perQueue") => self.limit = ThroughputLimit::PerQueue,
            ("FifoThroughputLimit", "perMessageGroupId") => self.limit = ThroughputLimit::PerMessageGroupId,
            _ => return Err(bad_attribute(name)),
        }
        Ok(())
    }

    /// What must hold once all changes are made.
    pub(crate) fn check(&self) -> Result<(), ServiceError> {
        if self.limit == ThroughputLimit::PerMessageGroupId && self.scope == DeduplicationScope::Queue {
            return Err(SqsError::InvalidAttributeValue.with(
                "The perMessageGroupId value is allowed only when the value for DeduplicationScope is messageGroup.",
            ));
        }
        Ok(())
    }

    pub(crate) fn get(&self, name: &str) -> Option<String> {
        Some(match name {
            "FifoQueue" => "true".to_owned(),
            "ContentBasedDeduplication" => self.content_based.to_string(),
            "DeduplicationScope" => match self.scope {
                DeduplicationScope::Queue => "queue".to_owned(),
                DeduplicationScope::MessageGroup => "messageGroup".to_owned(),
            },
            "FifoThroughputLimit" => match self.limit {
                ThroughputLimit::PerQueue => "perQueue".to_owned(),
                ThroughputLimit::PerMessageGroupId => "perMessageGroupId".to_owned(),
            },
            _ => return None,
        })
    }
}
