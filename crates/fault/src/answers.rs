//! A request that went to the stack in JSON, and its answer in the protocol in which it came.

use havoq_wire::{Call, Protocol, Response};

use crate::messages::answered;

/// The answer, as it came in JSON, in the call's own protocol.
pub(crate) fn from_json(call: &Call, answer: Response) -> Response {
    if call.head.protocol == Protocol::Json {
        return answer;
    }
    let mut json = call.head.clone();
    json.protocol = Protocol::Json;
    match havoq_wire::decode_result(&json, &answer) {
        Some(result) => answered(call, &result),
        None => crate::entries::translated(call, answer),
    }
}
