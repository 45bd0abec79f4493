//! Where events go that came to their end: the dead letters of their function, and the records for
//! its destinations (semantics 5.6).

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_lambda::{LATEST, Returned};
use serde_json::{Value, json};

use super::ServiceInvoke;
use super::asynchronous::{Condition, Event};
use crate::acting::Acting;
use crate::core::Core;
use crate::events::AwsEvent;
use crate::fact::Fact;
use crate::sns::{MessageAttributeInput, ServicePublish, timestamp};
use crate::sqs::{AttributeInput, SendMessage, ServiceSend};
use crate::targets::{TargetError, TargetKind};

/// What is handed over.
struct Parcel {
    body: String,
    /// Strings and numbers by name.
    attributes: Vec<(&'static str, &'static str, String)>,
    /// What a bus calls it.
    detail_type: &'static str,
}

/// How a parcel fared: with the id that the queue or the topic gave it, or why it was not taken.
type Handed = Result<Option<MessageId>, String>;

const SUCCESS: &str = "Lambda Function Invocation Result - Success";
const FAILURE: &str = "Lambda Function Invocation Result - Failure";

/// How much of an error's text a dead letter has.
const LONGEST_MESSAGE: usize = 1_024;

impl Core {
    /// The original event, with attributes that say what went wrong.
    pub(super) fn dead_letter_event(
        &mut self,
        now: StackTime,
        event: &Event,
        condition: Condition,
        returned: Option<&Returned>,
    ) {
        let Some(function) = self.lambda.functions.get(event.function) else { return };
        let Some(to) = function.dead_letters.clone() else { return };
        let (code, message) = error(event, condition, returned);
        let mut attributes = vec![
            ("RequestID", "String", event.call.request_id.clone()),
            ("ErrorCode", "Number", code.to_string()),
        ];
        if !message.is_empty() {
            attributes.push(("ErrorMessage", "String", message));
        }
        let body = String::from_utf8_lossy(&event.call.payload).into_owned();
        let handed = self.hand_over(now, event, &to, Parcel { body, attributes, detail_type: FAILURE });
        self.note_handed(now, event, &to, handed, |counters| counters.dead_letter_errors += 1);
    }

    /// A record of the invocation for the destination of its kind.
    pub(super) fn tell_destination(
        &mut self,
        now: StackTime,
        event: &Event,
        condition: Condition,
        returned: Option<&Returned>,
    ) {
        let Some(function) = self.lambda.functions.get(event.function) else { return };
        let config = function.event_invoke.as_ref();
        let to = config.and_then(|config| match condition {
            Condition::Success => config.on_success.clone(),
            _ => config.on_failure.clone(),
        });
        let Some(to) = to else { return };
        let body = record(now, &function.latest_arn(), event, condition, returned).to_string();
        let detail_type = if condition == Condition::Success { SUCCESS } else { FAILURE };
        let handed = self.hand_over(now, event, &to, Parcel { body, attributes: Vec::new(), detail_type });
        self.note_handed(now, event, &to, handed, |counters| counters.destination_failures += 1);
    }

    fn note_handed(
        &mut self,
        now: StackTime,
        event: &Event,
        to: &str,
        handed: Handed,
        count: impl FnOnce(&mut super::metrics::Counters),
    ) {
        let Some(function) = self.lambda.functions.get_mut(event.function) else { return };
        if handed.is_err() {
            count(&mut function.counters);
        }
        let (function, request_id) = (function.spec.name.clone(), event.call.request_id.clone());
        let to = to.to_owned();
        let fact = match handed {
            Ok(message_id) => Fact::EventHandedOver { function, request_id, to, message_id },
            Err(reason) => Fact::EventNotHandedOver { function, request_id, to, reason },
        };
        self.emit(now, fact);
    }

    /// Lambda acts in the function's role, whose own policies are not modelled.
    fn hand_over(&mut self, now: StackTime, event: &Event, to: &str, parcel: Parcel) -> Handed {
        let Some(function) = self.lambda.functions.get(event.function) else {
            return Err("the function was deleted".to_owned());
        };
        let (role, function_arn) = (function.role.clone(), function.latest_arn());
        let acting = Acting::Role { arn: &role };
        let handed = match TargetKind::of(to) {
            _ if let Err(outage) = self.reachable(to) => Err(outage),
            Some(TargetKind::Queue) => {
                let message = parcel.for_queue();
                let sent = self.send_as_service(now, ServiceSend { queue_arn: to, acting, message });
                sent.map_err(TargetError::from)
            }
            Some(TargetKind::Topic) => {
                let attributes = parcel.for_topic();
                let trace_header = event.call.trace_id.clone();
                let publish = ServicePublish {
                    topic_arn: to,
                    acting,
                    subject: None,
                    message: parcel.body,
                    trace_header,
                };
                self.publish_with_attributes(now, publish, attributes).map_err(TargetError::from)
            }
            Some(TargetKind::Bus) => self.put_event_on(
                now,
                to,
                acting,
                AwsEvent {
                    source: "lambda",
                    detail_type: parcel.detail_type,
                    resources: &[to.to_owned(), function_arn],
                    detail: json_of(parcel.body.as_bytes()),
                },
            ),
            Some(TargetKind::Function) => {
                let invoke = ServiceInvoke { function_arn: to, acting, payload: parcel.body.into() };
                let taken = self.invoke_as_service(now, invoke);
                return taken.map(|()| None).map_err(|refusal| TargetError::from(refusal).message);
            }
            None => return Err(format!("the sandbox does not hand over to {to}")),
        };
        handed.map(Some).map_err(|error| error.message)
    }
}

impl Parcel {
    fn for_topic(&self) -> BTreeMap<String, MessageAttributeInput> {
        let attributes = self.attributes.iter().map(|(name, data_type, value)| {
            let (data_type, string_value) = (Some((*data_type).to_owned()), Some(value.clone()));
            let attribute = MessageAttributeInput { data_type, string_value, ..Default::default() };
            ((*name).to_owned(), attribute)
        });
        attributes.collect()
    }

    fn for_queue(self) -> SendMessage {
        let attributes = self.attributes.into_iter().map(|(name, data_type, value)| {
            let data_type = data_type.to_owned();
            (name.to_owned(), AttributeInput { data_type, string_value: Some(value), ..Default::default() })
        });
        let message_attributes: BTreeMap<_, _> = attributes.collect();
        SendMessage { message_body: Some(self.body), message_attributes, ..SendMessage::default() }
    }
}

/// The status that a synchronous caller would have seen, and the error's text.
fn error(event: &Event, condition: Condition, returned: Option<&Returned>) -> (u16, String) {
    let Some(returned) = returned else {
        let text = match condition {
            Condition::EventAgeExceeded => "Rate Exceeded.",
            _ => "Concurrent invocation limit exceeded: no concurrency is reserved for the function",
        };
        return (429, text.to_owned());
    };
    let payload: Value =
        serde_json::from_slice(&returned.payload(&event.call.request_id)).unwrap_or_default();
    let text = payload["errorMessage"].as_str().unwrap_or_default();
    (200, text[..text.floor_char_boundary(LONGEST_MESSAGE)].to_owned())
}

fn record(
    now: StackTime,
    function_arn: &str,
    event: &Event,
    condition: Condition,
    returned: Option<&Returned>,
) -> Value {
    let mut record = json!({
        "version": "1.0",
        "timestamp": timestamp(now),
        "requestContext": {
            "requestId": event.call.request_id,
            "functionArn": function_arn,
            "condition": condition.word(),
            "approximateInvokeCount": event.attempts,
        },
        "requestPayload": json_of(&event.call.payload),
    });
    if let Some(returned) = returned {
        record["responseContext"] = json!({ "statusCode": 200, "executedVersion": LATEST });
        if let Some(error) = returned.function_error() {
            record["responseContext"]["functionError"] = json!(error);
        }
        record["responsePayload"] = json_of(&returned.payload(&event.call.request_id));
    }
    record
}

/// What is no JSON is a text.
fn json_of(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(bytes)))
}
