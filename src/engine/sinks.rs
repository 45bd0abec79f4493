//! Hands the taps' effects to the sinks of `observe`.

use havoq_wire::{Request, Response};

use crate::observe::HttpSink;
use crate::tap::{EffectSink, Sighting};

pub(super) struct Sinks(pub HttpSink);

impl EffectSink for Sinks {
    fn look(&self, request: &Request) -> Option<Sighting> {
        let effect = self.0.effect_at(request)?.to_owned();
        let key = self.0.key(&effect, request);
        Some(Sighting { effect, key })
    }

    fn take(&self, sighting: &Sighting, request: &Request) -> (bool, Response) {
        self.0.take(&sighting.effect, request)
    }
}
