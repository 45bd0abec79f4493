//! All that EventBridge keeps.

use std::collections::BTreeMap;

use havoq_base::Seed;
use havoq_base::seed::Stream;
use havoq_wire::ServiceError;

use super::archive::{Archive, ArchiveKey};
use super::bus::Bus;
use super::errors::{no_bus, no_rule};
use super::invocation::Invocations;
use super::metrics::Counters;
use super::names::{BusKey, RuleKey};
use super::replay::{Replay, ReplayKey};
use super::rule::Rule;
use super::scheduled::RuleTimers;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug)]
pub(crate) struct Events {
    pub(super) buses: BTreeMap<BusKey, Bus>,
    pub(super) invocations: Invocations,
    pub(super) rule_timers: RuleTimers,
    pub(super) archives: BTreeMap<ArchiveKey, Archive>,
    pub(super) replays: BTreeMap<ReplayKey, Replay>,
    /// Counts the replays that were ever started.
    pub(super) replays_so_far: u64,
    /// By rule, deleted ones too: what is under way goes on without its rule.
    pub(super) counters: BTreeMap<RuleKey, Counters>,
    /// Entries of PutEvents that failed since the last sample.
    pub(super) failed_entries: BTreeMap<Place, u64>,
    /// Where the jitter of retries comes from.
    pub(super) jitter: Stream,
}

impl Events {
    pub(crate) fn new(seed: Seed) -> Self {
        Self {
            buses: BTreeMap::new(),
            invocations: Invocations::default(),
            rule_timers: RuleTimers::default(),
            archives: BTreeMap::new(),
            replays: BTreeMap::new(),
            replays_so_far: 0,
            counters: BTreeMap::new(),
            failed_entries: BTreeMap::new(),
            jitter: seed.fork("event retries").stream(),
        }
    }

    pub(super) fn bus(&self, key: &BusKey) -> Result<&Bus, ServiceError> {
        self.buses.get(key).ok_or_else(|| no_bus(&key.name))
    }

    pub(super) fn bus_mut(&mut self, key: &BusKey) -> Result<&mut Bus, ServiceError> {
        self.buses.get_mut(key).ok_or_else(|| no_bus(&key.name))
    }

    pub(super) fn rule(&self, key: &RuleKey) -> Result<&Rule, ServiceError> {
        self.bus(&key.bus)?.rules.get(&key.name).ok_or_else(|| no_rule(&key.bus, &key.name))
    }

    pub(super) fn rule_mut(&mut self, key: &RuleKey) -> Result<&mut Rule, ServiceError> {
        let rule = self.bus_mut(&key.bus)?.rules.get_mut(&key.name);
        rule.ok_or_else(|| no_rule(&key.bus, &key.name))
    }

    /// The buses of a place, by name.
    pub(super) fn buses_of(&self, place: Place) -> impl Iterator<Item = &Bus> {
        self.buses.values().filter(move |bus| bus.key.place == place)
    }
}

impl Core {
    /// Makes sure that a place has its default bus.
    pub(super) fn keep_default_bus(&mut self, place: Place) {
        let key = BusKey::default_of(place);
        if !self.events.buses.contains_key(&key) {
            let arn = key.arn(&self.places);
            self.events.buses.insert(key.clone(), Bus::new(key, arn));
        }
    }
}
