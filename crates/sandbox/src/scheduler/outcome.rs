//! What comes of an attempt (semantics 3.8): an end, or another attempt later.

use havoq_base::StackTime;
use havoq_base::ids::MessageId;

use super::call::{CallError, service_error};
use super::occurrence::{Occurrence, OccurrenceId};
use crate::acting::Acting;
use crate::core::Core;
use crate::events::time_text;
use crate::fact::Fact;
use crate::place::name_of;
use crate::targets::{DeadLetter, Next};

/// What ended the attempts, if it was not their kind of error: `EXHAUSTED_RETRY_CONDITION`.
type Exhausted = Option<&'static str>;

impl Occurrence {
    pub(super) fn is_too_old(&self, now: StackTime) -> bool {
        self.began.is_some_and(|began| self.target.limits.is_over(now, began))
    }

    pub(super) fn channel(&self) -> String {
        self.key.name.to_string()
    }

    pub(super) fn message_id(&self) -> MessageId {
        MessageId::new(&*self.execution_id)
    }
}

impl Core {
    pub(super) fn occurrence_delivered(
        &mut self,
        now: StackTime,
        occurrence: &Occurrence,
        given_id: Option<MessageId>,
    ) {
        let delivered = Fact::Delivered {
            channel: occurrence.channel(),
            subscription: occurrence.schedule_arn.to_string(),
            message_id: occurrence.message_id(),
            attempts: occurrence.attempts,
            given_id,
        };
        self.emit(now, delivered);
        self.complete(&occurrence.key, occurrence.schedule);
    }

    /// Another attempt is made if the policy has one left.
    pub(super) fn retry_occurrence(
        &mut self,
        now: StackTime,
        id: OccurrenceId,
        mut occurrence: Occurrence,
        error: CallError,
    ) {
        let (began, attempts) = (occurrence.began.unwrap_or(now), occurrence.attempts);
        let draw = || self.draw(&format!("{} {attempts}", occurrence.execution_id));
        let (next, told) = match occurrence.target.limits.next(now, began, attempts, draw) {
            Next::GiveUp(why) => return self.give_up_occurrence(now, &occurrence, &error, Some(why)),
            Next::Again { due, told } => (due, told),
        };
        occurrence.error = Some(error);
        if told {
            let retried = Fact::Retried {
                channel: occurrence.channel(),
                subscription: occurrence.schedule_arn.to_string(),
                message_id: occurrence.message_id(),
                attempts: occurrence.attempts,
                next,
            };
            self.emit(now, retried);
        }
        self.scheduler.occurrences.keep(next, id, occurrence, &mut self.timers);
    }

    /// No attempt is left, or none makes sense: the input goes to the schedule's dead-letter queue, or
    /// the occurrence is dropped.
    pub(super) fn give_up_occurrence(
        &mut self,
        now: StackTime,
        occurrence: &Occurrence,
        error: &CallError,
        exhausted: Exhausted,
    ) {
        let is_exhausted = u64::from(exhausted.is_some());
        self.count_call(&occurrence.key.group, |counters| counters.dropped += is_exhausted);
        let reason = format!("{}: {}", error.code, error.message);
        match occurrence.target.dead_letter_queue() {
            Some(queue) => self.send_to_dead_letters(now, occurrence, queue, error, exhausted, reason),
            None => self.drop_occurrence(now, occurrence, reason),
        }
        self.complete(&occurrence.key, occurrence.schedule);
    }

    /// The execution role sends, as it calls the target.
    fn send_to_dead_letters(
        &mut self,
        now: StackTime,
        occurrence: &Occurrence,
        queue: &str,
        error: &CallError,
        exhausted: Exhausted,
        reason: String,
    ) {
        let letter = DeadLetter {
            queue_arn: queue,
            acting: Acting::Role { arn: &occurrence.target.role_arn },
            body: self.payload(occurrence),
            attributes: attributes(occurrence, error, exhausted),
            trace_header: None,
        };
        match self.send_dead_letter(now, letter) {
            Ok(given_id) => {
                self.count_call(&occurrence.key.group, |counters| counters.sent_to_dlq += 1);
                let dead_lettered = Fact::DeadLettered {
                    channel: occurrence.channel(),
                    subscription: occurrence.schedule_arn.to_string(),
                    message_id: occurrence.message_id(),
                    attempts: occurrence.attempts,
                    to: name_of(queue).to_owned(),
                    given_id: Some(given_id),
                    reason,
                };
                self.emit(now, dead_lettered);
            }
            Err(of_dlq) => {
                let of_dlq = service_error("sqs", of_dlq);
                self.count_call(&occurrence.key.group, |counters| {
                    *counters.failed_to_be_sent_to_dlq.entry(of_dlq.code).or_default() += 1;
                });
                self.drop_occurrence(
                    now,
                    occurrence,
                    format!("{reason}; dead-letter queue: {}", of_dlq.message),
                );
            }
        }
    }

    fn drop_occurrence(&mut self, now: StackTime, occurrence: &Occurrence, reason: String) {
        let undelivered = Fact::Undelivered {
            channel: occurrence.channel(),
            subscription: occurrence.schedule_arn.to_string(),
            message_id: occurrence.message_id(),
            attempts: occurrence.attempts,
            reason,
        };
        self.emit(now, undelivered);
    }
}

/// What a dead letter says beside the input (semantics 3.8).
fn attributes(
    occurrence: &Occurrence,
    error: &CallError,
    exhausted: Exhausted,
) -> Vec<(&'static str, String)> {
    let mut attributes = vec![
        ("ERROR_CODE", error.code.to_owned()),
        ("ERROR_MESSAGE", error.message.clone()),
        ("EXECUTION_ID", occurrence.execution_id.clone()),
        ("IS_PAYLOAD_TRUNCATED", "false".to_owned()),
        ("RETRY_ATTEMPTS", occurrence.attempts.saturating_sub(1).to_string()),
        ("SCHEDULED_TIME", time_text(occurrence.scheduled)),
        ("SCHEDULE_ARN", occurrence.schedule_arn.to_string()),
        ("TARGET_ARN", occurrence.target.call.target_arn()),
    ];
    attributes.extend(exhausted.map(|condition| ("EXHAUSTED_RETRY_CONDITION", condition.to_owned())));
    attributes
}
