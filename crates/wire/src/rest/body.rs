//! What the body of a request or of an answer is: JSON members, one member, or nothing.

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::json;
use crate::model::{Member, Mismatch, Place, Shape, Structure};
use crate::values;

/// Whether a blob that is a whole body is among the members, as base64 text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Payload {
    Included,
    LeftOut,
}

/// The members of a structure that a body holds.
pub(super) fn members(
    structure: &Structure,
    body: &[u8],
    payload: Payload,
) -> Result<Map<String, Value>, Mismatch> {
    if let Some(member) = whole(structure) {
        return only(member, body, payload);
    }
    if body.is_empty() || !structure.members.iter().any(|member| member.place == Place::Member) {
        return Ok(Map::new());
    }
    let mut members: Map<String, Value> = json::input(body).map_err(Mismatch::new)?;
    for bound in structure.members.iter().filter(|member| member.place != Place::Member) {
        members.remove(bound.name);
    }
    Ok(members)
}

/// The member that is the whole body.
pub(super) fn whole(structure: &Structure) -> Option<&Member> {
    structure.members.iter().find(|member| member.place == Place::Body)
}

fn only(member: &Member, body: &[u8], payload: Payload) -> Result<Map<String, Value>, Mismatch> {
    let value = match (&member.shape, payload) {
        _ if body.is_empty() => None,
        (Shape::Blob, Payload::LeftOut) => None,
        (Shape::Blob, Payload::Included) => Some(Value::from(values::base64(body))),
        _ => Some(Value::Object(json::input(body).map_err(Mismatch::new)?)),
    };
    Ok(value.map(|value| (member.name.to_owned(), value)).into_iter().collect())
}

/// The body that a member is.
pub(super) fn of_whole(member: &Member, value: &Value) -> Result<Bytes, Mismatch> {
    match &member.shape {
        Shape::Blob => {
            let mismatch = || Mismatch::new("not the base64 text of a blob").within(member.name);
            value.as_str().and_then(values::bytes).map(Bytes::from).ok_or_else(mismatch)
        }
        _ => Ok(Bytes::from(value.to_string())),
    }
}
