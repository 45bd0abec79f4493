//! One attempt at a queue, a topic or a function. Buses are not here: what they take is an event, and
//! each service makes its own of it.

use havoq_base::StackTime;
use havoq_base::ids::MessageId;

use super::error::{ErrorCode, TargetError};
use super::kind::TargetKind;
use crate::acting::Acting;
use crate::core::Core;
use crate::lambda::ServiceInvoke;
use crate::sns::ServicePublish;
use crate::sqs::{AttributeInput, SendMessage, ServiceSend};

/// What is delivered where.
#[derive(Debug)]
pub(crate) struct TargetDelivery<'a> {
    pub(crate) target_arn: &'a str,
    pub(crate) acting: Acting<'a>,
    pub(crate) payload: String,
    /// Of a queue.
    pub(crate) message_group_id: Option<String>,
    pub(crate) trace_header: Option<String>,
}

/// What was given up, on its way to a dead-letter queue.
#[derive(Debug)]
pub(crate) struct DeadLetter<'a> {
    pub(crate) queue_arn: &'a str,
    pub(crate) acting: Acting<'a>,
    pub(crate) body: String,
    /// Names and string values.
    pub(crate) attributes: Vec<(&'static str, String)>,
    pub(crate) trace_header: Option<String>,
}

impl Core {
    /// Makes an attempt. A queue and a topic give what they take an id of their own; a function is
    /// invoked asynchronously, and what becomes of that the caller is not told (semantics 3.4).
    pub(crate) fn deliver_to_target(
        &mut self,
        now: StackTime,
        delivery: TargetDelivery<'_>,
    ) -> Result<Option<MessageId>, TargetError> {
        let TargetDelivery { target_arn, acting, payload, message_group_id, trace_header } = delivery;
        self.reachable(target_arn)?;
        match TargetKind::of(target_arn) {
            Some(TargetKind::Queue) => {
                let mut message = message(payload, trace_header);
                message.message_group_id = message_group_id;
                let send = ServiceSend { queue_arn: target_arn, acting, message };
                Ok(Some(self.send_as_service(now, send)?))
            }
            Some(TargetKind::Topic) => {
                let (topic_arn, message) = (target_arn, payload);
                let publish = ServicePublish { topic_arn, acting, subject: None, message, trace_header };
                Ok(Some(self.publish_as_service(now, publish)?))
            }
            Some(TargetKind::Function) => {
                let invoke = ServiceInvoke { function_arn: target_arn, acting, payload: payload.into() };
                self.invoke_as_service(now, invoke)?;
                Ok(None)
            }
            Some(TargetKind::Bus) | None => {
                Err(ErrorCode::InvalidParameter.with("nothing can be delivered there"))
            }
        }
    }

    /// Whether nothing keeps services from this resource, as an outage does.
    pub(crate) fn reachable(&self, arn: &str) -> Result<(), TargetError> {
        self.outage_of(arn).map_or(Ok(()), |outage| Err(outage.error()))
    }

    pub(crate) fn send_dead_letter(
        &mut self,
        now: StackTime,
        letter: DeadLetter<'_>,
    ) -> Result<MessageId, TargetError> {
        let DeadLetter { queue_arn, acting, body, attributes, trace_header } = letter;
        self.reachable(queue_arn)?;
        let mut message = message(body, trace_header);
        message.message_attributes =
            attributes.into_iter().map(|(name, value)| (name.to_owned(), text(value))).collect();
        Ok(self.send_as_service(now, ServiceSend { queue_arn, acting, message })?)
    }
}

fn message(body: String, trace_header: Option<String>) -> SendMessage {
    let mut message = SendMessage { message_body: Some(body), ..SendMessage::default() };
    if let Some(header) = trace_header {
        message.message_system_attributes.insert("AWSTraceHeader".to_owned(), text(header));
    }
    message
}

fn text(value: String) -> AttributeInput {
    let data_type = "String".to_owned();
    AttributeInput { data_type, string_value: Some(value), ..AttributeInput::default() }
}
