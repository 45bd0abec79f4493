//! PutEvents (semantics 3.1). The answer comes before any target is called, and says nothing of what
//! comes of an event: not even that its bus does not exist.

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::bus_policy::Operation;
use super::errors::validation;
use super::event::{Contents, Event};
use super::names::BusKey;
use super::put_entry::{Entry, EntryError, EntryResult, error};
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutEvents {
    entries: Vec<Entry>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct EventsPut {
    failed_entry_count: usize,
    entries: Vec<EntryResult>,
}

const MOST: usize = 10;
/// The most that all entries of a call may be long together.
const LARGEST: usize = 1_048_576;

impl PutEvents {
    /// What fails the call as a whole: nothing is taken then.
    fn check(&self) -> Result<(), ServiceError> {
        let mut checks = Checks::default();
        if self.entries.is_empty() {
            checks.fail("'[]'", "entries", "have length greater than or equal to 1");
        }
        checks.count("entries", &self.entries, MOST);
        checks.done(validation)?;
        if self.entries.iter().map(Entry::size).sum::<usize>() > LARGEST {
            return Err(validation("Total size of the entries in the request is over the limit."));
        }
        Ok(())
    }
}

impl Core {
    pub(crate) fn put_events(
        &mut self,
        now: StackTime,
        place: Place,
        input: PutEvents,
        trace_header: Option<&str>,
    ) -> Result<EventsPut, ServiceError> {
        input.check()?;
        self.keep_default_bus(place);
        let results = input.entries.iter().map(|entry| self.put_entry(now, place, entry, trace_header));
        let entries: Vec<_> = results.map(|result| result.unwrap_or_else(EntryResult::Failed)).collect();
        let failed = entries.iter().filter(|entry| matches!(entry, EntryResult::Failed(_))).count();
        if failed > 0 {
            *self.events.failed_entries.entry(place).or_default() += failed as u64;
        }
        Ok(EventsPut { failed_entry_count: failed, entries })
    }

    fn put_entry(
        &mut self,
        now: StackTime,
        place: Place,
        entry: &Entry,
        trace_header: Option<&str>,
    ) -> Result<EntryResult, EntryError> {
        let sound = entry.check()?;
        let bus = self.bus_to_put_on(place, entry.event_bus_name.as_deref())?;
        let id = self.new_message_id();
        let name = self.places.name(bus.as_ref().map_or(place, |bus| bus.place));
        let contents = Contents {
            detail_type: sound.detail_type,
            source: sound.source,
            // The caller's, whoever owns the bus.
            account: &self.places.name(place).account,
            region: &name.region,
            time: sound.time.unwrap_or(now),
            resources: &entry.resources,
            detail: sound.detail,
        };
        let mut event = Event::new(now, id.clone(), contents);
        event.trace_header = entry.trace_header.as_deref().or(trace_header).map(str::to_owned);
        if let Some(bus) = bus {
            self.put_on_bus(now, &bus, Arc::new(event));
        }
        Ok(EntryResult::Taken { event_id: id })
    }

    /// None for an ARN of a place that nobody has spoken of: the event is gone without a word, as
    /// with any bus that does not exist.
    fn bus_to_put_on(&self, place: Place, text: Option<&str>) -> Result<Option<BusKey>, EntryError> {
        let Ok(key) = self.bus_meant(place, text) else { return Ok(None) };
        if let Ok(bus) = self.events.bus(&key) {
            let denied = |refusal: ServiceError| error("AccessDeniedException", refusal.message);
            self.let_on_bus(place, bus, Operation("PutEvents")).map_err(denied)?;
        }
        Ok(Some(key))
    }
}
