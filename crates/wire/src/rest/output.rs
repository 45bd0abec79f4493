//! From a result to an answer, by the model.

use bytes::Bytes;
use http::header::{HeaderName, HeaderValue};
use http::{HeaderMap, StatusCode};
use serde_json::{Map, Value};

use super::body;
use crate::call::Head;
use crate::model::{Member, Mismatch, Place, Structure};

/// An answer, but for what all answers have.
pub(crate) struct Written {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// The answer of a result. A payload that is given is the body; another is looked for among the
/// members.
pub(crate) fn success(head: &Head, result: Value, payload: Option<Bytes>) -> Result<Written, Mismatch> {
    let model = head.service.model();
    let operation = model.operations.get(head.operation.as_str());
    let bound = operation.and_then(|operation| operation.binding.as_ref());
    let status = bound.map_or(StatusCode::OK, |binding| binding.status);
    let mut written = Written { status, headers: HeaderMap::new(), body: Bytes::new() };
    let Some(output) = operation.and_then(|operation| operation.output) else { return Ok(written) };
    let mut members = match result {
        Value::Object(members) => members,
        // What has nothing to say leaves every member out.
        Value::Null => Map::new(),
        _ => return Err(Mismatch::new("not a structure")),
    };
    members.retain(|_, value| !value.is_null());
    let structure = model.structure(output);
    for member in &structure.members {
        place(member, &mut members, &mut written).map_err(|at| at.within(member.name))?;
    }
    if written.status != StatusCode::NO_CONTENT {
        written.body = payload.map_or_else(|| body_of(structure, members), Ok)?;
    }
    Ok(written)
}

/// Puts a member that stands beside the body where it belongs.
fn place(member: &Member, members: &mut Map<String, Value>, written: &mut Written) -> Result<(), Mismatch> {
    if !matches!(member.place, Place::Header | Place::Status) {
        return Ok(());
    }
    let Some(value) = members.remove(member.name) else { return Ok(()) };
    if member.place == Place::Status {
        let status = value.as_u64().and_then(|status| StatusCode::from_u16(u16::try_from(status).ok()?).ok());
        written.status = status.ok_or_else(|| Mismatch::new(format!("{value} is no status")))?;
        return Ok(());
    }
    written.headers.insert(name(member)?, header_value(&member.shape.to_text(&value)?)?);
    Ok(())
}

fn name(member: &Member) -> Result<HeaderName, Mismatch> {
    HeaderName::try_from(member.wire).map_err(|error| Mismatch::new(error.to_string()))
}

pub(super) fn header_value(text: &str) -> Result<HeaderValue, Mismatch> {
    HeaderValue::try_from(text).map_err(|_| Mismatch::new(format!("{text:?} cannot stand in a header")))
}

/// The members that are left as the body. Where all stand elsewhere it is an empty object.
fn body_of(structure: &Structure, mut members: Map<String, Value>) -> Result<Bytes, Mismatch> {
    if let Some(member) = body::whole(structure) {
        return members.remove(member.name).map_or(Ok(Bytes::new()), |value| body::of_whole(member, &value));
    }
    serde_json::to_vec(&members).map(Bytes::from).map_err(|error| Mismatch::new(error.to_string()))
}
