//! TagResource, UntagResource, ListTagsForResource: the tags of alarms.

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::alarm::Alarm;
use super::errors::{unknown_resource, validation};
use super::members::{Tag, tag_map};
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Resource {
    #[serde(rename = "ResourceARN")]
    resource_arn: Option<String>,
    tags: Vec<Tag>,
    tag_keys: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Tags {
    tags: Vec<Tag>,
}

/// An answer without members.
#[derive(Debug, Serialize)]
pub(crate) struct Done {}

impl Core {
    pub(crate) fn tag_alarm(&mut self, place: Place, input: Resource) -> Result<Done, ServiceError> {
        let mut checks = Checks::default();
        checks.tags(&input.tags);
        checks.done(validation)?;
        let alarm = self.alarm_to_tag(place, &input)?;
        alarm.tags.extend(tag_map(input.tags));
        Ok(Done {})
    }

    pub(crate) fn untag_alarm(&mut self, place: Place, input: Resource) -> Result<Done, ServiceError> {
        let alarm = self.alarm_to_tag(place, &input)?;
        alarm.tags.retain(|key, _| !input.tag_keys.contains(key));
        Ok(Done {})
    }

    /// Of an alarm that is none, AWS says that it has no tags.
    pub(crate) fn list_alarm_tags(&self, place: Place, input: Resource) -> Result<Tags, ServiceError> {
        let alarm = self.cloudwatch.alarms.get(&self.alarm_named(place, input.check()?));
        let tags = alarm.map(|alarm| alarm.tags.clone()).unwrap_or_default();
        let tag = |(key, value)| Tag { key: Some(key), value: Some(value) };
        Ok(Tags { tags: tags.into_iter().map(tag).collect() })
    }

    fn alarm_to_tag(&mut self, place: Place, input: &Resource) -> Result<&mut Alarm, ServiceError> {
        let arn = input.check()?;
        let key = self.alarm_named(place, arn);
        self.cloudwatch.alarms.get_mut(&key).ok_or_else(|| unknown_resource(arn))
    }
}

impl Resource {
    fn check(&self) -> Result<&str, ServiceError> {
        let mut checks = Checks::default();
        checks.required_text("resourceARN", &self.resource_arn, 1, 1024);
        checks.done(validation)?;
        Ok(self.resource_arn.as_deref().unwrap_or_default())
    }
}
