//! Inputs written as forms by an encoder that knows nothing of the reader, and read back.

use bytes::Bytes;
use proptest::prelude::*;
use serde_json::Value;

use crate::call::{Attempt, Head, Protocol, decode};
use crate::model::{Layout, Model, Shape, StructureId, arbitrary};
use crate::reply::success;
use crate::result::decode_result;
use crate::values;

struct Encoder {
    model: &'static Model,
    form: form_urlencoded::Serializer<'static, String>,
}

impl Encoder {
    fn structure(&mut self, path: &str, id: StructureId, value: &Value) {
        for member in &self.model.structure(id).members {
            if let Some(value) = value.get(member.name) {
                let dot = if path.is_empty() { "" } else { "." };
                self.value(&format!("{path}{dot}{}", member.wire), &member.shape, value);
            }
        }
    }

    fn value(&mut self, path: &str, shape: &Shape, value: &Value) {
        if is_empty(value) {
            self.form.append_pair(path, "");
            return;
        }
        let below = |layout: &Layout| match layout {
            Layout::Flat => path.to_owned(),
            Layout::Nested(name) => format!("{path}.{name}"),
        };
        match shape {
            Shape::Structure(id) => self.structure(path, *id, value),
            Shape::List { layout, item } => {
                for (index, value) in value.as_array().expect("a list").iter().enumerate() {
                    self.value(&format!("{}.{}", below(layout), index + 1), item, value);
                }
            }
            Shape::Map { layout, key, value: inner, of } => {
                for (index, (name, value)) in value.as_object().expect("a map").iter().enumerate() {
                    let path = format!("{}.{}", below(layout), index + 1);
                    self.form.append_pair(&format!("{path}.{key}"), name);
                    self.value(&format!("{path}.{inner}"), of, value);
                }
            }
            Shape::Timestamp => {
                let seconds = value.as_f64().expect("seconds");
                self.form.append_pair(path, &values::iso_8601(seconds).expect("a date"));
            }
            _ => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.form.append_pair(path, &text);
            }
        }
    }
}

/// Without what XML cannot say: the characters that it has not, and that a flattened thing is empty.
fn as_in_xml(value: Value) -> Value {
    let plain = |text: String| {
        text.replace(|c: char| c < ' ' && !"\t\n\r".contains(c), "\u{fffd}")
            .replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
    };
    match value {
        Value::String(text) => Value::String(plain(text)),
        Value::Array(values) => values.into_iter().map(as_in_xml).collect(),
        Value::Object(members) => {
            // From the inside out: what holds only empty things is empty.
            let members = members.into_iter().map(|(name, value)| (plain(name), as_in_xml(value)));
            Value::Object(members.filter(|(_, value)| !is_empty(value)).collect())
        }
        other => other,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.is_empty(),
        Value::Object(values) => values.is_empty(),
        _ => false,
    }
}

proptest! {
    #[test]
    fn an_input_written_as_a_form_is_read_as_it_was(
        (service, operation, id, value) in arbitrary::operation(Protocol::Query, |operation| operation.input)
    ) {
        let model = service.model();
        let mut encoder = Encoder { model, form: form_urlencoded::Serializer::new(String::new()) };
        encoder.form.append_pair("Action", operation).append_pair("Version", model.version);
        encoder.structure("", id, &value);
        let request = http::Request::post("/")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Bytes::from(encoder.form.finish()))
            .expect("a valid request");
        let call = decode(&request).expect("a call");
        prop_assert_eq!(call.head.operation, operation);
        prop_assert_eq!(call.params, value);
    }

    #[test]
    fn a_result_written_as_xml_is_read_as_it_was(
        (service, operation, _, value) in arbitrary::operation(Protocol::Query, |operation| operation.output)
    ) {
        let operation = operation.to_owned();
        let head = Head { service, protocol: Protocol::Query, operation, attempt: Attempt::default() };
        let answer = success(&head, &value, "r-1");
        prop_assert_eq!(answer.status(), 200);
        let read = decode_result(&head, &answer).expect("the result");
        prop_assert_eq!(as_in_xml(read), as_in_xml(value));
    }

    #[test]
    fn no_bytes_make_the_readers_panic(
        body: Vec<u8>,
        fields in "(Action=(PutMetricData|SendMessage|Publish)|Version=20(12-11-05|10-08-01|10-03-31)|[A-Z][a-zA-Z]{0,12}(\\.(member|entry|[0-9]{1,3}|key|Value)){0,4}=[ -~]{0,5}|&){0,12}",
    ) {
        for body in [body, fields.into_bytes()] {
            super::read_error(&body);
            let request = http::Request::post("/0/q").header("host", "h").body(Bytes::from(body));
            let _ = decode(&request.expect("a valid request"));
        }
    }
}
