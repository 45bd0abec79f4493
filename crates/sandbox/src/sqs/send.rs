//! SendMessage and SendMessageBatch (semantics 1.5-1.8).

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_base::ids::MessageId;
use havoq_base::{StackDuration, StackTime};
use havoq_wire::{ServiceError, SqsError};
use serde::{Deserialize, Serialize};

use super::QueueId;
use super::batch::{self, Batch, Entry, Outcome};
use super::digest;
use super::errors::{invalid_parameter, invalid_value, missing, too_long};
use super::message::{Attribute, AttributeValue, Content, Message, State};
use super::params::seconds;
use crate::cloudwatch::Stats;
use crate::core::Core;

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

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct AttributeInput {
    pub(crate) data_type: String,
    pub(crate) string_value: Option<String>,
    pub(crate) binary_value: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Sent {
    /// Of the entry, in a batch.
    #[serde(rename = "Id", skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(rename = "MessageId")]
    pub(crate) message_id: MessageId,
    #[serde(rename = "MD5OfMessageBody")]
    body_md5: String,
    #[serde(rename = "MD5OfMessageAttributes", skip_serializing_if = "Option::is_none")]
    attributes_md5: Option<String>,
    #[serde(rename = "MD5OfMessageSystemAttributes", skip_serializing_if = "Option::is_none")]
    system_attributes_md5: Option<String>,
}

/// A checked message on its way into a queue.
#[derive(Debug)]
pub(crate) struct Prepared {
    content: Content,
    /// The queue's own when absent.
    delay: Option<StackDuration>,
}

impl SendMessage {
    /// Checks everything that does not depend on the queue. It needs no lock, and sums are slow.
    pub(crate) fn prepare(self) -> Result<Prepared, ServiceError> {
        let body = self.message_body.filter(|body| !body.is_empty()).ok_or_else(|| missing("MessageBody"))?;
        check_characters(&body)?;
        if let Some(id) = &self.message_deduplication_id {
            let reason = "The request includes a parameter that is not valid for this queue type.";
            return Err(invalid_value(id, "MessageDeduplicationId", reason));
        }
        let reason = "DelaySeconds must be >= 0 and <= 900.";
        let delay =
            self.delay_seconds.map(|delay| seconds(delay, "DelaySeconds", 0..=900, reason)).transpose()?;
        let attributes = attributes(self.message_attributes)?;
        let content = Content {
            body_md5: digest::of_text(&body),
            body,
            attributes_md5: digest::of_attributes(&attributes),
            attributes,
            trace_header: trace_header(self.message_system_attributes)?,
            group_id: self.message_group_id.map(group_id).transpose()?,
        };
        Ok(Prepared { content, delay })
    }
}

/// An entry of a SendMessageBatch: an error fails it alone.
pub(crate) type PreparedEntry = Entry<Result<Prepared, ServiceError>>;

/// Checks a batch as a whole and each entry by itself (semantics 1.7).
pub(crate) fn prepare_batch(batch: Batch) -> Result<Vec<PreparedEntry>, ServiceError> {
    let entries = batch.entries::<SendMessage>("SendMessageBatchRequestEntry")?;
    let prepared = entries.into_iter().map(|Entry { id, input }| Entry { id, input: input.prepare() });
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
        prepared: Prepared,
    ) -> Result<Sent, ServiceError> {
        let Prepared { content, delay } = prepared;
        let queue = self.queues.get(id)?;
        let (size, limit) = (content.size(), queue.attributes.maximum_message_size);
        if size > limit {
            return Err(too_long(limit));
        }
        let delay = delay.unwrap_or(queue.attributes.delay);
        let message_id = self.new_message_id();
        let sent = Sent {
            id: None,
            message_id: message_id.clone(),
            body_md5: content.body_md5.clone(),
            attributes_md5: content.attributes_md5.clone(),
            system_attributes_md5: content.trace_header.as_deref().and_then(digest::of_trace_header),
        };
        self.store(now, id, message_id, Arc::new(content), delay)?;
        Ok(sent)
    }

    /// Puts a new message into a queue, as a send or a move task does.
    pub(crate) fn store(
        &mut self,
        now: StackTime,
        id: QueueId,
        message_id: MessageId,
        content: Arc<Content>,
        delay: StackDuration,
    ) -> Result<(), ServiceError> {
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
            // `put` decides.
            state: State::Visible { place: 0 },
        };
        queue.put(message, delay, &mut self.timers);
        self.touch(id);
        Ok(())
    }

    pub(crate) fn send_message_batch(
        &mut self,
        now: StackTime,
        id: QueueId,
        entries: Vec<PreparedEntry>,
    ) -> Outcome<Sent> {
        batch::run(entries, |entry, prepared| {
            let sent = self.send_message(now, id, prepared?)?;
            Ok(Sent { id: Some(entry), ..sent })
        })
    }
}

fn check_characters(text: &str) -> Result<(), ServiceError> {
    match text.chars().find(|character| !is_legal(*character)) {
        None => Ok(()),
        Some(character) => Err(SqsError::InvalidMessageContents.with(format!(
            "Invalid binary character '#x{:X}' was found in the message body, the set of allowed characters is \
             #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF",
            u32::from(character)
        ))),
    }
}

/// Semantics 1.6.
fn is_legal(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

fn group_id(id: String) -> Result<String, ServiceError> {
    let legal = (1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
    if legal {
        return Ok(id);
    }
    Err(invalid_parameter(
        "MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.",
    ))
}

fn trace_header(attributes: BTreeMap<String, AttributeInput>) -> Result<Option<String>, ServiceError> {
    let mut header = None;
    for (name, input) in attributes {
        if name != "AWSTraceHeader" {
            return Err(invalid_parameter(format!("Message system attribute name '{name}' is invalid.")));
        }
        match attribute(&name, input)? {
            Attribute { value: AttributeValue::Text(text), .. } => header = Some(text),
            _ => {
                return Err(invalid_parameter(
                    "Message system attribute 'AWSTraceHeader' must be of type 'String'.",
                ));
            }
        }
    }
    Ok(header)
}

fn attributes(inputs: BTreeMap<String, AttributeInput>) -> Result<BTreeMap<String, Attribute>, ServiceError> {
    if inputs.len() > 10 {
        let count = inputs.len();
        return Err(invalid_parameter(format!(
            "Number of message attributes [{count}] exceeds the allowed maximum [10]."
        )));
    }
    let checked = inputs.into_iter().map(|(name, input)| {
        check_name(&name)?;
        let attribute = attribute(&name, input)?;
        Ok((name, attribute))
    });
    checked.collect()
}

fn check_name(name: &str) -> Result<(), ServiceError> {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let lower = name.to_ascii_lowercase();
    let reserved = lower.starts_with("aws.") || lower.starts_with("amazon.");
    let dots = name.starts_with('.') || name.ends_with('.') || name.contains("..");
    if (1..=256).contains(&name.len()) && name.bytes().all(legal) && !reserved && !dots {
        return Ok(());
    }
    Err(invalid_parameter(format!(
        "Message (user) attribute name '{name}' is invalid. It can only include A-Z, a-z, 0-9, underscores, hyphens \
         and single dots that are neither first nor last, and must not start with AWS. or Amazon. 1 to 256 in length."
    )))
}

fn attribute(name: &str, input: AttributeInput) -> Result<Attribute, ServiceError> {
    let AttributeInput { data_type, string_value, binary_value } = input;
    let kind = data_type.split('.').next().unwrap_or_default();
    let empty = || {
        invalid_parameter(format!(
            "Message (user) attribute '{name}' must contain a non-empty value of type '{kind}'."
        ))
    };
    let value = match kind {
        "String" | "Number" => {
            let text = string_value.filter(|text| !text.is_empty()).ok_or_else(empty)?;
            check_text(name, kind, &text)?;
            AttributeValue::Text(text)
        }
        "Binary" => {
            let text = binary_value.filter(|text| !text.is_empty()).ok_or_else(empty)?;
            let bytes =
                STANDARD.decode(text).map_err(|error| SqsError::Serialization.with(error.to_string()))?;
            AttributeValue::Binary(bytes)
        }
        _ => {
            return Err(invalid_parameter(format!(
                "The message attribute '{name}' has an invalid message attribute type, the set of supported type \
                 prefixes is Binary, Number, and String."
            )));
        }
    };
    Ok(Attribute { data_type, value })
}

fn check_text(name: &str, kind: &str, text: &str) -> Result<(), ServiceError> {
    if kind == "Number" && !text.trim().parse::<f64>().is_ok_and(f64::is_finite) {
        return Err(invalid_parameter(format!(
            "Can't cast the value of message (user) attribute '{name}' to a number."
        )));
    }
    if !text.chars().all(is_legal) {
        return Err(invalid_parameter(format!(
            "Invalid characters in the value of message (user) attribute '{name}'."
        )));
    }
    Ok(())
}
