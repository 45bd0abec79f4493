//! One archive of a bus: what it takes, and what it has kept (semantics 3.5). AWS lets a managed rule of
//! the bus fill it; here the bus does so by itself, and no such rule is shown.

use std::collections::VecDeque;
use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};
use serde_json::Value;

use super::event::{Event, REPLAY_NAME};
use super::names::BusKey;
use super::rule::RulePattern;
use crate::core::Core;
use crate::place::Place;

/// Archives are named in their place, whatever their bus is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ArchiveKey {
    pub(super) place: Place,
    pub(super) name: Arc<str>,
}

#[derive(Debug)]
pub(super) struct Archive {
    pub(super) arn: String,
    pub(super) bus: BusKey,
    pub(super) description: Option<String>,
    pub(super) pattern: Option<RulePattern>,
    /// For ever if it is 0.
    pub(super) retention_days: u32,
    pub(super) kms_key_identifier: Option<String>,
    pub(super) created: StackTime,
    /// In the order in which they came. What is over is dropped when somebody looks.
    kept: VecDeque<Kept>,
}

#[derive(Debug)]
struct Kept {
    event: Arc<Event>,
    /// When it came here.
    since: StackTime,
}

const DAY: StackDuration = StackDuration::from_secs(86_400);

impl Archive {
    pub(super) fn new(arn: String, bus: BusKey, created: StackTime) -> Self {
        Self {
            arn,
            bus,
            description: None,
            pattern: None,
            retention_days: 0,
            kms_key_identifier: None,
            created,
            kept: VecDeque::new(),
        }
    }

    /// What was replayed is not kept again, or it would go round for ever.
    fn takes(&self, event: &Value) -> bool {
        event.get(REPLAY_NAME).is_none()
            && self.pattern.as_ref().is_none_or(|pattern| pattern.parsed.matches(event))
    }

    pub(super) fn prune(&mut self, now: StackTime) {
        if self.retention_days > 0 {
            let retention = DAY.times(self.retention_days.into());
            while self.kept.pop_front_if(|oldest| now.since(oldest.since) >= retention).is_some() {}
        }
    }

    pub(super) fn count(&self) -> usize {
        self.kept.len()
    }

    pub(super) fn size(&self) -> u64 {
        self.kept.iter().map(|kept| size(&kept.event.document)).sum()
    }

    /// The events of a time, both its ends belonging to it, by their own time.
    pub(super) fn between(&self, start: StackTime, end: StackTime) -> Vec<Arc<Event>> {
        let events = self.kept.iter().map(|kept| &kept.event);
        let mut events: Vec<_> =
            events.filter(|event| (start..=end).contains(&event.time())).cloned().collect();
        events.sort_by_key(|event| event.time());
        events
    }
}

impl Core {
    /// Keeps an event in all archives of its bus that take it.
    pub(super) fn archive_event(&mut self, now: StackTime, bus: &BusKey, event: &Arc<Event>) {
        for archive in self.events.archives.values_mut().filter(|archive| archive.bus == *bus) {
            archive.prune(now);
            if archive.takes(&event.document) {
                archive.kept.push_back(Kept { event: Arc::clone(event), since: now });
            }
        }
    }
}

/// As AWS was seen to count: source, type, detail, resources, and the time as a text.
fn size(event: &Value) -> u64 {
    let text = |name: &str| event[name].as_str().map_or(0, str::len);
    let resources = event["resources"].as_array().into_iter().flatten();
    let resources: usize = resources.filter_map(Value::as_str).map(str::len).sum();
    let texts = text("source") + text("detail-type") + text("time") + resources;
    (texts + event["detail"].to_string().len()) as u64
}
