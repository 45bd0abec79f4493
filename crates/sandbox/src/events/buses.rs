//! The life of buses: CreateEventBus, UpdateEventBus, DeleteEventBus, DescribeEventBus and
//! ListEventBuses.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_wire::{EventBridgeError, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::bus::{Bus, BusSettings};
use super::bus_policy::Operation;
use super::errors::validation;
use super::names::{BusKey, is_name_char};
use super::pages::page;
use super::tags::{Tag, tag_map};
use super::target::check_dead_letter_queue;
use crate::checks::Checks;
use crate::cloudwatch::epoch;
use crate::core::Core;
use crate::place::Place;
use crate::targets::DeadLetterConfig;
use crate::unbuilt::not_implemented;

/// The input of CreateEventBus, and without tags that of UpdateEventBus.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutEventBus {
    name: Option<String>,
    event_source_name: Option<String>,
    description: Option<String>,
    kms_key_identifier: Option<String>,
    dead_letter_config: Option<DeadLetterConfig>,
    log_config: Option<Value>,
    tags: Vec<Tag>,
}

/// The input of operations that need no more than the bus.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfBus {
    name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListEventBuses {
    name_prefix: Option<String>,
    next_token: Option<String>,
    limit: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct EventBuses {
    event_buses: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

impl PutEventBus {
    fn check(&self) -> Result<(), ServiceError> {
        let mut checks = Checks::default();
        let is_one = |letter: char| is_name_char(letter) || letter == '/';
        checks.characters("name", self.name.as_deref(), r"[/\.\-_A-Za-z0-9]+", is_one);
        checks.length("name", self.name.as_deref(), 1, 256);
        checks.length("description", self.description.as_deref(), 0, 512);
        checks.done(validation)
    }

    fn settings(self) -> BusSettings {
        BusSettings {
            description: self.description,
            kms_key_identifier: self.kms_key_identifier,
            dead_letter_config: self.dead_letter_config,
            log_config: self.log_config,
        }
    }
}

impl Core {
    pub(crate) fn create_event_bus(
        &mut self,
        now: StackTime,
        place: Place,
        mut input: PutEventBus,
    ) -> Result<Value, ServiceError> {
        self.keep_default_bus(place);
        let mut checks = Checks::default();
        checks.required("name", &input.name);
        checks.done(validation)?;
        input.check()?;
        if input.event_source_name.is_some() {
            return Err(not_implemented("EventSourceName"));
        }
        let name = input.name.take().unwrap_or_default();
        if name.contains('/') {
            return Err(validation("Event bus name must not contain '/'."));
        }
        let key = BusKey { place, name: name.as_str().into() };
        if self.events.buses.contains_key(&key) {
            let text = format!("Event bus {name} already exists.");
            return Err(EventBridgeError::ResourceAlreadyExistsException.with(text));
        }
        let tags = tag_map(std::mem::take(&mut input.tags))?;
        let settings = input.settings();
        check_dead_letter_queue(settings.dead_letter_config.as_ref(), &self.places.name(place).region)?;
        let arn = key.arn(&self.places);
        let shown = shown([("EventBusArn", json!(arn))], &settings);
        let created = Some(now);
        let bus = Bus { settings, tags, created, modified: created, ..Bus::new(key.clone(), arn) };
        self.events.buses.insert(key, bus);
        Ok(shown)
    }

    /// What is not given is taken away (API:UpdateEventBus says nothing of it; PutRule is so).
    pub(crate) fn update_event_bus(
        &mut self,
        now: StackTime,
        place: Place,
        input: PutEventBus,
    ) -> Result<Value, ServiceError> {
        self.keep_default_bus(place);
        input.check()?;
        let key = self.bus_meant(place, input.name.as_deref())?;
        let settings = input.settings();
        check_dead_letter_queue(settings.dead_letter_config.as_ref(), &self.places.name(place).region)?;
        let bus = self.events.bus_mut(&key)?;
        bus.settings = settings;
        bus.modified = Some(now);
        Ok(shown([("Arn", json!(bus.arn)), ("Name", json!(&*key.name))], &bus.settings))
    }

    pub(crate) fn delete_event_bus(&mut self, place: Place, input: OfBus) -> Result<(), ServiceError> {
        let key = self.bus_meant(place, input.name.as_deref())?;
        if key.is_default() {
            return Err(validation("Cannot delete event bus default."));
        }
        if !self.events.bus(&key)?.rules.is_empty() {
            return Err(validation(format!("Event bus {} can't be deleted since it has rules.", key.name)));
        }
        self.events.buses.remove(&key);
        Ok(())
    }

    pub(crate) fn describe_event_bus(&mut self, place: Place, input: OfBus) -> Result<Value, ServiceError> {
        self.keep_default_bus(place);
        let key = self.bus_meant(place, input.name.as_deref())?;
        let bus = self.events.bus(&key)?;
        self.let_on_bus(place, bus, Operation("DescribeEventBus"))?;
        let mut described = listed(bus);
        if let (Some(members), Value::Object(settings)) =
            (described.as_object_mut(), shown([], &bus.settings))
        {
            members.extend(settings);
        }
        Ok(described)
    }

    pub(crate) fn list_event_buses(
        &mut self,
        place: Place,
        input: ListEventBuses,
    ) -> Result<EventBuses, ServiceError> {
        self.keep_default_bus(place);
        let prefix = input.name_prefix.as_deref().unwrap_or_default();
        let buses = self.events.buses_of(place).filter(|bus| bus.key.name.starts_with(prefix));
        let (event_buses, next_token) = page(buses.map(listed), input.next_token.as_deref(), input.limit)?;
        Ok(EventBuses { event_buses, next_token })
    }
}

/// Some members and the settings that are set.
fn shown<const N: usize>(members: [(&str, Value); N], settings: &BusSettings) -> Value {
    let mut shown: BTreeMap<_, _> =
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    if let Ok(Value::Object(settings)) = serde_json::to_value(settings) {
        shown.extend(settings);
    }
    json!(shown)
}

fn listed(bus: &Bus) -> Value {
    let mut listed = json!({ "Name": &*bus.key.name, "Arn": bus.arn });
    let optional = [
        ("Description", bus.settings.description.as_ref().map(|text| json!(text))),
        ("Policy", bus.policy.as_ref().map(|policy| json!(policy.text()))),
        ("CreationTime", bus.created.map(|at| json!(epoch(at)))),
        ("LastModifiedTime", bus.modified.map(|at| json!(epoch(at)))),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            listed[name] = value;
        }
    }
    listed
}
