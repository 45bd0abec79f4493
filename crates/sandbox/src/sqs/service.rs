//! What another service sends into a queue, such as SNS on behalf of a topic.

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_wire::ServiceError;

use super::send::SendMessage;
use crate::acting::Acting;
use crate::core::Core;

/// A message from a service.
#[derive(Debug)]
pub(crate) struct ServiceSend<'a> {
    pub(crate) queue_arn: &'a str,
    pub(crate) acting: Acting<'a>,
    pub(crate) message: SendMessage,
}

/// Why a queue did not take a service's message. None of it gets better by itself: services do
/// not try again (semantics 2.3, 3.4).
#[derive(Debug, PartialEq)]
pub(crate) enum Refusal {
    NoQueue,
    /// The queue's policy does not let the service.
    Denied,
    /// The message is not one that this queue takes.
    Invalid(ServiceError),
}

impl Core {
    pub(crate) fn send_as_service(
        &mut self,
        now: StackTime,
        send: ServiceSend<'_>,
    ) -> Result<MessageId, Refusal> {
        let queue = self.find_queue(send.queue_arn).ok_or(Refusal::NoQueue)?;
        if !self.service_may_send(queue, send.acting) {
            self.denied(now, queue, send.acting.principal().to_owned(), "SendMessage");
            return Err(Refusal::Denied);
        }
        let prepared = send.message.prepare().map_err(Refusal::Invalid)?;
        self.send_message(now, queue, prepared).map(|sent| sent.message_id).map_err(Refusal::Invalid)
    }
}
