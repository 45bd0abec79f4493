//! An answer that never arrives.

use std::sync::Arc;

use havoq_wire::{Call, Response};

use crate::kind::{Aim, End, Kind, OnAnswer, Stage};
use crate::param::KindDef;

pub(super) const KIND: KindDef = KindDef {
    name: "lost-response",
    about: "The call is done, and the connection is closed instead of an answer. To a DeleteMessage: done and \
            not answered.",
    params: &[],
    build: |_| Ok(Arc::new(LostResponse)),
};

#[derive(Debug)]
struct LostResponse;

impl Kind for LostResponse {
    fn stage(&self) -> Stage {
        Stage::Answer
    }

    fn on_answer(&self, _: &Call, _: Response, _: &Aim) -> OnAnswer {
        OnAnswer::End(End::Close)
    }
}
