//! Messages that were handed over and never arrived.

use std::sync::Arc;

use havoq_wire::{Call, Response, Service};

use crate::kind::{Aim, Kind, OnAnswer, Stage};
use crate::messages::{answer_with, is_receive, messages_of};
use crate::param::KindDef;

pub(super) const KIND: KindDef = KindDef {
    name: "lost-receive",
    about: "A message is received as far as the stack knows, and missing from the answer: in flight, seen by \
            nobody.",
    params: &[],
    build: |_| Ok(Arc::new(LostReceive)),
};

#[derive(Debug)]
struct LostReceive;

impl Kind for LostReceive {
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
        let messages = messages_of(call, &answer).into_iter().enumerate();
        let left = messages.filter(|(at, _)| !aim.has(*at)).map(|(_, message)| message);
        OnAnswer::Send(answer_with(call, left.collect()))
    }
}
