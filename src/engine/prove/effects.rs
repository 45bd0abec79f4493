//! Mutations of effects, at their sinks.

use std::sync::Arc;

use havoq_wire::Request;

use super::mutating::Mutating;
use crate::tap::{Counted, EffectSink, Sighting, Taken};

/// What a sink makes of effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bend {
    /// They are answered, and never come to be.
    Drop,
    /// An effect under a known Idempotency-Key counts as another one.
    CountReplays,
}

pub(super) struct BentSink {
    pub inner: Box<dyn EffectSink>,
    pub bend: Bend,
    pub mutating: Arc<Mutating>,
}

impl EffectSink for BentSink {
    fn look(&self, request: &Request) -> Option<Sighting> {
        self.inner.look(request)
    }

    fn take(&self, sighting: &Sighting, request: &Request) -> Taken {
        let taken = self.inner.take(sighting, request);
        if !self.mutating.is_on() {
            return taken;
        }
        let counted = bent(self.bend, taken.counted);
        if counted != taken.counted {
            self.mutating.took_hold();
        }
        Taken { counted, ..taken }
    }
}

pub(super) fn bent(bend: Bend, counted: Counted) -> Counted {
    match (bend, counted) {
        (Bend::Drop, _) => Counted::Nothing,
        (Bend::CountReplays, Counted::Replay) => Counted::Effect,
        (Bend::CountReplays, counted) => counted,
    }
}
