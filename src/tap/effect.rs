//! Side effects that pass through the tap on their way to a sink.

use std::collections::HashSet;

use havoq_base::ids::Marker;
use havoq_wire::{Request, Response};

use super::crash::{EFFECT, When};
use super::proxy::{Answer, Passage, Session};
use crate::history::{Attribution, Kind, Source};

/// What a sink reads from a request before it takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The effect's name in the scenario.
    pub effect: String,
    /// The key, where the request has a usable one.
    pub key: Option<String>,
}

/// Where effects go. Kept apart from taking them, looking changes nothing, so that a call can be
/// held in between.
pub trait EffectSink: Send + Sync {
    /// The effect that a request to this path is, if it is one.
    fn look(&self, request: &Request) -> Option<Sighting>;

    /// Takes the effect. True when it was a replay: same Idempotency-Key as before.
    fn take(&self, sighting: &Sighting, request: &Request) -> (bool, Response);
}

impl Session {
    pub(super) async fn effect(&self, sighting: Sighting, request: Request) -> Answer {
        let (marker, attribution) = self.attribute(&sighting);
        let targets: Vec<Marker> = marker.iter().cloned().collect();
        let before = self.hold(EFFECT, &targets).await;
        if before == Passage::Blocked {
            return Answer::Withheld;
        }
        let (replay, response) = self.wiring.sink.take(&sighting, &request);
        match &marker {
            Some(marker) => self.report_overrun(self.wiring.activity.made_effect(&self.by, marker)),
            None => self.wiring.activity.acted_at_all(&self.by),
        }
        // The event must stand before a kill at the next point takes its course.
        let after = self.cross((EFFECT, When::After), &targets);
        let withheld = before.withheld(after.as_ref());
        let (effect, key) = (sighting.effect, sighting.key);
        let kind = Kind::Effect { effect, by: self.by.clone(), key, marker, attribution, replay, withheld };
        self.wiring.recorder.record(Source::Tap, kind);
        self.send_unless_held(response, before, after).await
    }

    /// By its key; else by exclusion, where this process holds exactly one message.
    fn attribute(&self, sighting: &Sighting) -> (Option<Marker>, Attribution) {
        if let Some(marker) = sighting.key.as_deref().and_then(|key| self.identity().marker_named(key)) {
            return (Some(marker), Attribution::Key);
        }
        let held = self.wiring.activity.held_by(&self.by);
        let markers: HashSet<_> = held.into_iter().map(|(_, marker)| marker).collect();
        let mut markers = markers.into_iter();
        match (markers.next(), markers.next()) {
            (Some(Some(marker)), None) => (Some(marker), Attribution::Exclusion),
            _ => (None, Attribution::None),
        }
    }
}
