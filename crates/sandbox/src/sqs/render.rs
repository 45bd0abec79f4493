//! The answer of a ReceiveMessage: each message with what was asked for (semantics 1.4, 1.8).

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::digest::{self, Sum};
use super::message::{Attribute, AttributeValue, Content, Delivery};
use super::receive::ReceiveMessage;

/// An empty answer has no list at all.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ReceiveAnswer<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<Received<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Received<'a> {
    message_id: &'a str,
    receipt_handle: &'a str,
    #[serde(rename = "MD5OfBody")]
    body_md5: Sum,
    body: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<&'static str, String>,
    #[serde(rename = "MD5OfMessageAttributes", skip_serializing_if = "Option::is_none")]
    attributes_md5: Option<Sum>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    message_attributes: BTreeMap<&'a str, AttributeOutput<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct AttributeOutput<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    string_value: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    binary_value: Option<String>,
    data_type: &'a str,
}

pub(crate) fn receive_answer<'a>(input: &ReceiveMessage, messages: &'a [Delivery]) -> ReceiveAnswer<'a> {
    ReceiveAnswer { messages: messages.iter().map(|message| received(input, message)).collect() }
}

fn received<'a>(input: &ReceiveMessage, message: &'a Delivery) -> Received<'a> {
    let content = &*message.content;
    let wanted: Vec<_> = content.attributes.iter().filter(|(name, _)| wants(input, name)).collect();
    Received {
        message_id: message.id.as_str(),
        receipt_handle: &message.handle,
        body_md5: content.body_md5,
        body: &content.body,
        attributes: system_attributes(input, message),
        attributes_md5: attributes_md5(content, &wanted),
        message_attributes: wanted
            .into_iter()
            .map(|(name, attribute)| (name.as_str(), output(attribute)))
            .collect(),
    }
}

/// `All`, `*`, `.*`, `prefix.*` or exact names.
fn wants(input: &ReceiveMessage, name: &str) -> bool {
    input.message_attribute_names.iter().any(|wanted| match wanted.as_str() {
        "All" | "*" | ".*" => true,
        wanted => match wanted.strip_suffix(".*") {
            Some(prefix) => name.starts_with(prefix),
            None => name == wanted,
        },
    })
}

/// The sum covers what is returned, which is mostly everything or nothing.
fn attributes_md5(content: &Content, wanted: &[(&String, &Attribute)]) -> Option<Sum> {
    if wanted.len() == content.attributes.len() {
        return content.attributes_md5;
    }
    digest::of_attributes(wanted.iter().copied())
}

fn output(attribute: &Attribute) -> AttributeOutput<'_> {
    let (string_value, binary_value) = match &attribute.value {
        AttributeValue::Text(text) => (Some(text.as_str()), None),
        AttributeValue::Binary(bytes) => (None, Some(STANDARD.encode(bytes))),
    };
    AttributeOutput { string_value, binary_value, data_type: &attribute.data_type }
}

/// Who sent a message is not known where nobody has to sign: one made-up user sends all.
const SENDER: &str = "AIDAHAVOQSANDBOXUSER";

fn system_attributes(input: &ReceiveMessage, message: &Delivery) -> BTreeMap<&'static str, String> {
    if input.system_names().next().is_none() {
        return BTreeMap::new();
    }
    let mut attributes = all_system_attributes(message);
    let wants = |name: &str| input.system_names().any(|wanted| wanted == "All" || wanted == name);
    attributes.retain(|name, _| wants(name));
    attributes
}

/// Every system attribute that a message has.
pub(crate) fn all_system_attributes(message: &Delivery) -> BTreeMap<&'static str, String> {
    let mut attributes = BTreeMap::new();
    let content = &message.content;
    let mut add = |name: &'static str, value: Option<String>| {
        if let Some(value) = value {
            attributes.insert(name, value);
        }
    };
    add("SenderId", Some(SENDER.to_owned()));
    add("SentTimestamp", Some(message.sent.as_millis().to_string()));
    add("ApproximateReceiveCount", Some(message.receives.to_string()));
    add("ApproximateFirstReceiveTimestamp", Some(message.first_received.as_millis().to_string()));
    add("SequenceNumber", message.sequence.map(|number| number.to_string()));
    add("MessageDeduplicationId", message.dedup_id.as_deref().map(str::to_owned));
    add("MessageGroupId", content.group_id.as_deref().map(str::to_owned));
    add("AWSTraceHeader", content.trace_header.clone());
    add("DeadLetterQueueSourceArn", message.dead_letter_source.as_deref().map(str::to_owned));
    attributes
}
