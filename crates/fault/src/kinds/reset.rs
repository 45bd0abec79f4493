//! A connection that is reset.

use std::sync::Arc;

use havoq_wire::{Call, Request};

use crate::kind::{Aim, End, Kind, OnRequest, Stage};
use crate::param::KindDef;

pub(super) const KIND: KindDef = KindDef {
    name: "reset",
    about: "The connection is reset in the middle of the call, which has not been done.",
    params: &[],
    build: |_| Ok(Arc::new(Reset)),
};

#[derive(Debug)]
struct Reset;

impl Kind for Reset {
    fn stage(&self) -> Stage {
        Stage::Request
    }

    fn starves(&self) -> bool {
        true
    }

    fn on_request(&self, _: &Call, _: Request, _: &Aim) -> OnRequest {
        OnRequest::End(End::Reset)
    }
}
