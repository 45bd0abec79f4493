//! TagResource, UntagResource and ListTagsForResource.

use std::collections::BTreeMap;

use havoq_wire::{ServiceError, SnsError};
use serde::{Deserialize, Serialize};

use super::TopicId;
use super::errors::{invalid, missing};
use crate::core::Core;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Tag {
    key: String,
    value: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct TagResource {
    resource_arn: Option<String>,
    tags: Vec<Tag>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct UntagResource {
    resource_arn: Option<String>,
    tag_keys: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfResource {
    resource_arn: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Tags {
    tags: Vec<Tag>,
}

/// The answer of an operation that has nothing to say.
#[derive(Debug, Serialize)]
pub(crate) struct Nothing {}

const MOST: usize = 50;

pub(super) fn tag_map(tags: Vec<Tag>) -> Result<BTreeMap<String, String>, ServiceError> {
    let count = tags.len();
    tags.iter().try_for_each(check_tag)?;
    let map: BTreeMap<_, _> = tags.into_iter().map(|tag| (tag.key, tag.value)).collect();
    if map.len() < count {
        return Err(invalid("Duplicated keys are not allowed."));
    }
    check_count(map.len())?;
    Ok(map)
}

fn check_tag(Tag { key, value }: &Tag) -> Result<(), ServiceError> {
    if !(1..=128).contains(&key.chars().count()) {
        return Err(invalid("Tags Reason: a tag key must be 1 to 128 characters long"));
    }
    if key.to_ascii_lowercase().starts_with("aws:") {
        return Err(invalid("Tags Reason: the prefix aws: is reserved for system tags"));
    }
    if value.chars().count() > 256 {
        return Err(invalid("Tags Reason: a tag value must be at most 256 characters long"));
    }
    Ok(())
}

fn check_count(count: usize) -> Result<(), ServiceError> {
    if count > MOST {
        return Err(
            SnsError::TagLimitExceeded.with("Could not complete request: tag quota of per resource exceeded")
        );
    }
    Ok(())
}

impl Core {
    pub(crate) fn tag_topic(&mut self, input: TagResource) -> Result<Nothing, ServiceError> {
        let id = self.tagged(input.resource_arn)?;
        let tags = tag_map(input.tags)?;
        let topic = self.topics.get_mut(id)?;
        check_count(tags.keys().filter(|key| !topic.tags.contains_key(*key)).count() + topic.tags.len())?;
        topic.tags.extend(tags);
        Ok(Nothing {})
    }

    pub(crate) fn untag_topic(&mut self, input: UntagResource) -> Result<Nothing, ServiceError> {
        let id = self.tagged(input.resource_arn)?;
        let topic = self.topics.get_mut(id)?;
        topic.tags.retain(|key, _| !input.tag_keys.contains(key));
        Ok(Nothing {})
    }

    pub(crate) fn list_topic_tags(&self, input: OfResource) -> Result<Tags, ServiceError> {
        let tags = &self.topics.get(self.tagged(input.resource_arn)?)?.tags;
        let tags = tags.iter().map(|(key, value)| Tag { key: key.clone(), value: value.clone() });
        Ok(Tags { tags: tags.collect() })
    }

    fn tagged(&self, arn: Option<String>) -> Result<TopicId, ServiceError> {
        let arn = arn.ok_or_else(|| missing("ResourceArn"))?;
        self.topics.find(&arn).ok_or_else(|| SnsError::ResourceNotFound.with("Resource does not exist"))
    }
}
