//! A delivery that takes its time.

use std::sync::Arc;

use havoq_base::StackDuration;
use havoq_wire::{Call, Response, Service};

use crate::kind::{Aim, Kind, OnAnswer, Stage};
use crate::messages::{answer_with, is_receive, messages_of};
use crate::param::{KindDef, Param, Shape};

pub(super) const KIND: KindDef = KindDef {
    name: "late",
    about: "A message that the stack has handed over reaches the consumer only later; its visibility timeout \
            runs meanwhile.",
    params: &[Param::required("by", Shape::Stack, "20s", "How much later, on the stack's clock.")],
    build: |values| Ok(Arc::new(Late { by: values.stack("by").unwrap_or_default() })),
};

#[derive(Debug)]
struct Late {
    by: StackDuration,
}

impl Kind for Late {
    fn stage(&self) -> Stage {
        Stage::Answer
    }

    fn fits(&self, service: Service, operation: &str) -> bool {
        service == Service::Sqs && is_receive(operation)
    }

    fn bites(&self, _: &Call, aim: &Aim) -> bool {
        !aim.at.is_empty()
    }

    fn on_answer(&self, call: &Call, answer: Response, aim: &Aim) -> OnAnswer {
        let (mut now, mut later) = (Vec::new(), Vec::new());
        for (at, message) in messages_of(call, &answer).into_iter().enumerate() {
            if aim.has(at) { later.push(message) } else { now.push(message) }
        }
        OnAnswer::Later { answer: answer_with(call, now), messages: later, after: self.by }
    }
}
