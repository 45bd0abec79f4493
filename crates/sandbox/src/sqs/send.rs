//! SendMessage and SendMessageBatch (semantics 1.5-1.8, 1.13).

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::ids::MessageId;
use havoq_base::{StackDuration, StackTime};
use havoq_wire::{ServiceError, SqsError};
use serde::{Deserialize, Serialize};

use super::batch::{self, Batch, Entry, Outcome};
use super::content::{self, AttributeInput};
use super::dedup::First;
use super::digest::Sum;
use super::errors::{invalid_parameter, missing, too_long, wrong_type};
use super::message::{Content, Message, SequenceNumber, State};
use super::params::seconds;
use super::{QueueId, Seq, digest};
use crate::cloudwatch::Stats;
use crate::core::Core;
use crate::fact::Fact;

/// The most that one message, or the entries of a batch together, may be long (semantics 1.6).
const LONGEST: u64 = 1_048_576;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct SendMessage {
    pub(crate) message_body: Option<String>,
    pub(crate) delay_seconds: Option<i64>,
    pub(crate) message_attributes: BTreeMap<String, AttributeInput>,
    pub(crate) message_system_attributes: BTreeMap<String, AttributeInput>,
    pub(crate) message_group_id: Option<String>,
    pub(crate) message_deduplication_id: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Sent {
    /// Of the entry, in a batch.
    #[serde(rename = "Id", skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(rename = "MessageId")]
    pub(crate) message_id: MessageId,
    #[serde(rename = "MD5OfMessageBody")]
    body_md5: Sum,
    #[serde(rename = "MD5OfMessageAttributes", skip_serializing_if = "Option::is_none")]
    attributes_md5: Option<Sum>,
    #[serde(rename = "MD5OfMessageSystemAttributes", skip_serializing_if = "Option::is_none")]
    system_attributes_md5: Option<Sum>,
    #[serde(rename = "SequenceNumber", skip_serializing_if = "Option::is_none")]
    sequence_number: Option<String>,
}

impl Sent {
    /// The sums are those of what was sent, the ids those of what is stored.
    fn of(content: &Content, system_md5: Option<Sum>, stored: First, is_fifo: bool) -> Self {
        Self {
            id: None,
            message_id: stored.id,
            body_md5: content.body_md5,
            attributes_md5: content.attributes_md5,
            system_attributes_md5: system_md5,
            sequence_number: is_fifo.then(|| SequenceNumber(stored.seq).to_string()),
        }
    }
}

/// A checked message on its way into a queue.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) content: Content,
    pub(crate) dedup_id: Option<Arc<str>>,
    /// The queue's own when absent.
    pub(crate) delay: Option<StackDuration>,
    /// The sum of what was sent as a system attribute.
    system_md5: Option<Sum>,
}

impl Prepared {
    /// A trace header of the HTTP request stands for an absent one of the message.
    pub(crate) fn trace(&mut self, header: &str) {
        self.content.trace_header.get_or_insert_with(|| header.to_owned());
    }
}

impl SendMessage {
    /// Checks everything that does not depend on the queue. It needs no lock, and sums are slow.
    pub(crate) fn prepare(self) -> Result<Prepared, ServiceError> {
        let body = self.message_body.filter(|body| !body.is_empty()).ok_or_else(|| missing("MessageBody"))?;
        content::check_characters(&body)?;
        let reason = "DelaySeconds must be >= 0 and <= 900.";
        let delay =
            self.delay_seconds.map(|delay| seconds(delay, "DelaySeconds", 0..=900, reason)).transpose()?;
        let id = |parameter, id: Option<String>| id.map(|id| content::fifo_id(parameter, &id)).transpose();
        let attributes = content::attributes(self.message_attributes)?;
        let content = Content {
            body_md5: digest::of_text(&body),
            body,
            attributes_md5: digest::of_attributes(&attributes),
            attributes,
            trace_header: content::trace_header(self.message_system_attributes)?,
            group_id: id("MessageGroupId", self.message_group_id)?,
        };
        let dedup_id = id("MessageDeduplicationId", self.message_deduplication_id)?;
        let system_md5 = content.trace_header.as_deref().and_then(digest::of_trace_header);
        Ok(Prepared { content, dedup_id, delay, system_md5 })
    }
}

/// An entry of a SendMessageBatch: an error fails it alone.
pub(crate) type PreparedEntry = Entry<Result<Prepared, ServiceError>>;

/// Checks a batch as a whole and each entry by itself (semantics 1.7).
pub(crate) fn prepare_batch(batch: Batch<SendMessage>) -> Result<Vec<PreparedEntry>, ServiceError> {
    const KIND: &str = "SendMessageBatchRequestEntry";
    let entries = batch.entries(KIND)?;
    let prepared = entries.into_iter().enumerate().map(|(index, Entry { id, input })| {
        if input.message_body.as_ref().is_none_or(String::is_empty) {
            return Entry { id, input: Err(missing(&format!("{KIND}.{}.MessageBody", index + 1))) };
        }
        Entry { id, input: input.prepare() }
    });
    let prepared: Vec<_> = prepared.collect();
    let sizes = prepared.iter().flat_map(|entry| &entry.input).map(|entry| entry.content.size());
    let total: u64 = sizes.sum();
    if total > LONGEST {
        let text =
            format!("Batch requests cannot be longer than {LONGEST} bytes. You have sent {total} bytes.");
        return Err(SqsError::BatchRequestTooLong.with(text));
    }
    Ok(prepared)
}

impl Core {
    pub(crate) fn send_message(
        &mut self,
        now: StackTime,
        id: QueueId,
        mut prepared: Prepared,
    ) -> Result<Sent, ServiceError> {
        self.admit(id, &mut prepared)?;
        let Prepared { content, dedup_id, delay, system_md5 } = prepared;
        let content = Arc::new(content);
        let queue = self.queues.get_mut(id)?;
        let (key, is_fifo) = (queue.dedup_key(now, &content, dedup_id.as_ref()), queue.is_fifo());
        let first = key.as_ref().and_then(|key| queue.sends.get(now, key).cloned());
        if let Some(first) = first {
            self.swallow(now, id, &first)?;
            return Ok(Sent::of(&content, system_md5, first, is_fifo));
        }
        let delay = delay.unwrap_or(queue.attributes.delay);
        let message_id = self.new_message_id();
        let seq = self.store(now, id, message_id.clone(), Arc::clone(&content), dedup_id, delay)?;
        let first = First { id: message_id, seq };
        if let Some(key) = key {
            self.queues.get_mut(id)?.sends.note(now, key, first.clone());
        }
        Ok(Sent::of(&content, system_md5, first, is_fifo))
    }

    /// Checks what depends on the queue, and settles what its type settles: the delay and the
    /// deduplication id.
    fn admit(&self, id: QueueId, prepared: &mut Prepared) -> Result<(), ServiceError> {
        let queue = self.queues.get(id)?;
        let (size, limit) = (prepared.content.size(), queue.attributes.maximum_message_size);
        if size > limit {
            return Err(too_long(limit));
        }
        match &queue.attributes.fifo {
            Some(fifo) => prepared.admit_to_fifo(fifo),
            None if prepared.dedup_id.is_some() => Err(wrong_type("MessageDeduplicationId")),
            None => Ok(()),
        }
    }

    /// A duplicate is answered like its first copy (semantics 1.13).
    fn swallow(&mut self, now: StackTime, id: QueueId, first: &First) -> Result<(), ServiceError> {
        let queue = self.queues.get_mut(id)?;
        queue.counters.deduplicated += 1;
        let queue = queue.name.to_string();
        self.emit(now, Fact::Deduplicated { queue, message_id: first.id.clone() });
        Ok(())
    }

    /// Puts a new message into a queue, as a send or a move task does.
    pub(crate) fn store(
        &mut self,
        now: StackTime,
        id: QueueId,
        message_id: MessageId,
        content: Arc<Content>,
        dedup_id: Option<Arc<str>>,
        delay: StackDuration,
    ) -> Result<Seq, ServiceError> {
        let queue = self.queues.get_mut(id)?;
        let size = Stats::of(content.size() as f64);
        queue.counters.sent += 1;
        queue.counters.sent_size = Some(queue.counters.sent_size.map_or(size, |sizes| sizes.merge(size)));
        let message = Message {
            id: message_id,
            content,
            sent: now,
            arrived: now,
            receives: 0,
            first_received: None,
            dead_letter_source: None,
            dedup_id,
            // `put` decides.
            state: State::Visible { place: 0 },
        };
        let seq = queue.put(message, delay, &mut self.timers);
        self.touch(id);
        Ok(seq)
    }

    /// An entry without an id that its FIFO queue asks for fails the whole call (semantics 1.7).
    pub(crate) fn send_message_batch(
        &mut self,
        now: StackTime,
        id: QueueId,
        entries: Vec<PreparedEntry>,
    ) -> Result<Outcome<Sent>, ServiceError> {
        let attributes = &self.queues.get(id)?.attributes;
        if let Some(fifo) = &attributes.fifo {
            for prepared in entries.iter().flat_map(|entry| &entry.input) {
                prepared.check_ids(fifo).map_err(|error| invalid_parameter(error.message))?;
            }
        }
        let limit = attributes.maximum_message_size;
        Ok(batch::run(entries, |entry, prepared| {
            let prepared = prepared?;
            if prepared.content.size() > limit {
                let reason = format!("Message must be shorter than {limit} bytes.");
                let text = format!("One or more parameters cannot be validated. Reason: {reason}");
                return Err(invalid_parameter(text));
            }
            let sent = self.send_message(now, id, prepared)?;
            Ok(Sent { id: Some(entry), ..sent })
        }))
    }
}
