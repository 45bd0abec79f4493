//! The tables of each place, and one operation on them from beginning to end.

use std::collections::BTreeMap;

use dynoxide::{Database, DynoxideError};
use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;
use serde_json::{Map, Value};

use super::clock::ShownClock;
use super::engine;
use super::names::Prefix;
use super::refusal::{not_built, refused};
use super::sorted::sorted;
use super::tables::Tables;
use super::tokens::Tokens;
use crate::core::Core;
use crate::place::Place;

/// How often what has expired is looked for. DynamoDB says "within a few days"; whoever relies on
/// less must look at the time itself (semantics 6.1).
const SWEEP: StackDuration = StackDuration::from_secs(3_600);

/// The tables of all places. A place's are opened by the first call for it.
#[derive(Default)]
pub(crate) struct Stores(BTreeMap<Place, Store>);

struct Store {
    database: Database,
    clock: ShownClock,
    tables: Tables,
    tokens: Tokens,
    /// The sweep before which nothing has to be looked for; none while no table expires anything.
    next_sweep: Option<StackTime>,
}

impl Core {
    /// An operation of DynamoDB.
    pub(crate) fn on_tables(
        &mut self,
        now: StackTime,
        place: Place,
        operation: &str,
        input: Map<String, Value>,
    ) -> Result<Value, ServiceError> {
        let name = self.places.name(place);
        let prefix = Prefix::new(&name.account, &name.region);
        // Drawn for those that make something only, so that other calls leave the order of ids alone.
        let id = if operation == "CreateTable" { self.new_id() } else { String::new() };
        let store = match self.tables.0.entry(place) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(Store::open().map_err(|error| refused(operation, error, &prefix))?)
            }
        };
        store.operate(now, &prefix, operation, input, id)
    }
}

impl Store {
    fn open() -> Result<Self, DynoxideError> {
        let clock = ShownClock::default();
        let database = Database::memory_with_clock(std::sync::Arc::new(clock.clone()))?;
        let (tables, tokens) = (Tables::default(), Tokens::default());
        Ok(Self { database, clock, tables, tokens, next_sweep: None })
    }

    fn operate(
        &mut self,
        now: StackTime,
        prefix: &Prefix,
        operation: &str,
        mut input: Map<String, Value>,
        id: String,
    ) -> Result<Value, ServiceError> {
        self.clock.show(now);
        self.sweep(now).map_err(|error| refused(operation, error, prefix))?;
        prefix.inward(&mut input);
        self.tokens.inward(now, operation, &mut input);
        let table = input.get("TableName").and_then(Value::as_str).map(str::to_owned);
        let done = engine::operate(&self.database, operation, Value::Object(input))
            .ok_or_else(|| not_built(operation))?;
        let mut output = done.map_err(|error| refused(operation, error, prefix))?;
        if let Some(table) = &table {
            self.note(now, operation, table, id);
        }
        if speaks_of_tables(operation) {
            prefix.outward(&mut output);
            self.tables.correct(&mut output);
        }
        if let (Some(table), "DeleteTable") = (&table, operation) {
            self.tables.forget(table);
        }
        Ok(sorted(output))
    }

    fn note(&mut self, now: StackTime, operation: &str, table: &str, id: String) {
        match operation {
            "CreateTable" => self.tables.made(table, id, now),
            "UpdateTable" => self.tables.changed(table, now),
            "UpdateTimeToLive" => self.next_sweep = self.next_sweep.or(Some(after(now))),
            _ => {}
        }
    }

    /// Deletes what has expired, as if that had been done when it was due: nothing but a call can see
    /// the difference, so nobody wakes up for it.
    fn sweep(&mut self, now: StackTime) -> Result<(), DynoxideError> {
        if self.next_sweep.is_none_or(|due| now < due) {
            return Ok(());
        }
        // At the last sweep that was due: what has expired since then is still there.
        self.clock.show(StackTime::from_micros(now.as_micros() / SWEEP.as_micros() * SWEEP.as_micros()));
        self.database.sweep_ttl()?;
        self.clock.show(now);
        self.next_sweep = Some(after(now));
        Ok(())
    }
}

/// The first full hour after `now`.
fn after(now: StackTime) -> StackTime {
    StackTime::from_micros((now.as_micros() / SWEEP.as_micros() + 1) * SWEEP.as_micros())
}

/// Whether an output tells of tables, and never of what somebody put into one.
fn speaks_of_tables(operation: &str) -> bool {
    operation.ends_with("Table") || operation.ends_with("Tables") || operation.ends_with("TimeToLive")
}
