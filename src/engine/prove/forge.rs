//! Effects that nobody made. They stand in the history as if their sink had seen them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use havoq_base::ids::Marker;

use super::mutating::Mutating;
use crate::history::{Attribution, Instance, Kind, Recorder, Source, Withheld};

/// When an effect is forged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forgery {
    /// Each once more, when its message is deleted.
    AtDelete,
    /// For each message that is delivered, the effects that any message had in this run.
    AtDelivery,
}

/// Reads along and forges, until the horizon.
pub(super) async fn forge(mut forger: Forger, recorder: Recorder, mutating: Arc<Mutating>) {
    let mut length = recorder.subscribe();
    let mut read = 0;
    while !forger.is_over {
        let mut forged = Vec::new();
        read = recorder.read_from(read, |event| forged.extend(forger.see(&event.kind)));
        for kind in forged {
            mutating.took_hold();
            recorder.record(Source::Tap, kind);
        }
        if length.wait_for(|length| *length > read).await.is_err() {
            return;
        }
    }
}

/// What is known of the messages of the injection and of their effects.
pub(super) struct Forger {
    forgery: Forgery,
    labels: BTreeSet<String>,
    wanted: HashSet<Marker>,
    made: HashMap<Marker, Vec<Kind>>,
    done: HashSet<Marker>,
    given: Vec<(Instance, Marker)>,
    seen: BTreeSet<String>,
    forged: HashSet<(Marker, String)>,
    is_over: bool,
}

impl Forger {
    /// For the messages of these labels.
    pub fn new(forgery: Forgery, labels: impl IntoIterator<Item = String>) -> Self {
        Self {
            forgery,
            labels: labels.into_iter().collect(),
            wanted: HashSet::new(),
            made: HashMap::new(),
            done: HashSet::new(),
            given: Vec::new(),
            seen: BTreeSet::new(),
            forged: HashSet::new(),
            is_over: false,
        }
    }

    /// What is to be forged after this.
    pub fn see(&mut self, kind: &Kind) -> Vec<Kind> {
        match kind {
            Kind::Sent { marker, label: Some(label), .. } if self.labels.contains(label) => {
                self.wanted.insert(marker.clone());
            }
            Kind::HorizonReached { .. } => self.is_over = true,
            _ => {}
        }
        match self.forgery {
            _ if self.is_over => Vec::new(),
            Forgery::AtDelete => self.at_delete(kind),
            Forgery::AtDelivery => self.at_delivery(kind),
        }
    }

    fn at_delete(&mut self, kind: &Kind) -> Vec<Kind> {
        match kind {
            Kind::Effect { marker: Some(marker), replay: false, .. } if self.wanted.contains(marker) => {
                if !self.done.contains(marker) {
                    self.made.entry(marker.clone()).or_default().push(kind.clone());
                }
                Vec::new()
            }
            Kind::Deleted { marker: Some(marker), error: None, .. } => {
                let made = self.made.remove(marker).unwrap_or_default();
                if !made.is_empty() {
                    self.done.insert(marker.clone());
                }
                made
            }
            _ => Vec::new(),
        }
    }

    fn at_delivery(&mut self, kind: &Kind) -> Vec<Kind> {
        match kind {
            Kind::Effect { effect, .. } if self.seen.insert(effect.clone()) => {}
            Kind::Received { by, messages, withheld: Withheld::No, .. } => {
                let markers = messages.iter().filter_map(|held| held.marker.clone());
                let wanted = markers.filter(|marker| self.wanted.contains(marker));
                self.given.extend(wanted.map(|marker| (by.clone(), marker)));
            }
            _ => return Vec::new(),
        }
        let mut forged = Vec::new();
        for (by, marker) in &self.given {
            for effect in &self.seen {
                if self.forged.insert((marker.clone(), effect.clone())) {
                    forged.push(an_effect(effect, by, marker));
                }
            }
        }
        forged
    }
}

fn an_effect(effect: &str, by: &Instance, marker: &Marker) -> Kind {
    Kind::Effect {
        effect: effect.to_owned(),
        by: by.clone(),
        key: Some(marker.to_string()),
        marker: Some(marker.clone()),
        attribution: Attribution::Key,
        replay: false,
        withheld: Withheld::No,
    }
}
