//! A receive that brings nothing, though there is something.

use std::sync::Arc;

use havoq_wire::{Call, Request, Service};

use crate::kind::{Aim, Kind, OnRequest, Stage};
use crate::messages::{answer_with, is_receive};
use crate::param::KindDef;

pub(super) const KIND: KindDef = KindDef {
    name: "empty-receive",
    about: "A receive brings nothing, at once, whatever is in the queue; the stack does not hear of it.",
    params: &[],
    build: |_| Ok(Arc::new(EmptyReceive)),
};

#[derive(Debug)]
struct EmptyReceive;

impl Kind for EmptyReceive {
    fn stage(&self) -> Stage {
        Stage::Request
    }

    fn fits(&self, service: Service, operation: &str) -> bool {
        service == Service::Sqs && is_receive(operation)
    }

    fn starves(&self) -> bool {
        true
    }

    fn on_request(&self, call: &Call, _: Request, _: &Aim) -> OnRequest {
        OnRequest::Answer(answer_with(call, Vec::new()))
    }
}
