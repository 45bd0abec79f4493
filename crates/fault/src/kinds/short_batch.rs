//! Fewer messages than were asked for.

use std::sync::Arc;

use havoq_wire::{Call, Request, Response, Service};

use crate::answers::from_json;
use crate::kind::{Aim, Kind, OnAnswer, OnRequest, Stage};
use crate::messages::is_receive;
use crate::param::{KindDef, Param, Shape};

pub(super) const KIND: KindDef = KindDef {
    name: "short-batch",
    about: "A receive brings fewer messages than it asks for; the others stay in the queue.",
    params: &[Param::optional("to", Shape::Whole, "1", "How many at most; 1 when absent.")],
    build: |values| match values.whole("to").unwrap_or(1) {
        to @ 1..=9 => Ok(Arc::new(ShortBatch { to })),
        to => Err(format!("a receive brings at most 10 messages, so {to} would shorten none")),
    },
};

#[derive(Debug)]
struct ShortBatch {
    to: u32,
}

impl Kind for ShortBatch {
    fn stage(&self) -> Stage {
        Stage::Request
    }

    fn fits(&self, service: Service, operation: &str) -> bool {
        service == Service::Sqs && is_receive(operation)
    }

    fn bites(&self, call: &Call, _: &Aim) -> bool {
        call.params["MaxNumberOfMessages"].as_u64().unwrap_or(1) > u64::from(self.to)
    }

    fn on_request(&self, call: &Call, request: Request, _: &Aim) -> OnRequest {
        let mut shorter = call.clone();
        shorter.params["MaxNumberOfMessages"] = self.to.into();
        match shorter.in_json(&request) {
            Some((_, shorter)) => OnRequest::Forward(shorter),
            None => OnRequest::Forward(request),
        }
    }

    fn on_answer(&self, call: &Call, answer: Response, _: &Aim) -> OnAnswer {
        OnAnswer::Send(from_json(call, answer))
    }
}
