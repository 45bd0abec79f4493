//! GetQueueAttributes and SetQueueAttributes (semantics 1.5, 1.9). Changes hold at once; the time
//! that AWS takes to spread them is not imitated.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::QueueId;
use super::errors::{missing, unknown_attribute};
use super::queue::Queue;
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
        let known: Vec<&str> = READ_ONLY.into_iter().chain(queue.attributes.names()).collect();
        let mut names: Vec<&str> = Vec::new();
        for name in &input.attribute_names {
            match name.as_str() {
                "All" => names.extend(&known),
                name if known.contains(&name) => names.push(name),
                name => return Err(unknown_attribute(name)),
            }
        }
        let values = names.into_iter().filter_map(|name| Some((name.to_owned(), value(queue, name)?)));
        Ok(QueueAttributesOutput { attributes: values.collect() })
    }

    /// A new retention holds for messages already there, a new delay only in a FIFO queue (semantics
    /// 1.5).
    pub(crate) fn set_queue_attributes(
        &mut self,
        now: StackTime,
        id: QueueId,
        input: SetQueueAttributes,
    ) -> Result<(), ServiceError> {
        let changes = input.attributes.filter(|changes| !changes.is_empty());
        let changes = changes.ok_or_else(|| missing("Attribute.Name"))?;
        let queue = self.queues.get(id)?;
        let attributes = queue.attributes.with(&changes)?;
        if changes.contains_key("RedrivePolicy") {
            self.check_redrive(&attributes, queue.place, &queue.arn)?;
        }
        let queue = self.queues.get_mut(id)?;
        queue.keep_scope(now, &attributes);
        queue.attributes = attributes;
        queue.modified = now;
        if queue.is_fifo() && changes.contains_key("DelaySeconds") {
            queue.delay_anew(now, &mut self.timers);
        }
        self.touch(id);
        Ok(())
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
