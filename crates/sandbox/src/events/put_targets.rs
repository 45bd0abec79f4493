//! PutTargets and RemoveTargets.

use std::collections::BTreeSet;
use std::sync::Arc;

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::bus_policy::Operation;
use super::errors::{over_limit, validation};
use super::target::TargetInput;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutTargets {
    rule: Option<String>,
    event_bus_name: Option<String>,
    targets: Vec<TargetInput>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct RemoveTargets {
    rule: Option<String>,
    event_bus_name: Option<String>,
    ids: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct TargetsChanged {
    failed_entry_count: usize,
    failed_entries: Vec<FailedEntry>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct FailedEntry {
    target_id: String,
    error_code: &'static str,
    error_message: String,
}

/// How many targets a rule can have (semantics 3.2).
const MOST: usize = 5;

impl Core {
    /// Adds targets, or puts others in the place of those with the same ids. What is wrong with one
    /// fails the call; AWS has a list of failed entries all the same, for changes that collide.
    pub(crate) fn put_targets(
        &mut self,
        place: Place,
        input: PutTargets,
    ) -> Result<TargetsChanged, ServiceError> {
        let mut checks = Checks::default();
        input.targets.iter().enumerate().for_each(|(index, target)| target.check_members(&mut checks, index));
        checks.done(validation)?;
        let mut ids = BTreeSet::new();
        if let Some(twice) = input.targets.iter().find(|target| !ids.insert(target.id.as_str())) {
            let reason = format!("More than one target with Id '{}' is provided.", twice.id);
            return Err(validation(format!("Parameter targets is not valid. Reason: {reason}")));
        }
        let operation = Operation("PutTargets");
        let key =
            self.rule_meant(place, ("rule", &input.rule), input.event_bus_name.as_deref(), operation)?;
        let home = self.places.name(key.bus.place).clone();
        let prepared = input.targets.into_iter().map(|target| target.prepare(&home.account, &home.region));
        let prepared = prepared.collect::<Result<Vec<_>, _>>()?;
        let targets = &mut self.events.rule_mut(&key)?.targets;
        let new = prepared.iter().filter(|target| !targets.contains_key(&target.given.id)).count();
        if targets.len() + new > MOST {
            return Err(over_limit());
        }
        for target in prepared {
            targets.insert(target.given.id.clone(), Arc::new(target));
        }
        Ok(TargetsChanged { failed_entry_count: 0, failed_entries: Vec::new() })
    }

    pub(crate) fn remove_targets(
        &mut self,
        place: Place,
        input: RemoveTargets,
    ) -> Result<TargetsChanged, ServiceError> {
        let operation = Operation("RemoveTargets");
        let key =
            self.rule_meant(place, ("rule", &input.rule), input.event_bus_name.as_deref(), operation)?;
        let targets = &mut self.events.rule_mut(&key)?.targets;
        let unknown = |id: &String| targets.remove(id).is_none();
        let failed_entries: Vec<_> = input
            .ids
            .into_iter()
            .filter(unknown)
            .map(|id| FailedEntry {
                error_code: "ResourceNotFoundException",
                error_message: format!("Rule '{}' does not have a target with the Id '{id}'.", key.name),
                target_id: id,
            })
            .collect();
        Ok(TargetsChanged { failed_entry_count: failed_entries.len(), failed_entries })
    }
}
