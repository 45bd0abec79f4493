//! Messages of queues as the records of an SQS event (semantics 5.4).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_lambda::{MessageAttribute, Record};

use crate::sqs::{AttributeValue, Delivery, all_system_attributes};

pub(super) fn record(delivery: &Delivery, queue_arn: &str) -> Record {
    let content = &*delivery.content;
    let attributes = content.attributes.iter().map(|(name, attribute)| {
        let data_type = attribute.data_type.as_str();
        let shown = match &attribute.value {
            AttributeValue::Text(text) => MessageAttribute::text(data_type, text),
            AttributeValue::Binary(bytes) => MessageAttribute::binary(data_type, STANDARD.encode(bytes)),
        };
        (name.clone(), shown)
    });
    let system = all_system_attributes(delivery).into_iter();
    Record {
        message_id: delivery.id.as_str().to_owned(),
        receipt_handle: delivery.handle.clone(),
        body: content.body.clone(),
        attributes: system.map(|(name, value)| (name.to_owned(), value)).collect(),
        message_attributes: attributes.collect(),
        md5_of_body: content.body_md5.to_string(),
        md5_of_message_attributes: content.attributes_md5.map(|sum| sum.to_string()),
        queue_arn: queue_arn.to_owned(),
    }
}
