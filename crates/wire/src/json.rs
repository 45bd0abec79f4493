//! The AWS JSON protocols, 1.0 and 1.1 (semantics 1.15). They need no model: JSON names its members.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::errors::ServiceError;
use crate::service::Service;

/// The service and operation that an `X-Amz-Target` names.
pub(crate) fn target(target: &str) -> Option<(Service, &str)> {
    let (prefix, operation) = target.split_once('.')?;
    Some((Service::of_target(prefix)?, operation))
}

/// An input's members; no body at all is an input without members.
pub(crate) fn input<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    let body = if body.is_empty() { b"{}" } else { body };
    // A list would be taken for a structure's members in their order.
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err("the body is not a JSON object".to_owned());
    }
    serde_json::from_slice(body).map_err(|error| format!("the body is not the JSON of this input: {error}"))
}

/// The result; an operation without one has no body at all.
pub(crate) fn success(result: &impl Serialize) -> Result<Vec<u8>, String> {
    let body = serde_json::to_vec(result).map_err(|error| error.to_string())?;
    Ok(if body == b"null" { Vec::new() } else { body })
}

/// JSON 1.0 names the shape with its namespace, JSON 1.1 without.
pub(crate) fn failure(service: Service, error: &ServiceError) -> Vec<u8> {
    let is_1_1 = service.model().json.is_some_and(|media| media.ends_with("1.1"));
    let shape = if is_1_1 { error.shape_name() } else { &error.shape };
    let named = [("__type", Value::from(shape)), ("message", Value::from(error.message.as_str()))];
    let members = named.into_iter().chain(error.details.iter().cloned());
    let members: Map<_, _> = members.map(|(name, value)| (name.to_owned(), value)).collect();
    Value::Object(members).to_string().into_bytes()
}

/// The type and the message in an error answer.
pub(crate) fn read_error(body: &[u8]) -> (Option<String>, Option<String>) {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = |key: &str| Some(body.get(key)?.as_str()?.to_owned());
    (text("__type").or_else(|| text("code")), text("message").or_else(|| text("Message")))
}
