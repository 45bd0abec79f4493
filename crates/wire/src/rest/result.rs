//! From a successful answer to the result of an operation, by the model.

use serde_json::{Map, Value};

use super::body::{self, Payload};
use crate::call::Head;
use crate::model::{Member, Mismatch, Place};
use crate::upstream::Response;

/// The result in a successful answer, but for a blob that is the whole body. An operation without one
/// has none.
pub(crate) fn read_result(head: &Head, response: &Response) -> Result<Value, Mismatch> {
    let model = head.service.model();
    let Some(output) = model.output(&head.operation) else {
        return Ok(Value::Object(Map::new()));
    };
    let structure = model.structure(output);
    let mut members = body::members(structure, response.body(), Payload::LeftOut)?;
    for member in &structure.members {
        if let Some(value) = beside(member, response).map_err(|at| at.within(member.name))? {
            members.insert(member.name.to_owned(), value);
        }
    }
    Ok(Value::Object(members))
}

fn beside(member: &Member, response: &Response) -> Result<Option<Value>, Mismatch> {
    match member.place {
        Place::Status => Ok(Some(Value::from(response.status().as_u16()))),
        Place::Header => {
            let text = response.headers().get(member.wire).and_then(|value| value.to_str().ok());
            text.map(|text| member.shape.of_text(text)).transpose()
        }
        _ => Ok(None),
    }
}
