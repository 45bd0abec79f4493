//! TagResource, UntagResource and ListTagsForResource. Only groups have tags.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_wire::{SchedulerError, ServiceError};
use serde::{Deserialize, Serialize};

use super::errors::validation;
use super::group::Nothing;
use super::names::GroupKey;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

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

const MOST: usize = 50;

pub(super) fn tag_map(tags: Vec<Tag>) -> Result<BTreeMap<String, String>, ServiceError> {
    let mut checks = Checks::default();
    for (index, Tag { key, value }) in tags.iter().enumerate() {
        let member = format!("tags.{}.member", index + 1);
        checks.length(&format!("{member}.key"), Some(key), 1, 128);
        checks.length(&format!("{member}.value"), Some(value), 1, 256);
    }
    checks.done(validation)?;
    let map: BTreeMap<_, _> = tags.into_iter().map(|tag| (tag.key, tag.value)).collect();
    check_count(&map)?;
    Ok(map)
}

fn check_count(tags: &BTreeMap<String, String>) -> Result<(), ServiceError> {
    if tags.len() > MOST {
        let text = "Number of tags exceeds the limit of 50.";
        return Err(SchedulerError::ServiceQuotaExceededException.with(text));
    }
    Ok(())
}

impl Core {
    pub(crate) fn tag_schedule_group(
        &mut self,
        now: StackTime,
        place: Place,
        input: TagResource,
    ) -> Result<Nothing, ServiceError> {
        let key = self.tagged_group(now, place, input.resource_arn)?;
        let mut tags = self.scheduler.group(&key)?.tags.clone();
        tags.extend(tag_map(input.tags)?);
        check_count(&tags)?;
        let group = self.scheduler.group_mut(&key)?;
        (group.tags, group.modified) = (tags, now);
        Ok(Nothing {})
    }

    pub(crate) fn untag_schedule_group(
        &mut self,
        now: StackTime,
        place: Place,
        input: UntagResource,
    ) -> Result<Nothing, ServiceError> {
        let key = self.tagged_group(now, place, input.resource_arn)?;
        let group = self.scheduler.group_mut(&key)?;
        group.tags.retain(|key, _| !input.tag_keys.contains(key));
        group.modified = now;
        Ok(Nothing {})
    }

    pub(crate) fn list_schedule_group_tags(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfResource,
    ) -> Result<Tags, ServiceError> {
        let key = self.tagged_group(now, place, input.resource_arn)?;
        let tags = self.scheduler.group(&key)?.tags.iter();
        Ok(Tags { tags: tags.map(|(key, value)| Tag { key: key.clone(), value: value.clone() }).collect() })
    }

    /// A group of the caller's.
    fn tagged_group(
        &mut self,
        now: StackTime,
        place: Place,
        arn: Option<String>,
    ) -> Result<GroupKey, ServiceError> {
        self.keep_default_group(now, place);
        let mut checks = Checks::default();
        checks.required_text("resourceArn", &arn, 1, 1_011);
        checks.done(validation)?;
        let arn = arn.unwrap_or_default();
        let key = GroupKey::of_arn(&self.places, &arn).filter(|key| key.place == place);
        let no_resource =
            || SchedulerError::ResourceNotFoundException.with(format!("Resource {arn} does not exist."));
        key.filter(|key| self.scheduler.groups.contains_key(key)).ok_or_else(no_resource)
    }
}
