//! From a request to the input of an operation, by the model.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::body::{self, Payload};
use super::path;
use crate::call::{Head, header};
use crate::model::{Binding, Member, Mismatch, Place, Shape};
use crate::not_a_call::NotACall;
use crate::upstream::Request;

/// An operation's input, with a blob that is the whole body as base64 text.
pub(crate) fn input(head: &Head, request: &Request) -> Result<Value, NotACall> {
    read(head, request, Payload::Included)
}

/// An operation's input, but for a blob that is the whole body.
pub(crate) fn input_without_payload(head: &Head, request: &Request) -> Result<Value, NotACall> {
    read(head, request, Payload::LeftOut)
}

fn read(head: &Head, request: &Request, payload: Payload) -> Result<Value, NotACall> {
    let model = head.service.model();
    let operation = model.operations.get(head.operation.as_str());
    let input = operation.and_then(|operation| Some((operation.input?, operation.binding.as_ref()?)));
    let Some((input, binding)) = input else { return Ok(Value::Object(Map::new())) };
    let body = crate::body::of(request)?;
    let read = || {
        let structure = model.structure(input);
        let mut members = body::members(structure, &body, payload)?;
        let address = Address::new(binding, request);
        for member in &structure.members {
            if let Some(value) = address.member(member).map_err(|at| at.within(member.wire))? {
                members.insert(member.name.to_owned(), value);
            }
        }
        Ok(Value::Object(members))
    };
    read().map_err(|mismatch: Mismatch| NotACall::Body(mismatch.to_string()))
}

/// What stands in a request beside its body.
struct Address<'a> {
    request: &'a Request,
    labels: Vec<(&'static str, String)>,
}

impl<'a> Address<'a> {
    fn new(binding: &Binding, request: &'a Request) -> Self {
        let labels = path::labels(binding.path, request.uri().path()).unwrap_or_default();
        Self { request, labels }
    }

    fn member(&self, member: &Member) -> Result<Option<Value>, Mismatch> {
        match member.place {
            Place::Path => self.label(member),
            Place::Query => self.query(member),
            Place::Header => {
                header(self.request, member.wire).map(|text| member.shape.of_text(text)).transpose()
            }
            Place::Member | Place::Body | Place::Status => Ok(None),
        }
    }

    fn label(&self, member: &Member) -> Result<Option<Value>, Mismatch> {
        let Some((_, text)) = self.labels.iter().find(|(name, _)| *name == member.wire) else {
            return Ok(None);
        };
        let text = percent_decode_str(text).decode_utf8();
        let text = text.map_err(|_| Mismatch::new("it is not UTF-8"))?;
        member.shape.of_text(&text).map(Some)
    }

    fn query(&self, member: &Member) -> Result<Option<Value>, Mismatch> {
        let query = self.request.uri().query().unwrap_or_default();
        let fields = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == member.wire);
        let mut texts = fields.map(|(_, text)| text);
        match &member.shape {
            Shape::List { item, .. } => {
                let values = texts.map(|text| item.of_text(&text)).collect::<Result<Vec<_>, _>>()?;
                Ok((!values.is_empty()).then_some(Value::Array(values)))
            }
            scalar => texts.next().map(|text| scalar.of_text(&text)).transpose(),
        }
    }
}
