//! Messages in another order.

use std::sync::Arc;

use havoq_wire::{Call, Response, Service};

use crate::kind::{Aim, Kind, OnAnswer, Stage};
use crate::messages::{answer_with, is_fifo, is_receive, messages_of};
use crate::param::KindDef;

pub(super) const KIND: KindDef = KindDef {
    name: "reorder",
    about: "The messages of a receive come in the opposite order, as best-effort ordering allows; not on FIFO queues.",
    params: &[],
    build: |_| Ok(Arc::new(Reorder)),
};

#[derive(Debug)]
struct Reorder;

impl Kind for Reorder {
    fn stage(&self) -> Stage {
        Stage::Answer
    }

    fn fits(&self, service: Service, operation: &str) -> bool {
        service == Service::Sqs && is_receive(operation)
    }

    fn bites(&self, call: &Call, aim: &Aim) -> bool {
        !is_fifo(call) && aim.at.len() > 1
    }

    fn on_answer(&self, call: &Call, answer: Response, aim: &Aim) -> OnAnswer {
        let mut messages = messages_of(call, &answer);
        // The others keep their places.
        let mut ends = aim.at.as_slice();
        while let [first, middle @ .., last] = ends {
            messages.swap(*first, *last);
            ends = middle;
        }
        OnAnswer::Send(answer_with(call, messages))
    }
}
