//! The messages in the answer to a ReceiveMessage.

use havoq_wire::{Call, Response};
use serde_json::{Value, json};

const RECEIVE: &str = "ReceiveMessage";
/// What AWS calls a request; one of ours is told from theirs by its zeros.
const REQUEST_ID: &str = "00000000-0000-0000-0000-0000006a766f";

pub(crate) fn is_receive(operation: &str) -> bool {
    operation == RECEIVE
}

/// Whether a call is about a FIFO queue, which keeps order and delivers nothing twice at once.
pub(crate) fn is_fifo(call: &Call) -> bool {
    call.params["QueueUrl"].as_str().is_some_and(|url| url.ends_with(".fifo"))
}

/// The messages of an answer; none where it is an error.
pub fn messages_of(call: &Call, answer: &Response) -> Vec<Value> {
    let result = havoq_wire::decode_result(&call.head, answer).unwrap_or_default();
    result["Messages"].as_array().cloned().unwrap_or_default()
}

/// An answer with these messages. AWS leaves an empty list out.
pub fn answer_with(call: &Call, messages: Vec<Value>) -> Response {
    let result = if messages.is_empty() { json!({}) } else { json!({ "Messages": messages }) };
    answered(call, &result)
}

/// A successful answer to a call, in its protocol.
pub fn answered(call: &Call, result: &Value) -> Response {
    havoq_wire::success(&call.head, result, REQUEST_ID)
}

/// An error answer to a call, in its protocol.
pub(crate) fn refused(call: &Call, error: &havoq_wire::ServiceError) -> Response {
    havoq_wire::failure(&call.head, error, REQUEST_ID)
}

/// As a stack delivers a message again: one more receive.
pub(crate) fn once_more(mut message: Value) -> Value {
    // Clients refuse an answer with members that are null, so none is made by looking.
    if let Some(count) = message.pointer_mut("/Attributes/ApproximateReceiveCount")
        && let Some(number) = count.as_str().and_then(|text| text.parse::<u64>().ok())
    {
        *count = Value::String((number + 1).to_string());
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_once_more_has_only_what_it_had() {
        let counted = json!({ "MessageId": "m", "Attributes": { "ApproximateReceiveCount": "1" } });
        assert_eq!(once_more(counted)["Attributes"]["ApproximateReceiveCount"], "2");
        let plain = json!({ "MessageId": "m", "Body": "{}" });
        assert_eq!(once_more(plain.clone()), plain);
    }
}
