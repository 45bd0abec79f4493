//! TagResource, UntagResource and ListTagsForResource, of rules and buses.

use std::collections::BTreeMap;

use havoq_wire::{EventBridgeError, ServiceError};
use serde::{Deserialize, Serialize};

use super::errors::{over_limit, validation};
use super::names::{BusKey, RuleKey};
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
    #[serde(rename = "ResourceARN")]
    resource_arn: Option<String>,
    tags: Vec<Tag>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct UntagResource {
    #[serde(rename = "ResourceARN")]
    resource_arn: Option<String>,
    tag_keys: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfResource {
    #[serde(rename = "ResourceARN")]
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
        checks.length(&format!("{member}.value"), Some(value), 0, 256);
    }
    checks.done(validation)?;
    if tags.iter().any(|tag| tag.key.to_ascii_lowercase().starts_with("aws:")) {
        return Err(validation("Tag keys beginning with aws: are reserved for system tags."));
    }
    let map: BTreeMap<_, _> = tags.into_iter().map(|tag| (tag.key, tag.value)).collect();
    if map.len() > MOST { Err(over_limit()) } else { Ok(map) }
}

impl Core {
    pub(crate) fn tag_event_resource(
        &mut self,
        place: Place,
        input: TagResource,
    ) -> Result<(), ServiceError> {
        let new = tag_map(input.tags)?;
        let mut tags = self.tags_of(place, input.resource_arn.as_deref())?.clone();
        tags.extend(new);
        if tags.len() > MOST {
            return Err(over_limit());
        }
        *self.tags_of(place, input.resource_arn.as_deref())? = tags;
        Ok(())
    }

    pub(crate) fn untag_event_resource(
        &mut self,
        place: Place,
        input: UntagResource,
    ) -> Result<(), ServiceError> {
        let tags = self.tags_of(place, input.resource_arn.as_deref())?;
        tags.retain(|key, _| !input.tag_keys.contains(key));
        Ok(())
    }

    pub(crate) fn list_event_tags(&mut self, place: Place, input: OfResource) -> Result<Tags, ServiceError> {
        let tags = self.tags_of(place, input.resource_arn.as_deref())?;
        let tags = tags.iter().map(|(key, value)| Tag { key: key.clone(), value: value.clone() });
        Ok(Tags { tags: tags.collect() })
    }

    /// The tags of a resource, which must be in the caller's own account and region.
    fn tags_of(
        &mut self,
        place: Place,
        arn: Option<&str>,
    ) -> Result<&mut BTreeMap<String, String>, ServiceError> {
        self.keep_default_bus(place);
        let arn = arn.unwrap_or_default();
        if let Some(key) = RuleKey::of_arn(&self.places, arn).filter(|key| key.bus.place == place) {
            return Ok(&mut self.events.rule_mut(&key)?.tags);
        }
        match BusKey::of_arn(&self.places, arn).filter(|key| key.place == place) {
            Some(key) => Ok(&mut self.events.bus_mut(&key)?.tags),
            None => {
                Err(EventBridgeError::ResourceNotFoundException
                    .with(format!("Resource {arn} does not exist.")))
            }
        }
    }
}
