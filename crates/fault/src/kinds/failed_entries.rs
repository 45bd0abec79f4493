//! Entries of a batch that fail in an answer of 200 (semantics 1.7).

use std::sync::Arc;

use havoq_wire::{Call, Request, Response, Service};
use serde_json::{Value, json};

use crate::entries::{complete, entries_of, is_batch, with, without};
use crate::kind::{Aim, Kind, OnAnswer, OnRequest, Stage};
use crate::messages::answered;
use crate::param::{KindDef, Param, Shape};

pub(super) const KIND: KindDef = KindDef {
    name: "failed-entries",
    about: "Entries of a batch are not done and stand in `Failed[]` of an answer of 200; the others are done.",
    params: &[
        Param::optional("code", Shape::Text, "InternalError", "The code of each; InternalError when absent."),
        Param::optional(
            "sender_fault",
            Shape::Flag,
            "true",
            "Whether the sender is to blame; false when absent.",
        ),
    ],
    build: |values| {
        Ok(Arc::new(FailedEntries {
            code: values.text("code").unwrap_or("InternalError").to_owned(),
            sender_fault: values.flag("sender_fault"),
        }))
    },
};

#[derive(Debug)]
struct FailedEntries {
    code: String,
    sender_fault: bool,
}

impl FailedEntries {
    fn failed(&self, entry: &Value) -> Value {
        json!({
            "Id": entry["Id"],
            "SenderFault": self.sender_fault,
            "Code": self.code,
            "Message": "a fault of the test harness",
        })
    }
}

impl Kind for FailedEntries {
    fn stage(&self) -> Stage {
        Stage::Request
    }

    fn fits(&self, service: Service, operation: &str) -> bool {
        matches!(service, Service::Sqs | Service::Sns) && is_batch(operation)
    }

    fn bites(&self, call: &Call, aim: &Aim) -> bool {
        // A batch that cannot be taken apart fails as a whole or not at all.
        !aim.at.is_empty() && (aim.is_all() || call.head.service == Service::Sqs)
    }

    fn on_request(&self, call: &Call, request: Request, aim: &Aim) -> OnRequest {
        match without(call, &request, aim) {
            Some(left) => OnRequest::Forward(left),
            None => {
                let all = Aim::all(entries_of(call).len());
                OnRequest::Answer(answered(
                    call,
                    &with(call, json!({}), &all, "Failed", |entry| self.failed(entry)),
                ))
            }
        }
    }

    fn on_answer(&self, call: &Call, answer: Response, aim: &Aim) -> OnAnswer {
        OnAnswer::Send(complete(call, answer, aim, "Failed", |entry| self.failed(entry)))
    }
}
