//! What another service publishes, such as CloudWatch on behalf of an alarm (semantics 4.2).

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_wire::ServiceError;

use super::errors::invalid;
use super::message_attributes::MessageAttributeInput;
use super::publish::Publish;
use crate::acting::Acting;
use crate::core::Core;

/// A message from a service.
#[derive(Debug)]
pub(crate) struct ServicePublish<'a> {
    pub(crate) topic_arn: &'a str,
    pub(crate) acting: Acting<'a>,
    pub(crate) subject: Option<String>,
    pub(crate) message: String,
    pub(crate) trace_header: Option<String>,
}

/// Why a topic did not take a service's message. None of it gets better by itself.
#[derive(Debug, PartialEq)]
pub(crate) enum PublishRefusal {
    NoTopic,
    /// The topic's policy does not let the service.
    Denied,
    /// The message is not one that this topic takes.
    Invalid(ServiceError),
}

impl Core {
    pub(crate) fn publish_as_service(
        &mut self,
        now: StackTime,
        publish: ServicePublish<'_>,
    ) -> Result<MessageId, PublishRefusal> {
        self.publish_with_attributes(now, publish, BTreeMap::new())
    }

    /// A message from a service that puts attributes on it.
    pub(crate) fn publish_with_attributes(
        &mut self,
        now: StackTime,
        publish: ServicePublish<'_>,
        message_attributes: BTreeMap<String, MessageAttributeInput>,
    ) -> Result<MessageId, PublishRefusal> {
        let id = self.topics.find(publish.topic_arn).ok_or(PublishRefusal::NoTopic)?;
        let topic = self.topics.get(id).map_err(|_| PublishRefusal::NoTopic)?;
        if !topic.lets_publish(publish.acting) {
            return Err(PublishRefusal::Denied);
        }
        let attributes = &topic.attributes;
        if attributes.fifo {
            let error = invalid("The MessageGroupId parameter is required for FIFO topics");
            return Err(PublishRefusal::Invalid(error));
        }
        let content = Publish {
            message: Some(publish.message),
            subject: publish.subject,
            message_attributes,
            ..Publish::default()
        };
        let draft = content.check(attributes, "").map_err(PublishRefusal::Invalid)?;
        if draft.size > attributes.message_limit() {
            return Err(PublishRefusal::Invalid(invalid("Message too long")));
        }
        let published = self.accept(now, id, draft, publish.trace_header);
        published.map(|published| published.message_id).map_err(PublishRefusal::Invalid)
    }
}
