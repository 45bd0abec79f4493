//! The life of topics: CreateTopic, DeleteTopic, ListTopics, GetTopicAttributes and
//! SetTopicAttributes.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_wire::{ServiceError, SnsError};
use serde::{Deserialize, Serialize};

use super::TopicId;
use super::archive::Archive;
use super::dedup::Fifo;
use super::envelope::timestamp;
use super::errors::{arn_parts, invalid, missing, no_topic};
use super::lists::{Page, page};
use super::metrics::Counters;
use super::tags::{Tag, tag_map};
use super::topic::Topic;
use super::topic_attributes::{Setter, TopicAttributes};
use crate::core::Core;
use crate::place::{Place, is_name_byte};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct CreateTopic {
    pub(crate) name: Option<String>,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) data_protection_policy: Option<String>,
}

/// The input of operations that need no more than the topic.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfTopic {
    topic_arn: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct SetTopicAttributes {
    topic_arn: Option<String>,
    attribute_name: Option<String>,
    attribute_value: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct TopicArn {
    pub(crate) topic_arn: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct TopicList {
    topics: Vec<TopicArn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Attributes {
    pub(super) attributes: BTreeMap<String, String>,
}

impl Core {
    /// A topic with a name and nothing else, as a template makes it.
    pub(crate) fn create_topic(
        &mut self,
        now: StackTime,
        place: Place,
        name: &str,
    ) -> Result<String, ServiceError> {
        let input = CreateTopic { name: Some(name.to_owned()), ..CreateTopic::default() };
        Ok(self.make_topic(now, place, input)?.topic_arn)
    }

    /// CreateTopic. One that is there already is given back, unless it differs from what is asked.
    pub(crate) fn make_topic(
        &mut self,
        now: StackTime,
        place: Place,
        input: CreateTopic,
    ) -> Result<TopicArn, ServiceError> {
        let name = input.name.ok_or_else(|| missing("Name"))?;
        let attributes = TopicAttributes::default().with(&input.attributes, Setter::Create)?;
        check_name(&name, attributes.fifo)?;
        if input.data_protection_policy.is_some() {
            return Err(invalid(crate::unbuilt::unbuilt("DataProtectionPolicy")));
        }
        let tags = tag_map(input.tags)?;
        let topic_arn = self.places.arn(place, "sns", &name);
        if let Some(there) = self.topics.find(&topic_arn) {
            let topic = self.topics.get_mut(there)?;
            topic.last_action = now;
            same_as_there(topic, &input.attributes, &tags)?;
            return Ok(TopicArn { topic_arn });
        }
        self.topics.insert(Topic {
            id: self.topics.next_topic(),
            place,
            arn: Arc::from(&*topic_arn),
            attributes,
            tags,
            subscriptions: Vec::new(),
            subscriptions_deleted: 0,
            last_action: now,
            counters: Counters::default(),
            fifo: Fifo::default(),
            archive: Archive::new(now),
        });
        Ok(TopicArn { topic_arn })
    }

    /// A topic that is not there is deleted already. One with an archive stays (semantics 2.4).
    pub(crate) fn delete_topic(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfTopic,
    ) -> Result<(), ServiceError> {
        match self.topic_of(now, place, input.topic_arn.as_deref()) {
            Ok(id) if self.topics.get(id)?.attributes.archive.is_some() => {
                let text = "Invalid state: Cannot delete a topic with an ArchivePolicy";
                return Err(SnsError::InvalidState.with(text));
            }
            Ok(id) => self.topics.remove(id),
            Err(error) if error == no_topic() => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    pub(crate) fn list_topics(&self, place: Place, input: Page) -> Result<TopicList, ServiceError> {
        let topics = self.topics.iter().filter(|topic| topic.place == place);
        let (topics, next_token) = page(input.next_token.as_deref(), topics, |topic| &topic.arn)?;
        let topics = topics.into_iter().map(|topic| TopicArn { topic_arn: topic.arn.to_string() }).collect();
        Ok(TopicList { topics, next_token })
    }

    pub(crate) fn get_topic_attributes(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfTopic,
    ) -> Result<Attributes, ServiceError> {
        let id = self.topic_of(now, place, input.topic_arn.as_deref())?;
        let topic = self.topics.get(id)?;
        let mut attributes = topic.attributes.shown();
        if let Some(beginning) = topic.archive_beginning(now) {
            attributes.insert("BeginningArchiveTime".to_owned(), timestamp(beginning));
        }
        let confirmed = self.topics.subscriptions_of(topic).filter(|sub| sub.is_confirmed()).count();
        for (name, value) in [
            ("TopicArn", topic.arn.to_string()),
            ("Owner", topic.account().to_owned()),
            ("Policy", topic.policy()),
            ("SubscriptionsConfirmed", confirmed.to_string()),
            ("SubscriptionsPending", (topic.subscriptions.len() - confirmed).to_string()),
            ("SubscriptionsDeleted", topic.subscriptions_deleted.to_string()),
        ] {
            attributes.insert(name.to_owned(), value);
        }
        Ok(Attributes { attributes })
    }

    pub(crate) fn set_topic_attributes(
        &mut self,
        now: StackTime,
        place: Place,
        input: SetTopicAttributes,
    ) -> Result<(), ServiceError> {
        let id = self.topic_of(now, place, input.topic_arn.as_deref())?;
        let name = input.attribute_name.ok_or_else(|| missing("AttributeName"))?;
        let value = input.attribute_value.unwrap_or_default();
        let topic = self.topics.get(id)?;
        let attributes = topic.attributes.with([(&name, &value)], Setter::Set)?;
        if attributes.takes_large_messages()
            && !self.topics.subscriptions_of(topic).all(|sub| sub.takes_large())
        {
            return Err(invalid("MaximumMessageSize"));
        }
        self.topics.get_mut(id)?.set_attributes(now, attributes);
        Ok(())
    }

    /// The topic that a call from `place` is on: that is an action, whatever comes of it (semantics
    /// 2.5). It must be in the caller's region.
    pub(super) fn topic_of(
        &mut self,
        now: StackTime,
        place: Place,
        arn: Option<&str>,
    ) -> Result<TopicId, ServiceError> {
        let arn = arn.ok_or_else(|| missing("TopicArn"))?;
        let parts = arn_parts("TopicArn", arn)?;
        if parts[2] != "sns" || parts[3] != &*self.places.name(place).region {
            return Err(invalid("TopicArn"));
        }
        let id = self.topics.find(arn).ok_or_else(no_topic)?;
        self.topics.get_mut(id)?.last_action = now;
        Ok(id)
    }
}

fn check_name(name: &str, fifo: bool) -> Result<(), ServiceError> {
    let (stem, is_fifo) = name.strip_suffix(".fifo").map_or((name, false), |stem| (stem, true));
    if stem.is_empty() || name.len() > 256 || !stem.bytes().all(is_name_byte) || is_fifo != fifo {
        return Err(invalid("Topic Name"));
    }
    Ok(())
}

/// What is asked for must be part of what is there.
fn same_as_there(
    topic: &Topic,
    attributes: &BTreeMap<String, String>,
    tags: &BTreeMap<String, String>,
) -> Result<(), ServiceError> {
    if topic.attributes.with(attributes, Setter::Create)? != topic.attributes {
        return Err(invalid("Attributes Reason: Topic already exists with different attributes"));
    }
    if tags.iter().any(|(key, value)| topic.tags.get(key) != Some(value)) {
        return Err(invalid("Tags Reason: Topic already exists with different tags"));
    }
    Ok(())
}
