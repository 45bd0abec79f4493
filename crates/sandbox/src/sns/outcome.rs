//! What comes of an attempt (semantics 2.3): an end, or another attempt later. Whoever asked to
//! confirm a subscription is told nothing of either.

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_pattern::Why;

use super::deliver::{Step, queue_message};
use super::metrics::Counters;
use super::pending::Letter;
use super::retry;
use crate::core::Core;
use crate::fact::Fact;
use crate::place::name_of;

#[derive(Debug, PartialEq)]
pub(super) enum Attempt {
    /// With the id that the queue gave it.
    Delivered(Option<MessageId>),
    /// A client-side error: it is not tried again.
    Refused(String),
    /// A server-side error.
    Unavailable,
}

/// What facts say of a notification.
struct Told {
    topic: String,
    subscription: String,
    message_id: MessageId,
    attempts: u32,
}

impl Core {
    /// Goes on after an attempt at a queue.
    pub(super) fn attempted(&mut self, now: StackTime, step: &Step, attempt: Attempt) {
        let Some(pending) = self.pendings.get_mut(step.delivery) else { return };
        pending.attempts += 1;
        let made = pending.attempts;
        match attempt {
            Attempt::Delivered(queue_message_id) => self.delivered(now, step, queue_message_id),
            Attempt::Refused(reason) => self.give_up_queue(now, step, &reason),
            Attempt::Unavailable => match retry::delay(made) {
                Some(_) if retry::is_steady(made) => self.wait_out(now, step, made),
                Some(delay) => self.retry(now, step, now + delay),
                None => self.give_up_queue(now, step, "all attempts failed"),
            },
        }
    }

    /// Of a queue, a failure counts when SNS gives up (semantics 2.5).
    fn give_up_queue(&mut self, now: StackTime, step: &Step, reason: &str) {
        let replayed = u64::from(step.letter.is_replayed());
        self.count(step, |counters| {
            counters.failed += 1;
            counters.failed_to_replay += replayed;
        });
        self.give_up(now, step, reason);
    }

    /// Another attempt is made at `next`.
    pub(super) fn retry(&mut self, now: StackTime, step: &Step, next: StackTime) {
        self.pendings.schedule(next, step.delivery, &mut self.timers);
        if let Some(Told { topic, subscription, message_id, attempts }) = self.told(step) {
            self.emit(now, Fact::Retried { channel: topic, subscription, message_id, attempts, next });
        }
    }

    /// From here on there is an attempt every 20 s, and none succeeds before the outage ends. So
    /// only the last one has a timer; the end of the outage sets another.
    fn wait_out(&mut self, now: StackTime, step: &Step, made: u32) {
        let last = now + retry::LONGEST.times(u64::from(retry::ATTEMPTS - made));
        self.pendings.schedule(last, step.delivery, &mut self.timers);
        if let Some(pending) = self.pendings.get_mut(step.delivery) {
            pending.steady_since = Some(now);
        }
        if let Some(Told { topic, subscription, message_id, attempts }) = self.told(step) {
            let next = now + retry::LONGEST;
            self.emit(now, Fact::Retried { channel: topic, subscription, message_id, attempts, next });
        }
    }

    pub(super) fn delivered(&mut self, now: StackTime, step: &Step, queue_message_id: Option<MessageId>) {
        let replayed = u64::from(step.letter.is_replayed());
        self.count(step, |counters| {
            counters.delivered += 1;
            counters.replayed += replayed;
        });
        if let Some(Told { topic, subscription, message_id, attempts }) = self.end(now, step) {
            self.emit(
                now,
                Fact::Delivered {
                    channel: topic,
                    subscription,
                    message_id,
                    attempts,
                    given_id: queue_message_id,
                },
            );
        }
    }

    /// Filtered out is neither failed nor dead-lettered (semantics 2.2).
    pub(super) fn filtered(&mut self, now: StackTime, step: &Step, why: Why) {
        self.count(step, |counters| counters.filter_out(why));
        if let Some(Told { topic, subscription, message_id, .. }) = self.end(now, step) {
            let why = why.suffix();
            self.emit(now, Fact::Filtered { channel: topic, subscription, message_id, why });
        }
    }

    /// No attempt is left: the message goes to the subscription's dead-letter queue, or is lost.
    pub(super) fn give_up(&mut self, now: StackTime, step: &Step, reason: &str) {
        let Ok(sub) = self.topics.subscription(step.subscription) else {
            return self.undelivered(now, step, reason);
        };
        let redrive = sub.attributes.redrive.as_ref().map(|redrive| redrive.target_arn.clone());
        let (Some(dlq), Letter::Notification(..)) = (redrive, &step.letter) else {
            return self.undelivered(now, step, reason);
        };
        let topic_arn = Arc::clone(&sub.topic_arn);
        let message = queue_message(sub, &step.letter, &dlq);
        let attempt = self.send_to_queue(now, &dlq, &topic_arn, message);
        let redriven = matches!(attempt, Attempt::Delivered(_));
        self.count(
            step,
            |counters| {
                if redriven { counters.redriven += 1 } else { counters.failed_to_redrive += 1 }
            },
        );
        match attempt {
            Attempt::Delivered(queue_message_id) => {
                let Some(Told { topic, subscription, message_id, attempts }) = self.end(now, step) else {
                    return;
                };
                let (to, reason) = (name_of(&dlq).to_owned(), reason.to_owned());
                self.emit(
                    now,
                    Fact::DeadLettered {
                        channel: topic,
                        subscription,
                        message_id,
                        attempts,
                        to,
                        given_id: queue_message_id,
                        reason,
                    },
                );
            }
            Attempt::Refused(of_dlq) => {
                self.undelivered(now, step, &format!("{reason}; dead-letter queue: {of_dlq}"));
            }
            Attempt::Unavailable => {
                self.undelivered(now, step, &format!("{reason}; dead-letter queue: it is unavailable"));
            }
        }
    }

    pub(super) fn undelivered(&mut self, now: StackTime, step: &Step, reason: &str) {
        if let Some(Told { topic, subscription, message_id, attempts }) = self.end(now, step) {
            let reason = reason.to_owned();
            self.emit(now, Fact::Undelivered { channel: topic, subscription, message_id, attempts, reason });
        }
    }

    /// Counts something of a notification at its topic.
    pub(super) fn count(&mut self, step: &Step, count: impl FnOnce(&mut Counters)) {
        if let Letter::Notification(notification, _) = &step.letter {
            self.topics.count(notification.topic, count);
        }
    }

    fn end(&mut self, now: StackTime, step: &Step) -> Option<Told> {
        let told = self.told(step);
        self.pendings.finish(now, step.delivery, &mut self.timers);
        told
    }

    fn told(&self, step: &Step) -> Option<Told> {
        let pending = self.pendings.get(step.delivery)?;
        let Letter::Notification(notification, _) = &pending.letter else { return None };
        Some(Told {
            topic: name_of(&notification.topic_arn).to_owned(),
            subscription: pending.subscription_arn.to_string(),
            message_id: notification.id.clone(),
            attempts: pending.attempts,
        })
    }
}
