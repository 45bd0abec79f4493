//! GetQueueAttributes and SetQueueAttributes (semantics 1.5, 1.9). Changes hold at once; the time
//! that AWS takes to spread them is not imitated.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::QueueId;
use super::errors::{missing, unknown_attribute};
use super::queue::Queue;
use super::queue_attributes::{QueueAttributes, SETTABLE};
use super::redrive::bad_policy;
use crate::core::Core;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct GetQueueAttributes {
    attribute_names: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct QueueAttributesOutput {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) attributes: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct SetQueueAttributes {
    pub(crate) attributes: Option<BTreeMap<String, String>>,
}

const READ_ONLY: [&str; 6] = [
    "QueueArn",
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
    "CreatedTimestamp",
    "LastModifiedTimestamp",
];

impl Core {
    /// Without names it gives nothing (semantics 1.5).
    pub(crate) fn get_queue_attributes(
        &mut self,
        _now: StackTime,
        id: QueueId,
        input: GetQueueAttributes,
    ) -> Result<QueueAttributesOutput, ServiceError> {
        let queue = self.queues.get(id)?;
        let known = || READ_ONLY.into_iter().chain(SETTABLE);
        let mut names: Vec<&str> = Vec::new();
        for name in &input.attribute_names {
            match name.as_str() {
                "All" => names.extend(known()),
                name if known().any(|known| known == name) => names.push(name),
                name => return Err(unknown_attribute(name)),
            }
        }
        let values = names.into_iter().filter_map(|name| Some((name.to_owned(), value(queue, name)?)));
        Ok(QueueAttributesOutput { attributes: values.collect() })
    }

    /// A new retention holds for messages already there, a new delay does not (semantics 1.5).
    pub(crate) fn set_queue_attributes(
        &mut self,
        now: StackTime,
        id: QueueId,
        input: SetQueueAttributes,
    ) -> Result<(), ServiceError> {
        let changes = input.attributes.ok_or_else(|| missing("Attributes"))?;
        let queue = self.queues.get(id)?;
        let attributes = queue.attributes.with(&changes)?;
        if changes.contains_key("RedrivePolicy") {
            self.check_redrive(&attributes, &queue.arn)?;
        }
        let queue = self.queues.get_mut(id)?;
        queue.attributes = attributes;
        queue.modified = now;
        self.touch(id);
        Ok(())
    }

    /// The dead-letter queue must exist and must allow it (semantics 1.9).
    pub(crate) fn check_redrive(
        &self,
        attributes: &QueueAttributes,
        source_arn: &str,
    ) -> Result<(), ServiceError> {
        let Some(policy) = &attributes.redrive else { return Ok(()) };
        let bad = |reason| bad_policy(&policy.text, reason);
        let target = self.find_queue(&policy.target_arn);
        let target = target.ok_or_else(|| bad("Dead letter target does not exist."))?;
        match &self.queues.get(target)?.attributes.redrive_allow {
            Some(allow) if !allow.allows(source_arn) => {
                Err(bad("The RedriveAllowPolicy of the dead letter target does not allow this queue."))
            }
            _ => Ok(()),
        }
    }
}

fn value(queue: &Queue, name: &str) -> Option<String> {
    let depth = queue.depth();
    match name {
        "QueueArn" => Some(queue.arn.to_string()),
        "ApproximateNumberOfMessages" => Some(depth.visible.to_string()),
        "ApproximateNumberOfMessagesNotVisible" => Some(depth.in_flight.to_string()),
        "ApproximateNumberOfMessagesDelayed" => Some(depth.delayed.to_string()),
        "CreatedTimestamp" => Some(queue.created.as_secs().to_string()),
        "LastModifiedTimestamp" => Some(queue.modified.as_secs().to_string()),
        name => queue.attributes.get(name),
    }
}
