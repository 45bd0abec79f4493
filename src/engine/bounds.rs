//! How long a message stays open after its holder's last act: declared, or calibrated by the
//! steady state, and stretched in the attempts that follow an overrun or a red verdict in doubt.

use std::collections::BTreeMap;

use havoq_base::RealDuration;

use crate::history::{Event, Kind};
use crate::scenario::{Consumer, Sign};
use crate::tap::UNCALIBRATED;

/// What each further attempt multiplies the bounds with.
const FURTHER: u32 = 4;
/// The shortest processing bound that is ever assumed.
const LEAST: RealDuration = RealDuration::from_secs(1);

/// How long a process may take to its first poll, or until it shows that it is ready.
const START: RealDuration = RealDuration::from_secs(30);

/// How long the consumer may take until it is ready.
pub(super) fn until_ready(consumer: &Consumer) -> RealDuration {
    consumer.ready.within.unwrap_or(START)
}

/// How long it may take to its first poll, once it is ready.
pub(super) fn until_first_poll(consumer: &Consumer) -> RealDuration {
    if consumer.ready.sign == Sign::Poll { until_ready(consumer) } else { START }
}

/// What the end waits for all the same where a shorter bound than any calibrated one was declared:
/// the declaration is put to the test once.
const DECLARED: RealDuration = RealDuration::from_secs(4);

/// How long the end waits for an act, where a message was passed over.
pub(super) fn at_the_end(largest: RealDuration) -> RealDuration {
    if largest < LEAST { DECLARED } else { largest }
}

/// The bounds of one attempt, as far as they depend on the attempts before it.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// What declared bounds are multiplied with.
    pub(super) times: u32,
    /// Calibrated bounds are no shorter than these: the steady state may be quicker this time.
    at_least: BTreeMap<String, RealDuration>,
}

impl Stretch {
    /// Of the first attempt.
    pub(super) fn none() -> Self {
        Self { times: 1, at_least: BTreeMap::new() }
    }

    /// Of the attempt behind the one that left these events.
    pub(super) fn further(&self, events: &[Event]) -> Self {
        let mut at_least = BTreeMap::new();
        for event in events {
            if let Kind::BoundSet { consumer, processing } = &event.kind {
                at_least.insert(consumer.clone(), processing.times(u64::from(FURTHER)));
            }
        }
        Self { times: self.times.saturating_mul(FURTHER), at_least }
    }

    /// The processing bound of a consumer that was seen to be silent for `slowest` at most;
    /// `None` before anything was seen.
    pub(super) fn bound(
        &self,
        name: &str,
        consumer: &Consumer,
        slowest: Option<RealDuration>,
    ) -> RealDuration {
        if let Some(declared) = consumer.bound {
            return declared.times(u64::from(self.times));
        }
        let seen = slowest.map_or(UNCALIBRATED, |slowest| slowest.times(4).max(LEAST));
        self.at_least.get(name).copied().unwrap_or_default().max(seen)
    }
}
