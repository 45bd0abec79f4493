//! What is answered and not done.

use std::sync::Arc;

use havoq_wire::{Call, Request, Response, Service};
use serde_json::{Value, json};

use crate::entries::{complete, entries_of, is_batch, with, without};
use crate::kind::{Aim, Kind, OnAnswer, OnRequest, Stage};
use crate::messages::answered;
use crate::param::KindDef;

pub(super) const KIND: KindDef = KindDef {
    name: "swallow",
    about: "A delete or a change of visibility is answered as done, and is not done.",
    params: &[],
    build: |_| Ok(Arc::new(Swallow)),
};

/// Operations whose answer to a message says nothing but that it was done.
const SILENT: [&str; 4] =
    ["DeleteMessage", "DeleteMessageBatch", "ChangeMessageVisibility", "ChangeMessageVisibilityBatch"];

#[derive(Debug)]
struct Swallow;

fn done(entry: &Value) -> Value {
    json!({ "Id": entry["Id"] })
}

impl Kind for Swallow {
    fn stage(&self) -> Stage {
        Stage::Request
    }

    fn fits(&self, service: Service, operation: &str) -> bool {
        service == Service::Sqs && SILENT.contains(&operation)
    }

    fn bites(&self, _: &Call, aim: &Aim) -> bool {
        !aim.at.is_empty()
    }

    fn leaves_undone(&self) -> bool {
        true
    }

    fn on_request(&self, call: &Call, request: Request, aim: &Aim) -> OnRequest {
        if !is_batch(&call.head.operation) {
            return OnRequest::Answer(answered(call, &Value::Null));
        }
        match without(call, &request, aim) {
            Some(left) => OnRequest::Forward(left),
            None => {
                let all = Aim::all(entries_of(call).len());
                OnRequest::Answer(answered(call, &with(call, json!({}), &all, "Successful", done)))
            }
        }
    }

    fn on_answer(&self, call: &Call, answer: Response, aim: &Aim) -> OnAnswer {
        OnAnswer::Send(complete(call, answer, aim, "Successful", done))
    }
}
