//! Publish: what is checked, and the answer, which comes before any delivery (semantics 2.3).

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::TopicId;
use super::errors::{arn_parts, invalid};
use super::message_attributes::{self, MessageAttribute, MessageAttributeInput};
use super::notification::{FifoMark, Notification};
use super::structure::Texts;
use super::topic::Topic;
use super::topic_attributes::{DedupScope, TopicAttributes};
use crate::core::Core;
use crate::fact::Fact;
use crate::place::Place;
use crate::sqs::sha256_of_text;
use crate::unbuilt::unbuilt;

/// The input of Publish; an entry of PublishBatch has the same members, with an id instead of a
/// target.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Publish {
    pub(super) id: String,
    pub(crate) topic_arn: Option<String>,
    pub(super) target_arn: Option<String>,
    pub(super) phone_number: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) subject: Option<String>,
    pub(super) message_structure: Option<String>,
    pub(super) message_attributes: BTreeMap<String, MessageAttributeInput>,
    pub(super) message_deduplication_id: Option<String>,
    pub(super) message_group_id: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Published {
    pub(crate) message_id: MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sequence_number: Option<String>,
}

/// A checked message on its way into a topic.
#[derive(Debug)]
pub(super) struct Draft {
    subject: Option<String>,
    texts: Texts,
    attributes: BTreeMap<String, MessageAttribute>,
    group_id: Option<String>,
    /// Of a FIFO topic's message.
    deduplication_id: Option<String>,
    /// Body and attributes (semantics 2.1).
    pub(super) size: u64,
}

impl Core {
    pub(crate) fn publish(
        &mut self,
        now: StackTime,
        place: Place,
        input: Publish,
        trace_header: Option<String>,
    ) -> Result<Published, ServiceError> {
        let id = self.publish_target(now, place, &input)?;
        let attributes = &self.topics.get(id)?.attributes;
        let draft = input.check(attributes, "")?;
        if draft.size > attributes.message_limit() {
            return Err(invalid("Message too long"));
        }
        self.accept(now, id, draft, trace_header)
    }

    fn publish_target(
        &mut self,
        now: StackTime,
        place: Place,
        input: &Publish,
    ) -> Result<TopicId, ServiceError> {
        if input.phone_number.is_some() {
            return Err(invalid(unbuilt("PhoneNumber")));
        }
        let reason = "TopicArn or TargetArn Reason: no value for required parameter";
        let arn =
            input.topic_arn.as_deref().or(input.target_arn.as_deref()).ok_or_else(|| invalid(reason))?;
        if input.topic_arn.is_none() && arn_parts("TargetArn", arn)?[5].starts_with("endpoint/") {
            return Err(invalid("TargetArn Reason: No endpoint found for the target arn specified"));
        }
        self.topic_of(now, place, Some(arn))
    }

    /// Takes a message. Its deliveries are timers that are due now, so that the publisher is
    /// answered first.
    pub(super) fn accept(
        &mut self,
        now: StackTime,
        id: TopicId,
        draft: Draft,
        trace_header: Option<String>,
    ) -> Result<Published, ServiceError> {
        let message_id = self.new_message_id();
        let topic = self.topics.get_mut(id)?;
        let name = topic.name().to_owned();
        let fifo = match draft.deduplication_id {
            None => None,
            Some(deduplication_id) => {
                let key = (dedup_group(topic, draft.group_id.as_ref()), deduplication_id);
                if let Some(first) = topic.fifo.duplicate(now, &key).cloned() {
                    let message_id = first.message_id.clone();
                    self.emit(now, Fact::PublishDeduplicated { channel: name, message_id });
                    let sequence_number = Some(first.sequence_number);
                    return Ok(Published { message_id: first.message_id, sequence_number });
                }
                let sequence_number = topic.fifo.take(now, key.clone(), message_id.clone()).sequence_number;
                Some(FifoMark { deduplication_id: key.1, sequence_number })
            }
        };
        let notification = Notification {
            id: message_id.clone(),
            topic: id,
            topic_arn: Arc::clone(&topic.arn),
            at: now,
            subject: draft.subject,
            texts: draft.texts,
            attributes: draft.attributes,
            group_id: draft.group_id,
            fifo,
            trace_header,
            signature_version_2: topic.attributes.signature_version_2 == Some(true),
        };
        topic.counters.publish(draft.size);
        let sequence_number = notification.fifo.as_ref().map(|mark| mark.sequence_number.clone());
        self.emit(now, Fact::Published { channel: name, message_id: message_id.clone() });
        self.fan_out(now, notification);
        Ok(Published { message_id, sequence_number })
    }
}

fn dedup_group(topic: &Topic, group_id: Option<&String>) -> Option<String> {
    group_id.filter(|_| topic.attributes.dedup_scope == Some(DedupScope::MessageGroup)).cloned()
}

impl Publish {
    /// Checks all but the size; `path` is where this is in the call.
    pub(super) fn check(self, topic: &TopicAttributes, path: &str) -> Result<Draft, ServiceError> {
        if self.subject.as_deref().is_some_and(|subject| !is_subject(subject)) {
            return Err(invalid("Subject"));
        }
        let message =
            self.message.filter(|message| !message.is_empty()).ok_or_else(|| invalid("Empty message"))?;
        let attributes = message_attributes::check(self.message_attributes, path)?;
        let attribute_sizes = attributes.iter().map(|(name, attribute)| attribute.size(name));
        let size = (message.len() + attribute_sizes.sum::<usize>()) as u64;
        check_id("MessageGroupId", self.message_group_id.as_deref())?;
        check_id("MessageDeduplicationId", self.message_deduplication_id.as_deref())?;
        let deduplication_id = if topic.fifo {
            if self.message_group_id.is_none() {
                return Err(invalid("The MessageGroupId parameter is required for FIFO topics"));
            }
            Some(deduplication_id(topic, self.message_deduplication_id, &message)?)
        } else if self.message_deduplication_id.is_some() {
            return Err(invalid(
                "MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not \
                 valid for this topic type",
            ));
        } else {
            None
        };
        Ok(Draft {
            subject: self.subject,
            texts: Texts::parse(message, self.message_structure.as_deref())?,
            attributes,
            group_id: self.message_group_id,
            deduplication_id,
            size,
        })
    }
}

fn is_subject(subject: &str) -> bool {
    (1..=100).contains(&subject.chars().count()) && !subject.chars().any(char::is_control)
}

/// The given one, or the SHA-256 of the body where the topic says so (semantics 2.1).
fn deduplication_id(
    topic: &TopicAttributes,
    given: Option<String>,
    message: &str,
) -> Result<String, ServiceError> {
    if let Some(given) = given {
        return Ok(given);
    }
    if !topic.content_based_deduplication {
        return Err(invalid(
            "The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided \
             explicitly",
        ));
    }
    Ok(sha256_of_text(message))
}

fn check_id(name: &str, id: Option<&str>) -> Result<(), ServiceError> {
    let legal = |id: &str| (1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
    if id.is_none_or(legal) {
        return Ok(());
    }
    Err(invalid(format_args!(
        "{name} Reason: {name} can only include alphanumeric and punctuation characters. 1 to 128 in length."
    )))
}
