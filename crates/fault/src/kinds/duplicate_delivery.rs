//! At-least-once delivery: the same message twice, while it is hidden.

use std::sync::Arc;

use havoq_base::StackDuration;
use havoq_wire::{Call, Response, Service};

use crate::kind::{Aim, Kind, OnAnswer, Stage};
use crate::messages::{is_fifo, is_receive, messages_of, once_more};
use crate::param::{KindDef, Param, Shape};

pub(super) const KIND: KindDef = KindDef {
    name: "duplicate-delivery",
    about: "A message that was received is delivered once more, by a later receive, inside its visibility \
            timeout: what at-least-once delivery allows; not on FIFO queues.",
    params: &[Param::optional(
        "after",
        Shape::Stack,
        "2s",
        "When, on the stack's clock; at once when absent.",
    )],
    build: |values| Ok(Arc::new(DuplicateDelivery { after: values.stack("after").unwrap_or_default() })),
};

#[derive(Debug)]
struct DuplicateDelivery {
    after: StackDuration,
}

impl Kind for DuplicateDelivery {
    fn stage(&self) -> Stage {
        Stage::Answer
    }

    fn fits(&self, service: Service, operation: &str) -> bool {
        service == Service::Sqs && is_receive(operation)
    }

    fn bites(&self, call: &Call, aim: &Aim) -> bool {
        !is_fifo(call) && !aim.at.is_empty()
    }

    fn on_answer(&self, call: &Call, answer: Response, aim: &Aim) -> OnAnswer {
        let messages = messages_of(call, &answer).into_iter().enumerate();
        let copies = messages.filter(|(at, _)| aim.has(*at)).map(|(_, message)| once_more(message));
        OnAnswer::Later { messages: copies.collect(), after: self.after, answer }
    }
}
