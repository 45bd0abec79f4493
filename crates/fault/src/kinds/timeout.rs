//! A call that nobody answers.

use std::sync::Arc;

use havoq_wire::{Call, Request};

use crate::kind::{Aim, End, Kind, OnRequest, Stage};
use crate::param::KindDef;

pub(super) const KIND: KindDef = KindDef {
    name: "timeout",
    about: "The call is not done, and nothing comes back until the client gives up.",
    params: &[],
    build: |_| Ok(Arc::new(Timeout)),
};

#[derive(Debug)]
struct Timeout;

impl Kind for Timeout {
    fn stage(&self) -> Stage {
        Stage::Request
    }

    fn starves(&self) -> bool {
        true
    }

    fn on_request(&self, _: &Call, _: Request, _: &Aim) -> OnRequest {
        OnRequest::End(End::Hang)
    }
}
