//! What is told of tables beside what the engine keeps: when they were made, and by which id.

use std::collections::BTreeMap;

use crate::cloudwatch::epoch;
use havoq_base::StackTime;
use serde_json::Value;

/// Of one table.
#[derive(Clone, Debug)]
struct Made {
    id: String,
    at: StackTime,
    changed: StackTime,
}

/// The tables of a place, by name.
#[derive(Debug, Default)]
pub(super) struct Tables(BTreeMap<String, Made>);

impl Tables {
    pub(super) fn made(&mut self, name: &str, id: String, at: StackTime) {
        self.0.insert(name.to_owned(), Made { id, at, changed: at });
    }

    pub(super) fn changed(&mut self, name: &str, at: StackTime) {
        if let Some(made) = self.0.get_mut(name) {
            made.changed = at;
        }
    }

    pub(super) fn forget(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Puts the stack's times and ids into the description of a table, if an output has one.
    pub(super) fn correct(&self, output: &mut Value) {
        for member in ["Table", "TableDescription"] {
            let Some(table) = output.get_mut(member) else { continue };
            let Some(made) = table.get("TableName").and_then(Value::as_str).and_then(|name| self.0.get(name))
            else {
                continue;
            };
            let changed = seconds(made.changed);
            replace(table, "TableId", made.id.clone().into());
            replace(table, "CreationDateTime", seconds(made.at));
            if let Some(billing) = table.get_mut("BillingModeSummary") {
                replace(billing, "LastUpdateToPayPerRequestDateTime", changed.clone());
            }
            if let Some(mode) = table.get_mut("TableThroughputModeSummary") {
                replace(mode, "LastUpdateToPayPerRequestDateTime", changed.clone());
            }
            if let Some(throughput) = table.get_mut("ProvisionedThroughput") {
                replace(throughput, "LastIncreaseDateTime", changed.clone());
                replace(throughput, "LastDecreaseDateTime", changed);
            }
        }
    }
}

fn replace(of: &mut Value, member: &str, by: Value) {
    if let Some(value) = of.get_mut(member) {
        *value = by;
    }
}

fn seconds(at: StackTime) -> Value {
    epoch(at).into()
}
