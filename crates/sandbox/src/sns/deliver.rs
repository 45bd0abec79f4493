//! From a publish to the attempts at each subscription (semantics 2.1-2.3). What comes of an
//! attempt is in `outcome`.
//!
//! ```text
//! published -> filtered
//!           -> attempt -> delivered
//!                      -> server-side error -> retry -> attempt ...
//!                                           -> no attempt left -.
//!                      -> client-side error --------------------+-> dead-lettered | undelivered
//! ```

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_pattern::Why;
use havoq_wire::ServiceError;

use super::endpoint::Endpoint;
use super::notification::Notification;
use super::outcome::Attempt;
use super::pending::{DeliveryId, Letter, Occasion};
use super::subscription::Subscription;
use super::{SubscriptionId, envelope};
use crate::acting::Acting;
use crate::core::Core;
use crate::lambda::{InvokeRefusal, ServiceInvoke};
use crate::sqs::{Refusal, SendMessage, ServiceSend};

const SERVICE: &str = "sns.amazonaws.com";

/// A step's view of what is delivered where.
pub(super) struct Step {
    pub(super) delivery: DeliveryId,
    pub(super) subscription: SubscriptionId,
    pub(super) letter: Letter,
}

impl Core {
    /// Puts a message on its way to all who have confirmed that they want it.
    pub(super) fn fan_out(&mut self, now: StackTime, notification: Notification) {
        let notification = Arc::new(notification);
        let Ok(topic) = self.topics.get_mut(notification.topic) else { return };
        topic.archive(now, &notification);
        let Ok(topic) = self.topics.get(notification.topic) else { return };
        let awake = |sub: &&Subscription| sub.is_confirmed() && !sub.is_paused(now);
        for sub in self.topics.subscriptions_of(topic).filter(awake) {
            let group = notification.group_id.clone().filter(|_| sub.is_ordered());
            let letter = Letter::Notification(Arc::clone(&notification), Occasion::Published);
            self.pendings.push(now, sub, letter, group, &mut self.timers);
        }
    }

    /// Asks the owner of an endpoint whether it wants to hear.
    pub(super) fn ask_to_confirm(&mut self, now: StackTime, id: SubscriptionId) -> Result<(), ServiceError> {
        let letter = Letter::Confirmation { id: self.new_message_id(), at: now };
        let sub = self.topics.subscription(id)?;
        self.pendings.push(now, sub, letter, None, &mut self.timers);
        Ok(())
    }

    /// Makes an attempt that is due.
    pub(crate) fn deliver(&mut self, now: StackTime, delivery: DeliveryId) {
        let Some(pending) = self.pendings.get_mut(delivery) else { return };
        pending.timer = None;
        // Between two long intervals, all attempts but this last one have failed unseen.
        if pending.steady_since.take().is_some() {
            pending.attempts = super::retry::ATTEMPTS - 1;
        }
        let first = pending.attempts == 0;
        let step = Step { delivery, subscription: pending.subscription, letter: pending.letter.clone() };
        let Ok(sub) = self.topics.subscription(step.subscription) else {
            return self.undelivered(now, &step, "the subscription was deleted");
        };
        if first && let Some(why) = rejection(sub, &step.letter) {
            return self.filtered(now, &step, why);
        }
        match &sub.endpoint {
            Endpoint::Sqs { arn } => {
                let (queue, message) = (arn.clone(), queue_message(sub, &step.letter, arn));
                let attempt = self.send_to_queue(now, &queue, &sub.topic_arn.clone(), message);
                self.attempted(now, &step, attempt);
            }
            Endpoint::Lambda { arn } => {
                // Nobody asks a function to confirm anything.
                let Letter::Notification(notification, _) = &step.letter else { return };
                let (function, topic) = (arn.clone(), sub.topic_arn.clone());
                let event = envelope::function_event(notification, sub);
                let attempt = self.invoke_function(now, &function, &topic, event);
                self.attempted(now, &step, attempt);
            }
            Endpoint::Http { .. } => self.post(&step),
        }
    }

    pub(super) fn send_to_queue(
        &mut self,
        now: StackTime,
        queue_arn: &str,
        topic_arn: &str,
        message: SendMessage,
    ) -> Attempt {
        if self.outage_of(queue_arn).is_some() {
            return Attempt::Unavailable;
        }
        let acting = Acting::Service { name: SERVICE, source_arn: topic_arn };
        let send = ServiceSend { queue_arn, acting, message };
        match self.send_as_service(now, send) {
            Ok(message_id) => Attempt::Delivered(Some(message_id)),
            Err(Refusal::Denied) => {
                Attempt::Refused("the queue's policy does not let the topic send".to_owned())
            }
            Err(Refusal::NoQueue) => Attempt::Refused("the queue does not exist".to_owned()),
            Err(Refusal::Invalid(error)) => Attempt::Refused(error.message),
        }
    }

    /// SNS is done with a message when Lambda has taken it: what the function makes of it is
    /// Lambda's business.
    fn invoke_function(
        &mut self,
        now: StackTime,
        function_arn: &str,
        topic_arn: &str,
        payload: String,
    ) -> Attempt {
        if self.outage_of(function_arn).is_some() {
            return Attempt::Unavailable;
        }
        let acting = Acting::Service { name: SERVICE, source_arn: topic_arn };
        let invoke = ServiceInvoke { function_arn, acting, payload: payload.into() };
        match self.invoke_as_service(now, invoke) {
            Ok(()) => Attempt::Delivered(None),
            Err(InvokeRefusal::Denied) => {
                Attempt::Refused("the function's policy does not let the topic invoke it".to_owned())
            }
            Err(InvokeRefusal::NoFunction) => Attempt::Refused("the function does not exist".to_owned()),
        }
    }
}

/// Why a subscription's filter keeps a message from it.
fn rejection(sub: &Subscription, letter: &Letter) -> Option<Why> {
    let Letter::Notification(notification, _) = letter else { return None };
    let filter = sub.attributes.filter.as_ref()?;
    filter.rejects(notification, notification.text(sub.endpoint.protocol()))
}

/// What a queue gets: the subscription's own one or its dead-letter queue, both the same
/// (semantics 2.1, 2.3).
pub(super) fn queue_message(sub: &Subscription, letter: &Letter, queue_arn: &str) -> SendMessage {
    let mut message = SendMessage { message_body: Some(body(sub, letter)), ..SendMessage::default() };
    let Letter::Notification(notification, _) = letter else { return message };
    if sub.attributes.raw {
        let attributes = notification.attributes.iter();
        message.message_attributes =
            attributes.map(|(name, attribute)| (name.clone(), attribute.for_queue())).collect();
    }
    if let Some(header) = &notification.trace_header {
        let header = super::message_attributes::text_for_queue(header);
        message.message_system_attributes.insert("AWSTraceHeader".to_owned(), header);
    }
    match &notification.fifo {
        // A standard queue is told a FIFO topic's groups no more than its deduplication ids.
        Some(mark) if queue_arn.ends_with(".fifo") => {
            message.message_group_id = notification.group_id.clone();
            message.message_deduplication_id = Some(mark.deduplication_id.clone());
        }
        Some(_) => {}
        None => message.message_group_id = notification.group_id.clone(),
    }
    message
}

/// The body of what an endpoint gets.
pub(super) fn body(sub: &Subscription, letter: &Letter) -> String {
    match letter {
        Letter::Notification(notification, _) if sub.attributes.raw => {
            notification.text(sub.endpoint.protocol()).to_owned()
        }
        Letter::Notification(notification, occasion) => envelope::notification(notification, *occasion, sub),
        Letter::Confirmation { id, at } => envelope::confirmation(id, *at, sub),
    }
}

impl Letter {
    pub(super) fn message_id(&self) -> &MessageId {
        match self {
            Self::Notification(notification, _) => &notification.id,
            Self::Confirmation { id, .. } => id,
        }
    }

    pub(super) fn is_replayed(&self) -> bool {
        matches!(self, Self::Notification(_, Occasion::Replayed))
    }
}
