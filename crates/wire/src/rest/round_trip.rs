//! Inputs written as requests by an encoder that knows nothing of the reader, and results written as
//! answers, both read back.

use bytes::Bytes;
use form_urlencoded::Serializer;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::body::body;
use crate::call::{Attempt, Head, Protocol, decode};
use crate::model::{Member, Model, Place, Shape, StructureId, arbitrary};
use crate::reply::{success, success_with_payload};
use crate::result::decode_result;
use crate::service::Service;
use crate::upstream::Request;
use crate::values;

/// The request of an input.
fn request(service: Service, operation: &str, id: StructureId, value: &Value) -> Request {
    let model = service.model();
    let binding = model.operations[operation].binding.as_ref().expect("it is bound");
    let (path, wanted) = binding.path.split_once('?').unwrap_or((binding.path, ""));
    let (mut path, mut query) = (path.to_owned(), Serializer::new(wanted.to_owned()));
    let mut builder = http::Request::builder().method(&binding.method).header(
        "authorization",
        format!("AWS4-HMAC-SHA256 Credential=AK/20260102/r/{}/aws4_request, Signature=0", model.signing),
    );
    for member in &model.structure(id).members {
        let Some(value) = value.get(member.name) else { continue };
        match member.place {
            Place::Path => {
                let text = utf8_percent_encode(&text(&member.shape, value), NON_ALPHANUMERIC).to_string();
                path = path.replace(&format!("{{{}}}", member.wire), &text);
            }
            Place::Query => match (&member.shape, value) {
                (Shape::List { item, .. }, Value::Array(values)) => {
                    values.iter().for_each(|value| {
                        query.append_pair(member.wire, &text(item, value));
                    });
                }
                (shape, value) => {
                    query.append_pair(member.wire, &text(shape, value));
                }
            },
            Place::Header => builder = builder.header(member.wire, text(&member.shape, value)),
            _ => {}
        }
    }
    let uri = format!("{path}?{}", query.finish());
    builder.uri(uri).body(written(model, id, value)).expect("a valid request")
}

fn text(shape: &Shape, value: &Value) -> String {
    match (shape, value) {
        (Shape::Timestamp, _) => values::iso_8601(value.as_f64().expect("seconds")).expect("a date"),
        (_, Value::String(text)) => text.clone(),
        _ => value.to_string(),
    }
}

fn written(model: &Model, id: StructureId, value: &Value) -> Bytes {
    let members = &model.structure(id).members;
    let is = |place| move |member: &&Member| member.place == place;
    if let Some(member) = members.iter().find(is(Place::Body)) {
        return match (value.get(member.name), &member.shape) {
            (None, _) => Bytes::new(),
            (Some(value), Shape::Blob) => bytes(value),
            (Some(value), _) => value.to_string().into(),
        };
    }
    let pairs = members.iter().filter(is(Place::Member));
    let pairs = pairs.filter_map(|member| Some((member.name.to_owned(), value.get(member.name)?.clone())));
    Value::Object(pairs.collect()).to_string().into()
}

fn bytes(value: &Value) -> Bytes {
    value.as_str().and_then(values::bytes).expect("base64").into()
}

/// The blob that is the whole body, taken out of the members.
fn take_payload(model: &Model, id: StructureId, value: &mut Value) -> Option<Bytes> {
    let is_payload = |member: &&Member| member.place == Place::Body && matches!(member.shape, Shape::Blob);
    let member = model.structure(id).members.iter().find(is_payload)?;
    let taken = value.as_object_mut().expect("a structure").remove(member.name);
    Some(taken.as_ref().map(bytes).unwrap_or_default())
}

proptest! {
    #[test]
    fn an_input_written_as_a_request_is_read_as_it_was(
        (service, operation, id, value) in arbitrary::operation(Protocol::Rest, |operation| operation.input)
    ) {
        let request = request(service, operation, id, &value);
        let call = decode(&request).expect("a call");
        prop_assert_eq!((call.head.service, call.head.operation.as_str()), (service, operation));
        let whole: Value = call.head.input::<Map<_, _>>(&request).expect("an input").into();
        let mut left = value.clone();
        let payload = take_payload(service.model(), id, &mut left);
        prop_assert_eq!(&call.params, &left);
        match payload {
            Some(payload) => {
                prop_assert_eq!(&body(&request).expect("a body"), &payload);
                let expected = if payload.is_empty() { left } else { value };
                prop_assert_eq!(whole, expected);
            }
            None => prop_assert_eq!(whole, value),
        }
    }

    #[test]
    fn a_result_written_as_an_answer_is_read_as_it_was(
        (service, operation, id, value) in arbitrary::operation(Protocol::Rest, |operation| operation.output)
    ) {
        let operation = operation.to_owned();
        let head = Head { service, protocol: Protocol::Rest, operation, attempt: Attempt::default() };
        let answer = success(&head, &value, "r-1");
        prop_assert!(answer.status().is_success(), "{:?}", answer);
        let mut left = value;
        if let Some(payload) = take_payload(service.model(), id, &mut left) {
            prop_assert_eq!(answer.body(), &payload);
            let aside = success_with_payload(&head, &left, payload, "r-1");
            prop_assert_eq!((aside.body(), aside.headers()), (answer.body(), answer.headers()));
        }
        let statuses = service.model().structure(id).members.iter().filter(|m| m.place == Place::Status);
        for member in statuses {
            left[member.name] = Value::from(answer.status().as_u16());
        }
        prop_assert_eq!(decode_result(&head, &answer).expect("the result"), left);
    }

    #[test]
    fn no_bytes_make_the_readers_panic(
        body: Vec<u8>,
        (service, operation, id, value) in arbitrary::operation(Protocol::Rest, |operation| operation.input),
        path in "(/(2015-03-31|functions|%2f|%ff|tags|schedules|[ -~&&[^#?\"<>`{}\\\\^|]]{0,6})){0,6}/?(\\?(List=ALL|&|MaxItems=x){0,4})?",
        at: usize,
        with: u8,
    ) {
        let mut request = request(service, operation, id, &value);
        let mut near = request.body().to_vec();
        let length = near.len().max(1);
        near.resize(length, 0);
        near[at % length] = with;
        for body in [body, near] {
            *request.body_mut() = body.into();
            let _ = decode(&request);
        }
        if let Ok(uri) = path.parse() {
            *request.uri_mut() = uri;
            let _ = decode(&request);
        }
    }
}
