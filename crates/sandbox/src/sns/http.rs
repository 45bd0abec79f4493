//! HTTP endpoints: requests for somebody else to send, and what is made of their answers (semantics
//! 2.3). Nothing here does I/O.

use havoq_base::StackTime;

use super::deliver::{Step, body};
use super::delivery_policy::DEFAULT_TYPE;
use super::endpoint::Endpoint;
use super::pending::{DeliveryId, Letter};
use super::subscription::Subscription;
use crate::core::Core;

/// A POST to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outbound {
    pub(crate) delivery: DeliveryId,
    pub(crate) url: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

/// How a POST went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answered {
    Status(u16),
    /// No answer came.
    Failed(String),
}

impl Core {
    /// Hands a request over; it waits for its answer.
    pub(super) fn post(&mut self, step: &Step) {
        let Ok(sub) = self.topics.subscription(step.subscription) else { return };
        let Endpoint::Http { url } = &sub.endpoint else { return };
        let policy = sub.delivery_policy(self.topics.get(sub.topic).ok());
        let outbound = Outbound {
            delivery: step.delivery,
            url: url.clone(),
            headers: headers(sub, &step.letter, policy.content_type()),
            body: body(sub, &step.letter),
        };
        self.pendings.outbox.push(outbound);
        self.pendings.posted += 1;
    }

    /// The requests that nobody has sent yet.
    pub(crate) fn take_outbox(&mut self) -> Vec<Outbound> {
        std::mem::take(&mut self.pendings.outbox)
    }

    /// How many requests have no answer yet, sent or not.
    pub(crate) fn posts_without_answer(&self) -> usize {
        self.pendings.posted
    }

    pub(crate) fn has_outbox(&self) -> bool {
        !self.pendings.outbox.is_empty()
    }

    /// Goes on after an answer. 5xx, 429 and no answer at all are tried again, by the
    /// subscription's policy; any other status but success is for good.
    pub(crate) fn http_answered(&mut self, now: StackTime, delivery: DeliveryId, answered: Answered) {
        self.pendings.posted = self.pendings.posted.saturating_sub(1);
        let Some(pending) = self.pendings.get_mut(delivery) else { return };
        pending.attempts += 1;
        let made = pending.attempts;
        let step = Step { delivery, subscription: pending.subscription, letter: pending.letter.clone() };
        let (reason, passes) = match answered {
            Answered::Status(200..=299) => return self.delivered(now, &step, None),
            Answered::Status(status) => {
                (format!("the endpoint answered {status}"), matches!(status, 429 | 500..))
            }
            Answered::Failed(error) => (error, true),
        };
        self.count(&step, |counters| counters.failed += 1);
        let Ok(sub) = self.topics.subscription(step.subscription) else {
            return self.undelivered(now, &step, "the subscription was deleted");
        };
        let policy = sub.delivery_policy(self.topics.get(sub.topic).ok());
        match policy.healthy_retry_policy.delay(made).filter(|_| passes) {
            Some(delay) => self.retry(now, &step, now + delay),
            None => self.give_up(now, &step, &reason),
        }
    }
}

fn headers(sub: &Subscription, letter: &Letter, content_type: &str) -> Vec<(&'static str, String)> {
    let (kind, content_type) = match letter {
        Letter::Notification(..) => ("Notification", content_type),
        Letter::Confirmation { .. } => ("SubscriptionConfirmation", DEFAULT_TYPE),
    };
    let mut headers = vec![
        ("x-amz-sns-message-type", kind.to_owned()),
        ("x-amz-sns-message-id", letter.message_id().as_str().to_owned()),
        ("x-amz-sns-topic-arn", sub.topic_arn.to_string()),
    ];
    if let Letter::Notification(..) = letter {
        headers.push(("x-amz-sns-subscription-arn", sub.arn.to_string()));
        if sub.attributes.raw {
            headers.push(("x-amz-sns-rawdelivery", "true".to_owned()));
        }
    }
    headers.push(("content-type", content_type.to_owned()));
    headers.push(("user-agent", "Amazon Simple Notification Service Agent".to_owned()));
    headers.push(("accept-encoding", "gzip,deflate".to_owned()));
    headers
}
