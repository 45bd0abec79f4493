//! The entries of a batch, and its answer's lists of them. A call that is no batch has one entry.

use havoq_wire::{Call, Request, Response};
use serde_json::{Value, json};

use crate::kind::Aim;
use crate::messages::answered;

/// The entries of a request: what each says of one message.
pub fn entries_of(call: &Call) -> Vec<&Value> {
    match call.params["Entries"].as_array() {
        Some(entries) => entries.iter().collect(),
        None => vec![&call.params],
    }
}

pub(crate) fn is_batch(operation: &str) -> bool {
    operation.ends_with("Batch")
}

/// The request without the entries that are aimed at; `None` when nothing would be left of it, or
/// it cannot be changed in its protocol.
pub(crate) fn without(call: &Call, request: &Request, aim: &Aim) -> Option<Request> {
    let entries = call.params["Entries"].as_array()?;
    let left = entries.iter().enumerate().filter(|(at, _)| !aim.has(*at));
    let left: Vec<Value> = left.map(|(_, entry)| entry.clone()).collect();
    if left.is_empty() {
        return None;
    }
    let mut changed = call.clone();
    changed.params["Entries"] = Value::Array(left);
    Some(changed.in_json(request)?.1)
}

/// The answer to the whole batch: to what was left of it, in JSON, and for those aimed at what
/// `told` says, in the list of this name. An error answer stays what it is.
pub(crate) fn complete(
    call: &Call,
    answer: Response,
    aim: &Aim,
    list: &str,
    told: impl Fn(&Value) -> Value,
) -> Response {
    let mut json = call.head.clone();
    json.protocol = havoq_wire::Protocol::Json;
    let Some(result) = havoq_wire::decode_result(&json, &answer) else {
        return translated(call, answer);
    };
    answered(call, &with(call, result, aim, list, told))
}

/// A batch's result in which those aimed at stand in this list.
pub(crate) fn with(
    call: &Call,
    mut result: Value,
    aim: &Aim,
    list: &str,
    told: impl Fn(&Value) -> Value,
) -> Value {
    let entries = entries_of(call);
    let added = aim.at.iter().filter_map(|at| entries.get(*at)).map(|entry| told(entry));
    if !result[list].is_array() {
        result[list] = json!([]);
    }
    if let Some(known) = result[list].as_array_mut() {
        known.extend(added);
    }
    // SQS shows both lists, were they empty.
    for name in ["Successful", "Failed"] {
        if result[name].is_null() {
            result[name] = json!([]);
        }
    }
    result
}

/// An error answer in JSON, in the protocol of the call.
pub(crate) fn translated(call: &Call, answer: Response) -> Response {
    let Some((code, message)) = havoq_wire::decode_error(&answer) else { return answer };
    let status = answer.status();
    let known = havoq_wire::ServiceError::of(call.head.service, &code, message.clone());
    let error = known.unwrap_or_else(|| havoq_wire::ServiceError::unknown(&code, status, message));
    crate::messages::refused(call, &error)
}
