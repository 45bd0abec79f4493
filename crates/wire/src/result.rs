//! What a successful answer says, whatever its protocol and whoever sent it.

use serde_json::Value;

use crate::call::{Head, Protocol};
use crate::upstream::Response;
use crate::{cbor, json, query, rest};

/// The result in the answer to a call, its members named as in the API, but for a blob that is the
/// whole body. `None` when the answer is an error, or no answer to such a call.
pub fn decode_result(head: &Head, response: &Response) -> Option<Value> {
    if !response.status().is_success() {
        return None;
    }
    let body = response.body();
    match head.protocol {
        Protocol::Json => json::input(body).ok(),
        Protocol::Query => query::read_result(head, body).ok(),
        Protocol::Cbor => cbor::read_result(head, body).ok(),
        Protocol::Rest => rest::read_result(head, response).ok(),
    }
}
