//! What makes mappings go: it receives for them, invokes, deletes, and wakes them up. A mapping that
//! waits for messages costs nothing: it is looked at when its queue has been touched.

use havoq_base::ids::MessageId;
use havoq_base::{StackDuration, StackTime};
use havoq_lambda::{Action, BatchId, Record, Returned, Settled};

use super::SourceId;
use super::source::{Source, State};
use crate::core::Core;
use crate::fact::Fact;
use crate::lambda::FunctionId;
use crate::lambda::record::record;
use crate::lambda::running::{Call, Origin};
use crate::place::name_of;
use crate::sqs::{Ask, DeleteMessage, QueueId};
use crate::timers::Timer;

/// How long a mapping's messages are hidden at least. A queue that hides nothing has no mapping, but
/// its timeout may be changed later, and then each message would be received over and over at once.
const SHORTEST: StackDuration = StackDuration::from_secs(1);

impl Core {
    /// A queue was touched: those who wait for its messages may go on.
    pub(crate) fn feed_mappings(&mut self, now: StackTime, queue: QueueId) {
        if self.lambda.sources.is_empty() {
            return;
        }
        let Ok(queue) = self.queues.get(queue) else { return };
        for source in self.lambda.sources.of_queue(&queue.arn.clone()) {
            self.drive(now, source);
        }
    }

    /// Whether a mapping would receive what comes to a queue.
    pub(crate) fn mapping_waits(&self, queue_arn: &str) -> bool {
        let sources = self.lambda.sources.of_queue(queue_arn).into_iter();
        let waits = |source: &Source| source.mapping.asked().is_some() && self.has_function(source);
        sources.filter_map(|id| self.lambda.sources.get(id)).any(waits)
    }

    /// A mapping's time has come.
    pub(crate) fn wake_mapping(&mut self, now: StackTime, source: SourceId) {
        if let Some(source) = self.lambda.sources.get_mut(source) {
            source.timer = None;
        }
        self.drive(now, source);
    }

    /// Goes on after the invocation of a batch.
    pub(in crate::lambda) fn batch_ended(
        &mut self,
        now: StackTime,
        id: SourceId,
        batch: BatchId,
        returned: &Returned,
    ) {
        if let Some(source) = self.lambda.sources.get_mut(id) {
            source.mapping.ended(batch, returned);
        }
        self.drive(now, id);
    }

    /// How many messages mappings have in their hands.
    pub(crate) fn messages_in_mappings(&self) -> usize {
        self.lambda.sources.iter().map(|source| source.mapping.messages()).sum()
    }

    /// Does all that a mapping wants done now.
    pub(super) fn drive(&mut self, now: StackTime, id: SourceId) {
        loop {
            self.receive_for(now, id);
            let Some(source) = self.lambda.sources.get_mut(id) else { return };
            match source.mapping.next(now) {
                None => break,
                Some(Action::Receive { .. }) => {}
                Some(Action::Invoke(batch)) => self.invoke_batch(now, id, batch),
                Some(Action::Settle(settled)) => self.settle_messages(now, id, settled),
            }
        }
        self.arm_mapping(id);
    }

    /// A function is there again that had mappings when it was deleted.
    pub(in crate::lambda) fn feed_function(&mut self, now: StackTime, id: FunctionId) {
        let is_of = |source: &&Source| self.find_function(&source.function) == Some(id);
        let sources: Vec<_> = self.lambda.sources.iter().filter(is_of).map(|source| source.id).collect();
        sources.into_iter().for_each(|source| self.drive(now, source));
    }

    /// A mapping whose function was deleted receives nothing.
    fn has_function(&self, source: &Source) -> bool {
        self.find_function(&source.function).is_some()
    }

    /// Receives if the mapping waits for messages and some are there.
    fn receive_for(&mut self, now: StackTime, id: SourceId) {
        let Some(source) = self.lambda.sources.get(id) else { return };
        let Some(max) = source.mapping.asked().filter(|_| self.has_function(source)) else { return };
        let arn = source.mapping.settings().queue_arn.clone();
        let Some((records, visible_at)) = self.poll_queue(now, &arn, max) else { return };
        self.note_received(now, id, &records);
        if let Some(source) = self.lambda.sources.get_mut(id) {
            source.mapping.received(now, records, visible_at);
        }
    }

    /// What a poller receives from a queue that has something, and when that is visible again.
    pub(crate) fn poll_queue(
        &mut self,
        now: StackTime,
        arn: &str,
        max: usize,
    ) -> Option<(Vec<Record>, StackTime)> {
        let queue = self.find_queue(arn)?;
        let held = self.queues.get_mut(queue).ok()?;
        held.last_action = now;
        held.first_visible()?;
        let visibility = held.attributes.visibility_timeout.max(SHORTEST);
        let ask = Ask { max, visibility: Some(visibility), attempt: None };
        let messages = self.take(now, queue, &ask).unwrap_or_default();
        let records: Vec<_> = messages.iter().map(|message| record(message, arn)).collect();
        (!records.is_empty()).then(|| (records, now + visibility))
    }

    /// Deletes what a poller is done with.
    pub(crate) fn delete_polled(&mut self, now: StackTime, arn: &str, records: Vec<Record>) {
        let Some(queue) = self.find_queue(arn) else { return };
        for record in records {
            let handle = DeleteMessage { receipt_handle: Some(record.receipt_handle) };
            // A handle that is too old deletes nothing: the message is received once more.
            let _ = self.delete_message(now, queue, handle);
        }
    }

    /// What cannot be handed to the function now, the mapping tries again.
    fn invoke_batch(&mut self, now: StackTime, id: SourceId, batch: BatchId) {
        let request_id = self.new_id();
        let Some(source) = self.lambda.sources.get(id) else { return };
        let Some(held) = source.mapping.batch(batch) else { return };
        let function = self.find_function(&source.function);
        let call = Call {
            request_id,
            invoked_arn: source.function.qualified(),
            payload: held.payload(),
            trace_id: None,
            client_context: None,
            messages: held.message_ids().map(MessageId::new).collect(),
        };
        if let Some(source) = self.lambda.sources.get_mut(id) {
            source.requests.insert(batch, call.request_id.clone());
        }
        let begun =
            function.map(|function| self.begin_invocation(now, function, call, Origin::Batch(id, batch)));
        if begun != Some(Ok(()))
            && let Some(source) = self.lambda.sources.get_mut(id)
        {
            source.mapping.throttled(now, batch);
        }
    }

    fn settle_messages(&mut self, now: StackTime, id: SourceId, settled: Settled) {
        let Some(source) = self.lambda.sources.get_mut(id) else { return };
        let arn = source.mapping.settings().queue_arn.clone();
        let Settled { batch, deleted, returned, reason } = settled;
        let fact = Fact::BatchSettled {
            function: source.function.name.clone(),
            queue: name_of(&arn).to_owned(),
            request_id: batch.and_then(|batch| source.requests.remove(&batch)),
            deleted: ids(&deleted),
            returned: ids(&returned),
            reason,
        };
        self.emit(now, fact);
        self.delete_polled(now, &arn, deleted);
    }

    fn note_received(&mut self, now: StackTime, id: SourceId, records: &[Record]) {
        let Some(source) = self.lambda.sources.get(id) else { return };
        let fact = Fact::MappingReceived {
            function: source.function.name.clone(),
            queue: name_of(&source.mapping.settings().queue_arn).to_owned(),
            message_ids: ids(records),
        };
        self.emit(now, fact);
    }

    /// Sets the one timer of a mapping; one that is being deleted goes when it is idle.
    fn arm_mapping(&mut self, id: SourceId) {
        let Some(source) = self.lambda.sources.get_mut(id) else { return };
        let is_over = source.state == State::Deleting && source.mapping.is_idle();
        let wakes = source.mapping.wakes_at().filter(|_| !is_over);
        self.timers.rearm(&mut source.timer, wakes, Timer::Mapping { source: id });
        if is_over {
            self.lambda.sources.remove(id);
        }
    }
}

pub(crate) fn ids(records: &[Record]) -> Vec<MessageId> {
    records.iter().map(|record| MessageId::new(&record.message_id)).collect()
}
