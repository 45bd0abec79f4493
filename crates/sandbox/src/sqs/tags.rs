//! TagQueue, UntagQueue and ListQueueTags.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::QueueId;
use super::errors::{invalid_parameter, invalid_value, missing};
use crate::core::Core;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct TagQueue {
    tags: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct UntagQueue {
    tag_keys: Option<Vec<String>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct QueueTags {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<String, String>,
}

/// How many tags a queue can have.
const MOST: usize = 50;

/// What keys and values may be.
pub(super) fn check_tags(tags: &BTreeMap<String, String>) -> Result<(), ServiceError> {
    for (key, value) in tags {
        if !(1..=128).contains(&key.chars().count()) {
            return Err(invalid_value(key, "TagKey", "A tag key must be 1 to 128 characters long."));
        }
        if key.to_ascii_lowercase().starts_with("aws:") {
            return Err(invalid_value(key, "TagKey", "The prefix aws: is reserved for system tags."));
        }
        if value.chars().count() > 256 {
            return Err(invalid_value(value, "TagValue", "A tag value must be at most 256 characters long."));
        }
    }
    Ok(())
}

impl Core {
    pub(crate) fn tag_queue(
        &mut self,
        _now: StackTime,
        id: QueueId,
        input: TagQueue,
    ) -> Result<(), ServiceError> {
        let tags = input.tags.filter(|tags| !tags.is_empty()).ok_or_else(|| missing("Tags"))?;
        check_tags(&tags)?;
        let queue = self.queues.get_mut(id)?;
        let new = tags.keys().filter(|key| !queue.tags.contains_key(*key)).count();
        if queue.tags.len() + new > MOST {
            return Err(invalid_parameter(format!("Too many tags added for queue {}.", queue.name)));
        }
        queue.tags.extend(tags);
        Ok(())
    }

    pub(crate) fn untag_queue(
        &mut self,
        _now: StackTime,
        id: QueueId,
        input: UntagQueue,
    ) -> Result<(), ServiceError> {
        let keys = input.tag_keys.filter(|keys| !keys.is_empty()).ok_or_else(|| missing("TagKeys"))?;
        let queue = self.queues.get_mut(id)?;
        keys.iter().for_each(|key| {
            queue.tags.remove(key);
        });
        Ok(())
    }

    pub(crate) fn list_queue_tags(&self, id: QueueId) -> Result<QueueTags, ServiceError> {
        Ok(QueueTags { tags: self.queues.get(id)?.tags.clone() })
    }
}
