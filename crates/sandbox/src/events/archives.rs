//! CreateArchive, UpdateArchive, DescribeArchive, ListArchives and DeleteArchive (semantics 3.5).

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_wire::{EventBridgeError, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::archive::{Archive, ArchiveKey};
use super::errors::{no_bus, validation};
use super::names::{BusKey, check_name};
use super::pages::page;
use super::put_rule::parse_pattern;
use super::rule::RulePattern;
use crate::checks::Checks;
use crate::cloudwatch::epoch;
use crate::core::Core;
use crate::place::Place;

/// The input of CreateArchive and UpdateArchive.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ArchiveInput {
    archive_name: Option<String>,
    event_source_arn: Option<String>,
    description: Option<String>,
    event_pattern: Option<String>,
    retention_days: Option<i64>,
    kms_key_identifier: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfArchive {
    archive_name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListArchives {
    name_prefix: Option<String>,
    event_source_arn: Option<String>,
    state: Option<String>,
    next_token: Option<String>,
    limit: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ArchiveState {
    archive_arn: String,
    state: &'static str,
    creation_time: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ArchiveList {
    archives: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

/// The state that an archive is always in here.
const ENABLED: &str = "ENABLED";
const STATES: [&str; 6] = [ENABLED, "DISABLED", "CREATING", "UPDATING", "CREATE_FAILED", "UPDATE_FAILED"];

impl ArchiveInput {
    fn check(&self, place: Place) -> Result<(ArchiveKey, Option<RulePattern>), ServiceError> {
        let mut checks = Checks::default();
        check_name(&mut checks, "archiveName", &self.archive_name, 48);
        checks.length("eventSourceArn", self.event_source_arn.as_deref(), 1, 1_600);
        checks.length("description", self.description.as_deref(), 0, 512);
        checks.length("eventPattern", self.event_pattern.as_deref(), 0, 4_096);
        checks.range("retentionDays", self.retention_days, 0, i64::from(u32::MAX));
        checks.done(validation)?;
        let pattern = self.event_pattern.as_deref().filter(|text| !text.is_empty());
        let pattern = pattern
            .map(|text| parse_pattern(text).map(|parsed| RulePattern { text: text.to_owned(), parsed }));
        let name = Arc::from(self.archive_name.as_deref().unwrap_or_default());
        Ok((ArchiveKey { place, name }, pattern.transpose()?))
    }

    /// Sets what is told.
    fn apply(self, archive: &mut Archive, pattern: Option<RulePattern>) {
        if let Some(days) = self.retention_days {
            archive.retention_days = days.clamp(0, i64::from(u32::MAX)) as u32;
        }
        archive.pattern = pattern.or(archive.pattern.take());
        archive.description = self.description.or(archive.description.take());
        archive.kms_key_identifier = self.kms_key_identifier.or(archive.kms_key_identifier.take());
    }
}

impl Core {
    pub(crate) fn create_archive(
        &mut self,
        now: StackTime,
        place: Place,
        input: ArchiveInput,
    ) -> Result<ArchiveState, ServiceError> {
        self.keep_default_bus(place);
        let (key, pattern) = input.check(place)?;
        let mut checks = Checks::default();
        checks.required("eventSourceArn", &input.event_source_arn);
        checks.done(validation)?;
        let bus = self.source_of_archive(place, input.event_source_arn.as_deref().unwrap_or_default())?;
        if self.events.archives.contains_key(&key) {
            let text = format!("Archive {} already exists.", key.name);
            return Err(EventBridgeError::ResourceAlreadyExistsException.with(text));
        }
        let arn = self.places.arn(place, "events", &format!("archive/{}", key.name));
        let mut archive = Archive::new(arn, bus, now);
        input.apply(&mut archive, pattern);
        let state = state(&archive);
        self.events.archives.insert(key, archive);
        Ok(state)
    }

    pub(crate) fn update_archive(
        &mut self,
        now: StackTime,
        place: Place,
        input: ArchiveInput,
    ) -> Result<ArchiveState, ServiceError> {
        let (key, pattern) = input.check(place)?;
        if pattern.is_none() && input.retention_days.is_none() && input.description.is_none() {
            return Err(validation(
                "At least one of EventPattern, RetentionDays or Description must be provided.",
            ));
        }
        let archive = self.archive_meant(now, key)?;
        input.apply(archive, pattern);
        archive.prune(now);
        Ok(state(archive))
    }

    pub(crate) fn describe_archive(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfArchive,
    ) -> Result<Value, ServiceError> {
        let key = input.key(place)?;
        self.archive_meant(now, key.clone())?;
        let archive = &self.events.archives[&key];
        let mut described = listed(&key, archive, &archive.bus.arn(&self.places));
        described["ArchiveArn"] = json!(archive.arn);
        let optional = [
            ("Description", archive.description.as_ref()),
            ("EventPattern", archive.pattern.as_ref().map(|pattern| &pattern.text)),
            ("KmsKeyIdentifier", archive.kms_key_identifier.as_ref()),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                described[name] = json!(value);
            }
        }
        Ok(described)
    }

    pub(crate) fn list_archives(
        &mut self,
        now: StackTime,
        place: Place,
        input: ListArchives,
    ) -> Result<ArchiveList, ServiceError> {
        self.keep_default_bus(place);
        let mut checks = Checks::default();
        checks.among("state", input.state.as_deref(), &STATES);
        checks.done(validation)?;
        let ListArchives { name_prefix, event_source_arn, state, next_token, limit } = input;
        let given = [name_prefix.is_some(), event_source_arn.is_some(), state.is_some()];
        one_filter("ListArchives", given)?;
        let bus = event_source_arn.map(|arn| self.source_of_archive(place, &arn)).transpose()?;
        let prefix = name_prefix.unwrap_or_default();
        for archive in self.events.archives.values_mut() {
            archive.prune(now);
        }
        let all = self.events.archives.iter().filter(|(key, archive)| {
            key.place == place
                && key.name.starts_with(&prefix)
                && bus.as_ref().is_none_or(|bus| archive.bus == *bus)
                && state.as_deref().is_none_or(|state| state == ENABLED)
        });
        let (archives, next_token) = page(all, next_token.as_deref(), limit)?;
        let shown = archives.into_iter();
        let shown = shown.map(|(key, archive)| listed(key, archive, &archive.bus.arn(&self.places)));
        Ok(ArchiveList { archives: shown.collect(), next_token })
    }

    /// What is being replayed from it goes on.
    pub(crate) fn delete_archive(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfArchive,
    ) -> Result<(), ServiceError> {
        let key = input.key(place)?;
        self.archive_meant(now, key.clone())?;
        self.events.archives.remove(&key);
        Ok(())
    }

    fn archive_meant(&mut self, now: StackTime, key: ArchiveKey) -> Result<&mut Archive, ServiceError> {
        let missing = || {
            let text = format!("Archive {} does not exist.", key.name);
            EventBridgeError::ResourceNotFoundException.with(text)
        };
        let archive = self.events.archives.get_mut(&key).ok_or_else(missing)?;
        archive.prune(now);
        Ok(archive)
    }

    /// A bus of the caller's, which must be there.
    pub(super) fn source_of_archive(&self, place: Place, arn: &str) -> Result<BusKey, ServiceError> {
        let name = arn.split_once("event-bus/").map_or(arn, |(_, name)| name);
        let key = BusKey::of_arn(&self.places, arn).filter(|key| key.place == place);
        let key = key.ok_or_else(|| no_bus(name))?;
        self.events.bus(&key)?;
        Ok(key)
    }
}

impl OfArchive {
    fn key(self, place: Place) -> Result<ArchiveKey, ServiceError> {
        let mut checks = Checks::default();
        check_name(&mut checks, "archiveName", &self.archive_name, 48);
        checks.done(validation)?;
        Ok(ArchiveKey { place, name: Arc::from(self.archive_name.unwrap_or_default()) })
    }
}

/// Lists are filtered by one thing at most.
pub(super) fn one_filter(operation: &str, given: [bool; 3]) -> Result<(), ServiceError> {
    if given.into_iter().filter(|given| *given).count() > 1 {
        return Err(validation(format!(
            "At most one filter is allowed for {operation}. Use either : State, EventSourceArn, or NamePrefix."
        )));
    }
    Ok(())
}

fn state(archive: &Archive) -> ArchiveState {
    let (archive_arn, creation_time) = (archive.arn.clone(), epoch(archive.created));
    ArchiveState { archive_arn, state: ENABLED, creation_time }
}

fn listed(key: &ArchiveKey, archive: &Archive, bus_arn: &str) -> Value {
    json!({
        "ArchiveName": &*key.name,
        "EventSourceArn": bus_arn,
        "State": ENABLED,
        "RetentionDays": archive.retention_days,
        "SizeBytes": archive.size(),
        "EventCount": archive.count(),
        "CreationTime": epoch(archive.created),
    })
}
