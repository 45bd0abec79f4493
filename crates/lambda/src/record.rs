//! A message as an SQS event hands it to a function, and the event (semantics 5.4).

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::Serialize;

use crate::place::region_of;

/// One message that a mapping received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub message_id: String,
    pub receipt_handle: String,
    pub body: String,
    /// System attributes by their names in the API.
    pub attributes: BTreeMap<String, String>,
    pub message_attributes: BTreeMap<String, MessageAttribute>,
    pub md5_of_body: String,
    /// Of messages that have attributes.
    pub md5_of_message_attributes: Option<String>,
    pub queue_arn: String,
}

/// An attribute that the sender gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageAttribute {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub string_value: Option<String>,
    /// In base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary_value: Option<String>,
    string_list_values: [(); 0],
    binary_list_values: [(); 0],
    pub data_type: String,
}

impl MessageAttribute {
    pub fn text(data_type: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            string_value: Some(value.into()),
            binary_value: None,
            string_list_values: [],
            binary_list_values: [],
            data_type: data_type.into(),
        }
    }

    /// `value` is base64.
    pub fn binary(data_type: impl Into<String>, value: impl Into<String>) -> Self {
        Self { string_value: None, binary_value: Some(value.into()), ..Self::text(data_type, "") }
    }
}

/// What the function reads.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    message_id: &'a str,
    receipt_handle: &'a str,
    body: &'a str,
    attributes: &'a BTreeMap<String, String>,
    message_attributes: &'a BTreeMap<String, MessageAttribute>,
    #[serde(skip_serializing_if = "Option::is_none")]
    md5_of_message_attributes: Option<&'a str>,
    md5_of_body: &'a str,
    event_source: &'static str,
    #[serde(rename = "eventSourceARN")]
    event_source_arn: &'a str,
    aws_region: &'a str,
}

impl Record {
    /// The record as JSON.
    pub fn to_json(&self) -> String {
        // It has only texts, and maps of texts.
        serde_json::to_string(&self.shown()).expect("texts can be written")
    }

    /// The record as a document.
    pub fn to_value(&self) -> serde_json::Value {
        serde_json::to_value(self.shown()).expect("texts can be written")
    }

    fn shown(&self) -> Shown<'_> {
        Shown {
            message_id: &self.message_id,
            receipt_handle: &self.receipt_handle,
            body: &self.body,
            attributes: &self.attributes,
            message_attributes: &self.message_attributes,
            md5_of_message_attributes: self.md5_of_message_attributes.as_deref(),
            md5_of_body: &self.md5_of_body,
            event_source: "aws:sqs",
            event_source_arn: &self.queue_arn,
            aws_region: region_of(&self.queue_arn),
        }
    }

    /// The group whose order counts: a standard queue's groups are only tenants (semantics 1.14).
    pub fn ordered_group(&self) -> Option<&str> {
        let group = self.attributes.get("MessageGroupId").map(String::as_str);
        group.filter(|_| self.queue_arn.ends_with(".fifo"))
    }
}

/// What stands around the records.
pub(crate) const FRAME: usize = r#"{"Records":[]}"#.len();

/// The event of these records, each written as JSON already.
pub(crate) fn event<'a>(records: impl Iterator<Item = &'a str>) -> Bytes {
    let records: Vec<_> = records.collect();
    Bytes::from(format!(r#"{{"Records":[{}]}}"#, records.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn record() -> Record {
        Record {
            message_id: "m-1".to_owned(),
            receipt_handle: "h-1".to_owned(),
            body: r#"{"a": 1}"#.to_owned(),
            attributes: BTreeMap::from([("ApproximateReceiveCount".to_owned(), "1".to_owned())]),
            message_attributes: BTreeMap::new(),
            md5_of_body: "5d41".to_owned(),
            md5_of_message_attributes: None,
            queue_arn: "arn:aws:sqs:eu-central-1:123456789012:q".to_owned(),
        }
    }

    #[test]
    fn an_event_lists_the_records_with_their_source_and_region() {
        let json = record().to_json();
        let event: Value = serde_json::from_slice(&event([&*json].into_iter())).expect("JSON");
        assert_eq!(
            event,
            json!({ "Records": [{
                "messageId": "m-1",
                "receiptHandle": "h-1",
                "body": "{\"a\": 1}",
                "attributes": { "ApproximateReceiveCount": "1" },
                "messageAttributes": {},
                "md5OfBody": "5d41",
                "eventSource": "aws:sqs",
                "eventSourceARN": "arn:aws:sqs:eu-central-1:123456789012:q",
                "awsRegion": "eu-central-1",
            }] })
        );
    }

    #[test]
    fn message_attributes_have_lower_camel_names_and_empty_lists_and_a_sum() {
        let mut record = record();
        record.message_attributes = BTreeMap::from([
            ("Title".to_owned(), MessageAttribute::text("String", "The Whistler")),
            ("Raw".to_owned(), MessageAttribute::binary("Binary", "AAE=")),
        ]);
        record.md5_of_message_attributes = Some("d25a".to_owned());
        let value = record.to_value();
        assert_eq!(
            value["messageAttributes"],
            json!({
                "Title": {
                    "stringValue": "The Whistler", "stringListValues": [], "binaryListValues": [], "dataType": "String",
                },
                "Raw": { "binaryValue": "AAE=", "stringListValues": [], "binaryListValues": [], "dataType": "Binary" },
            })
        );
        assert_eq!(value["md5OfMessageAttributes"], "d25a");
    }

    #[test]
    fn groups_are_in_order_in_fifo_queues_only() {
        let mut record = record();
        record.attributes.insert("MessageGroupId".to_owned(), "g".to_owned());
        assert_eq!(record.ordered_group(), None);
        record.queue_arn.push_str(".fifo");
        assert_eq!(record.ordered_group(), Some("g"));
    }
}
