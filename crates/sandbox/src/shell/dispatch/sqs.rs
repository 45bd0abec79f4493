//! SQS's operations.

use havoq_base::StackTime;
use havoq_wire::{CommonError, ServiceError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Answer, Dispatch, Unread};
use crate::apart::{Apart, Member};
use crate::core::Core;
use crate::sqs::{
    Batch, Polled, QueueAddress, QueueId, QueueName, ReceiveMessage, SendMessage, prepare_batch, queue_name,
    receive_answer,
};

impl Dispatch<'_> {
    pub(super) async fn sqs(&self) -> Answer {
        match self.head.operation.as_str() {
            "SendMessage" => self.send_message(),
            "SendMessageBatch" => self.send_message_batch(),
            "ReceiveMessage" => self.receive_message().await,
            "DeleteMessage" => self.on_queue(Core::delete_message),
            "DeleteMessageBatch" => self.on_queue(|core, now, id, batch: Batch<_>| {
                Ok(core.delete_message_batch(now, id, batch.entries("DeleteMessageBatchRequestEntry")?))
            }),
            "ChangeMessageVisibility" => self.on_queue(Core::change_message_visibility),
            "ChangeMessageVisibilityBatch" => self.on_queue(|core, now, id, batch: Batch<_>| {
                let entries = batch.entries("ChangeMessageVisibilityBatchRequestEntry")?;
                Ok(core.change_message_visibility_batch(now, id, entries))
            }),
            _ => self.sqs_control(),
        }
    }

    /// Operations on queues rather than on messages.
    fn sqs_control(&self) -> Answer {
        let (address, place) = (&QueueAddress(self.base_url()), self.place);
        match self.head.operation.as_str() {
            "CreateQueue" => self.plain(|core, now, input| core.create_queue(now, place, input, address)),
            "GetQueueUrl" => self.plain(|core, now, input| core.get_queue_url(now, place, input, address)),
            "ListQueues" => self.plain(|core, _, input| core.list_queues(place, input, address)),
            "ListDeadLetterSourceQueues" => {
                self.on_queue(|core, _, id, page| core.list_dead_letter_source_queues(id, page, address))
            }
            "DeleteQueue" => self.on_queue(|core, now, id, Unread {}| core.delete_queue(now, id)),
            "PurgeQueue" => self.on_queue(|core, now, id, Unread {}| core.purge_queue(now, id)),
            "GetQueueAttributes" => self.on_queue(Core::get_queue_attributes),
            "SetQueueAttributes" => self.on_queue(Core::set_queue_attributes),
            "AddPermission" => self.on_queue(Core::add_queue_permission),
            "RemovePermission" => self.on_queue(Core::remove_queue_permission),
            "TagQueue" => self.on_queue(Core::tag_queue),
            "UntagQueue" => self.on_queue(Core::untag_queue),
            "ListQueueTags" => self.on_queue(|core, _, id, Unread {}| core.list_queue_tags(id)),
            "StartMessageMoveTask" => self.plain(Core::start_message_move_task),
            "CancelMessageMoveTask" => self.plain(Core::cancel_message_move_task),
            "ListMessageMoveTasks" => self.plain(Core::list_message_move_tasks),
            operation => {
                let text = format!("The action {operation} is not valid for this endpoint.");
                Err(CommonError::InvalidAction.with(text))
            }
        }
    }

    fn on_queue<I: DeserializeOwned, O: Serialize>(
        &self,
        operation: impl FnOnce(&mut Core, StackTime, QueueId, I) -> Result<O, ServiceError>,
    ) -> Answer {
        let (url, input) = self.queue_input()?;
        let output = self.open(url, |core, now, id| operation(core, now, id, input?))?;
        Ok(self.success(&output))
    }

    fn send_message(&self) -> Answer {
        let (url, input) = self.queue_input::<SendMessage>()?;
        let mut prepared = input.and_then(SendMessage::prepare);
        if let (Ok(prepared), Some(header)) = (&mut prepared, self.trace_header()) {
            prepared.trace(&header);
        }
        Ok(self.success(&self.open(url, |core, now, id| core.send_message(now, id, prepared?))?))
    }

    fn send_message_batch(&self) -> Answer {
        let (url, input) = self.queue_input::<Batch<SendMessage>>()?;
        let mut entries = input.and_then(prepare_batch);
        if let (Ok(entries), Some(header)) = (&mut entries, self.trace_header()) {
            let prepared = entries.iter_mut().flat_map(|entry| &mut entry.input);
            prepared.for_each(|prepared| prepared.trace(&header));
        }
        Ok(self.success(&self.open(url, |core, now, id| core.send_message_batch(now, id, entries?))?))
    }

    async fn receive_message(&self) -> Answer {
        let (url, input) = self.queue_input::<ReceiveMessage>()?;
        let ask = input.as_ref().map_err(Clone::clone).and_then(ReceiveMessage::ask);
        let polled = self.open(url, |core, now, id| {
            let (ask, wait) = ask?;
            core.receive_message(now, id, ask, wait)
        })?;
        let messages = match polled {
            Polled::Done(messages) => messages,
            Polled::Parked { id, answer, wait } => self.sandbox.wait(id, answer, wait).await?,
        };
        Ok(self.success(&receive_answer(&input?, &messages)))
    }

    /// The queue that the QueueUrl names, and the other members. A call with bad members is still
    /// an action of its queue (semantics 1.16), so their error comes later.
    fn queue_input<I: DeserializeOwned>(&self) -> Result<(QueueName, Result<I, ServiceError>), ServiceError> {
        let (url, input) = match self.input::<Apart<OfQueue, I>>() {
            Ok(Apart { member, rest }) => (member, Ok(rest)),
            Err(error) => (self.input::<Apart<OfQueue, Unread>>()?.member, Err(error)),
        };
        Ok((queue_name(url.as_deref())?, input))
    }

    fn open<T>(
        &self,
        queue: QueueName,
        operation: impl FnOnce(&mut Core, StackTime, QueueId) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        self.sandbox.enter(|core, now| {
            let id = core.open(now, self.place, &queue)?;
            core.authorize(now, id, self.place, &self.head.operation)?;
            operation(core, now, id)
        })
    }
}

/// The one member that tells the queue.
struct OfQueue;

impl Member for OfQueue {
    const NAME: &'static str = "QueueUrl";
    type Value = Option<String>;
}
