//! The calls that a poller makes.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_sqs::Client;
use aws_sdk_sqs::primitives::Blob;
use aws_sdk_sqs::types::{
    DeleteMessageBatchRequestEntry, Message, MessageAttributeValue, MessageSystemAttributeName,
};
use havoq_lambda::{MessageAttribute, Record};

use crate::aws::Clients;

/// How long an empty queue is waited for, in seconds: as long as SQS lets it.
const LONGEST_WAIT: i32 = 20;
/// The most entries of one DeleteMessageBatch.
const LARGEST_DELETE: usize = 10;

/// The stack refused a poll, also when it was asked again.
#[derive(Debug)]
pub(super) struct CannotReceive;

/// A queue behind a tap. Clones share the client.
#[derive(Clone)]
pub(super) struct Queue {
    client: Client,
    url: String,
    arn: String,
}

impl Queue {
    pub fn new(endpoint: &str, url: String, arn: String) -> Self {
        Self { client: Clients::at(endpoint).sqs, url, arn }
    }

    /// Up to `max` messages, or none within the longest wait.
    pub async fn receive(&self, max: usize) -> Result<Vec<Record>, CannotReceive> {
        let poll = self.client.receive_message().queue_url(&self.url).wait_time_seconds(LONGEST_WAIT);
        let poll = poll.max_number_of_messages(i32::try_from(max).unwrap_or(i32::MAX));
        let poll = poll.message_system_attribute_names(MessageSystemAttributeName::All);
        let answer = poll.message_attribute_names("All").send().await;
        let answer = answer.map_err(|_| CannotReceive)?;
        let messages = answer.messages.unwrap_or_default().into_iter();
        Ok(messages.filter_map(|message| self.record(message)).collect())
    }

    /// Deletes them. What cannot be deleted comes back to the queue, as with Lambda.
    pub async fn delete(&self, records: &[Record]) {
        for records in records.chunks(LARGEST_DELETE) {
            let entries = records.iter().enumerate().filter_map(|(index, record)| {
                let entry = DeleteMessageBatchRequestEntry::builder().id(index.to_string());
                entry.receipt_handle(&record.receipt_handle).build().ok()
            });
            let delete = self.client.delete_message_batch().queue_url(&self.url);
            delete.set_entries(Some(entries.collect())).send().await.ok();
        }
    }

    fn record(&self, message: Message) -> Option<Record> {
        let attributes = message.attributes.unwrap_or_default().into_iter();
        Some(Record {
            message_id: message.message_id?,
            receipt_handle: message.receipt_handle?,
            body: message.body.unwrap_or_default(),
            attributes: attributes.map(|(name, value)| (name.as_str().to_owned(), value)).collect(),
            message_attributes: attributes_of(message.message_attributes.unwrap_or_default()),
            md5_of_body: message.md5_of_body.unwrap_or_default(),
            md5_of_message_attributes: message.md5_of_message_attributes,
            queue_arn: self.arn.clone(),
        })
    }
}

fn attributes_of(attributes: HashMap<String, MessageAttributeValue>) -> BTreeMap<String, MessageAttribute> {
    let attribute = |value: MessageAttributeValue| match (value.string_value, value.binary_value) {
        (None, Some(bytes)) => MessageAttribute::binary(value.data_type, base64(&bytes)),
        (text, _) => MessageAttribute::text(value.data_type, text.unwrap_or_default()),
    };
    attributes.into_iter().map(|(name, value)| (name, attribute(value))).collect()
}

fn base64(bytes: &Blob) -> String {
    aws_smithy_types::base64::encode(bytes.as_ref())
}
