//! ChangeMessageVisibility and its batch (semantics 1.1).

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;
use serde::Deserialize;

use super::QueueId;
use super::batch::{self, Done, Entry, Outcome};
use super::errors::{invalid_value, missing};
use super::message::State;
use super::params::seconds;
use crate::core::Core;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ChangeMessageVisibility {
    pub(crate) receipt_handle: Option<String>,
    pub(crate) visibility_timeout: Option<i64>,
}

/// How long one receive may hide a message, however often it is extended (semantics 1.1).
const LONGEST: StackDuration = StackDuration::from_secs(43_200);

impl Core {
    /// Replaces the time that is left, counted from now; an older handle can do it too. When the
    /// timeout is already over and nobody received the message again, the call succeeds. What it
    /// does then is not documented: here, nothing, so that a late extension protects nobody.
    ///
    /// On a FIFO queue, where such a handle cannot delete any more, what it does here is not
    /// documented either. It is refused like that of a deleted message: to say that a lock holds
    /// which does not would be worse.
    pub(crate) fn change_message_visibility(
        &mut self,
        now: StackTime,
        id: QueueId,
        input: ChangeMessageVisibility,
    ) -> Result<(), ServiceError> {
        let secs = input.visibility_timeout.ok_or_else(|| missing("VisibilityTimeout"))?;
        let timeout = seconds(secs, "VisibilityTimeout", 0..=43_200, "Must be between 0 and 43200.")?;
        let handle = self.handle(id, input.receipt_handle.as_deref())?;
        let queue = self.queues.get_mut(id)?;
        let message = queue.get(handle.message).filter(|_| !queue.has_expired(handle));
        let Some(message) = message else {
            let reason = "Message does not exist or is not available for visibility timeout change.";
            return Err(invalid_value(input.receipt_handle.unwrap_or_default(), "ReceiptHandle", reason));
        };
        let State::InFlight { since, .. } = message.state else { return Ok(()) };
        if now + timeout > since + LONGEST {
            let reason = "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]";
            return Err(invalid_value(secs, "VisibilityTimeout", reason));
        }
        if timeout == StackDuration::ZERO {
            queue.reveal(now, handle.message, &mut self.timers);
        } else {
            queue.hide_until(handle.message, now + timeout, &mut self.timers);
        }
        self.touch(id);
        Ok(())
    }

    pub(crate) fn change_message_visibility_batch(
        &mut self,
        now: StackTime,
        id: QueueId,
        entries: Vec<Entry<ChangeMessageVisibility>>,
    ) -> Outcome<Done> {
        let limits = "VisibilityTimeout must be an integer between 0 and 43200.";
        let mut index = 0;
        batch::run(entries, |entry, input| {
            index += 1;
            let secs = input.visibility_timeout.ok_or_else(|| {
                missing(&format!("ChangeMessageVisibilityBatchRequestEntry.{index}.VisibilityTimeout"))
            })?;
            seconds(secs, "VisibilityTimeout", 0..=43_200, limits)?;
            self.change_message_visibility(now, id, input)?;
            Ok(Done { id: entry })
        })
    }
}
