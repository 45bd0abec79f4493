//! Hands the taps' effects to the sinks of `observe`.

use std::collections::BTreeMap;

use havoq_pattern::JsonPath;
use havoq_wire::{Request, Response};

use crate::observe::{HttpSink, SinkSpec};
use crate::scenario::{Effect, Scenario};
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

/// The sinks of a scenario's effects.
pub(super) fn sinks(scenario: &Scenario) -> BTreeMap<String, SinkSpec> {
    let sink = |effect: &Effect| {
        let key = JsonPath::parse(&effect.key).ok()?;
        Some(SinkSpec { path: effect.path.clone(), key })
    };
    scenario.effects.iter().filter_map(|(name, effect)| Some((name.clone(), sink(effect)?))).collect()
}
