//! One attempt at a target. What comes of it is in `outcome`.

use havoq_base::StackTime;

use super::call::ErrorKind;
use super::context::{Context, notification};
use super::occurrence::{Occurrence, OccurrenceId};
use crate::core::Core;
use crate::fact::Fact;
use crate::targets::TOO_OLD;

impl Core {
    /// Makes an attempt that is due, or finds that the occurrence has become too old.
    pub(crate) fn attempt_occurrence(&mut self, now: StackTime, id: OccurrenceId) {
        let Some(mut occurrence) = self.scheduler.occurrences.take(id) else { return };
        let is_too_old = occurrence.is_too_old(now);
        if let Some(error) = occurrence.error.take_if(|_| is_too_old) {
            return self.give_up_occurrence(now, &occurrence, &error, Some(TOO_OLD));
        }
        if occurrence.attempts == 0 {
            occurrence.began = Some(now);
            let (channel, message_id) = (occurrence.channel(), occurrence.message_id());
            self.emit(now, Fact::Published { channel, message_id });
        }
        occurrence.attempts += 1;
        let payload = self.payload(&occurrence);
        let called = self.call_target(now, &occurrence, payload);
        self.count_call(&occurrence.key.group, |counters| {
            counters.attempts += 1;
            if let Err(error) = &called {
                counters.errors += 1;
                counters.throttled += u64::from(error.kind == ErrorKind::Throttled);
            }
        });
        match called {
            Ok(given_id) => self.occurrence_delivered(now, &occurrence, given_id),
            Err(error) if error.kind == ErrorKind::Permanent => {
                self.give_up_occurrence(now, &occurrence, &error, None);
            }
            Err(error) => self.retry_occurrence(now, id, occurrence, error),
        }
    }

    /// The input as this attempt has it.
    pub(super) fn payload(&self, occurrence: &Occurrence) -> String {
        let context = Context {
            schedule_arn: &occurrence.schedule_arn,
            scheduled: occurrence.scheduled,
            execution_id: &occurrence.execution_id,
            attempt: occurrence.attempts,
        };
        match &occurrence.target.given.input {
            Some(input) => context.fill(input),
            None => {
                let place = self.places.name(occurrence.key.group.place);
                let (id, arn) = (&occurrence.notification_id, &occurrence.schedule_arn);
                notification(id, occurrence.scheduled, place, arn)
            }
        }
    }
}
