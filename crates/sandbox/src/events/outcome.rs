//! What comes of an attempt (semantics 3.4): an end, or another attempt later.

use havoq_base::StackTime;
use havoq_base::ids::MessageId;

use super::invocation::{Invocation, InvocationId};
use crate::core::Core;
use crate::fact::Fact;
use crate::place::name_of;
use crate::targets::{DeadLetter, Limits, Next, RetryPolicy, TargetError};

/// What ended the attempts, if it was not their kind of error: `EXHAUSTED_RETRY_CONDITION`.
type Exhausted = Option<&'static str>;

impl Invocation {
    fn limits(&self) -> Limits {
        RetryPolicy::limits(self.target.given.retry_policy)
    }

    pub(super) fn is_too_old(&self, now: StackTime) -> bool {
        self.limits().is_over(now, self.began)
    }

    fn channel(&self) -> String {
        self.rule.bus.name.to_string()
    }

    fn subscription(&self) -> String {
        self.target.subscription(&self.rule_arn)
    }
}

impl Core {
    pub(super) fn invoked(&mut self, now: StackTime, step: &Invocation, given_id: Option<MessageId>) {
        let counters = self.events.counters_of(&step.rule);
        counters.invocations += 1;
        counters.succeeded += 1;
        let (channel, subscription, attempts) = (step.channel(), step.subscription(), step.attempts);
        let message_id = step.event.id.clone();
        self.emit(now, Fact::Delivered { channel, subscription, message_id, attempts, given_id });
    }

    /// Another attempt is made if the policy has one left.
    pub(super) fn retry_invocation(
        &mut self,
        now: StackTime,
        id: InvocationId,
        mut step: Invocation,
        error: TargetError,
    ) {
        let draw = || self.events.jitter.next_u64();
        let (next, told) = match step.limits().next(now, step.began, step.attempts, draw) {
            Next::GiveUp(why) => return self.give_up_invocation(now, &step, &error, Some(why)),
            Next::Again { due, told } => (due, told),
        };
        step.error = Some(error);
        if told {
            let (channel, subscription, attempts) = (step.channel(), step.subscription(), step.attempts);
            let message_id = step.event.id.clone();
            self.emit(now, Fact::Retried { channel, subscription, message_id, attempts, next });
        }
        self.events.invocations.keep(next, id, step, &mut self.timers);
    }

    /// No attempt is left, or none makes sense: the event goes to the target's dead-letter queue, or
    /// is dropped.
    pub(super) fn give_up_invocation(
        &mut self,
        now: StackTime,
        step: &Invocation,
        error: &TargetError,
        exhausted: Exhausted,
    ) {
        let counters = self.events.counters_of(&step.rule);
        counters.invocations += 1;
        counters.failed += 1;
        let reason = format!("{}: {}", error.code.as_str(), error.message);
        let Some(queue) = step.target.given.dead_letter_queue() else {
            return self.drop_event(now, step, reason);
        };
        let letter = DeadLetter {
            queue_arn: queue,
            acting: step.as_service(),
            body: step.event.document.to_string(),
            attributes: attributes(step, error, exhausted),
            trace_header: step.event.trace_header.clone(),
        };
        let sent = self.send_dead_letter(now, letter);
        let counters = self.events.counters_of(&step.rule);
        match sent {
            Ok(queue_message_id) => {
                counters.sent_to_dlq += 1;
                let dead_lettered = Fact::DeadLettered {
                    channel: step.channel(),
                    subscription: step.subscription(),
                    message_id: step.event.id.clone(),
                    attempts: step.attempts,
                    to: name_of(queue).to_owned(),
                    given_id: Some(queue_message_id),
                    reason,
                };
                self.emit(now, dead_lettered);
            }
            Err(of_dlq) => {
                counters.failed_to_be_sent_to_dlq += 1;
                self.drop_event(now, step, format!("{reason}; dead-letter queue: {}", of_dlq.message));
            }
        }
    }

    fn drop_event(&mut self, now: StackTime, step: &Invocation, reason: String) {
        let (channel, subscription, attempts) = (step.channel(), step.subscription(), step.attempts);
        let message_id = step.event.id.clone();
        self.emit(now, Fact::Undelivered { channel, subscription, message_id, attempts, reason });
    }
}

/// What a dead letter says beside the event (semantics 3.4).
fn attributes(step: &Invocation, error: &TargetError, exhausted: Exhausted) -> Vec<(&'static str, String)> {
    let mut attributes = vec![
        ("RULE_ARN", step.rule_arn.to_string()),
        ("TARGET_ARN", step.target.given.arn.clone()),
        ("ERROR_CODE", error.code.as_str().to_owned()),
        ("ERROR_MESSAGE", error.message.clone()),
        ("RETRY_ATTEMPTS", step.attempts.saturating_sub(1).to_string()),
    ];
    attributes.extend(exhausted.map(|condition| ("EXHAUSTED_RETRY_CONDITION", condition.to_owned())));
    attributes
}
