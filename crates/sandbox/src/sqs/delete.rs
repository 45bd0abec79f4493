//! DeleteMessage and DeleteMessageBatch (semantics 1.2).

use havoq_base::StackTime;
use havoq_wire::{ServiceError, SqsError};
use serde::Deserialize;

use super::QueueId;
use super::batch::{self, Done, Entry, Outcome};
use super::errors::{bad_handle, invalid_value, missing};
use super::handle::Handle;
use crate::core::Core;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct DeleteMessage {
    pub(crate) receipt_handle: Option<String>,
}

impl Core {
    pub(crate) fn delete_message(
        &mut self,
        now: StackTime,
        id: QueueId,
        input: DeleteMessage,
    ) -> Result<(), ServiceError> {
        let handle = self.handle(id, input.receipt_handle.as_deref())?;
        self.delete(now, id, handle, || {
            let text = input.receipt_handle.unwrap_or_default();
            invalid_value(text, "ReceiptHandle", "The receipt handle has expired.")
        })
    }

    /// On a standard queue an expired handle deletes. One of an earlier receive succeeds and does
    /// nothing once the message was received again; so does one of a message that is gone (semantics
    /// 1.2, 9). On a FIFO queue a handle that is not the one of the receive in flight is an error.
    fn delete(
        &mut self,
        now: StackTime,
        id: QueueId,
        handle: Handle,
        expired: impl FnOnce() -> ServiceError,
    ) -> Result<(), ServiceError> {
        let queue = self.queues.get_mut(id)?;
        if queue.has_expired(handle) {
            return Err(expired());
        }
        // Calls are counted, not messages (semantics 1.16).
        queue.counters.deleted += 1;
        if queue.get(handle.message).is_some_and(|message| message.receives == handle.receive) {
            queue.remove(now, handle.message, &mut self.timers);
            self.touch(id);
        }
        Ok(())
    }

    pub(crate) fn delete_message_batch(
        &mut self,
        now: StackTime,
        id: QueueId,
        entries: Vec<Entry<DeleteMessage>>,
    ) -> Outcome<Done> {
        batch::run(entries, |entry, input| {
            let handle = self.handle(id, input.receipt_handle.as_deref())?;
            // An entry has a code and a text of its own for it (semantics 9).
            let expired = || SqsError::ReceiptHandleIsInvalid.with("The receipt handle has expired");
            self.delete(now, id, handle, expired)?;
            Ok(Done { id: entry })
        })
    }

    /// A receipt handle of this queue.
    pub(crate) fn handle(&self, id: QueueId, text: Option<&str>) -> Result<Handle, ServiceError> {
        let text = text.filter(|text| !text.trim().is_empty()).ok_or_else(|| missing("ReceiptHandle"))?;
        self.handles.read(text).filter(|handle| handle.queue == id).ok_or_else(|| bad_handle(text))
    }
}
