//! The operations on mappings.

use std::collections::BTreeMap;

use havoq_base::{StackDuration, StackTime};
use havoq_lambda::{Mapping as Machine, Settings};
use havoq_wire::{CommonError, LambdaError, ServiceError};
use serde::{Deserialize, Serialize};

use super::SourceId;
use super::described::Mapping;
use super::input::MappingInput;
use super::source::{Source, State};
use crate::core::Core;
use crate::lambda::errors::{invalid, missing, no_resource};
use crate::lambda::names::Named;
use crate::lambda::pages::page;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct OfMapping {
    #[serde(rename = "UUID")]
    uuid: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListMappings {
    event_source_arn: Option<String>,
    function_name: Option<String>,
    marker: Option<String>,
    max_items: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct MappingList {
    event_source_mappings: Vec<Mapping>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_marker: Option<String>,
}

impl Core {
    /// It begins to receive at once, where AWS takes up to some minutes.
    pub(crate) fn create_mapping(
        &mut self,
        now: StackTime,
        place: Place,
        input: MappingInput,
    ) -> Result<Mapping, ServiceError> {
        let queue_arn =
            input.event_source_arn.clone().ok_or_else(|| invalid("Unrecognized event source."))?;
        let source = queue_arn.split(':').nth(2).unwrap_or_default();
        match source {
            "sqs" => {}
            "dynamodb" | "kinesis" | "kafka" | "mq" | "rds" => {
                let text = format!("mappings of {source} are not implemented in havoq's sandbox yet");
                return Err(CommonError::NotImplemented.with(text));
            }
            _ => return Err(invalid("Unrecognized event source.")),
        }
        input.check()?;
        let function = self.mapped(place, input.function_name.as_deref())?;
        let settings = input.over(Settings::new(queue_arn))?;
        self.check_timeout(&function, &settings)?;
        self.check_unique(&function, &settings)?;
        let state = if input.enabled == Some(false) { State::Disabled } else { State::Enabled };
        let mut mapping = Machine::new(settings);
        mapping.set_enabled(state == State::Enabled);
        let id = self.lambda.sources.next_id();
        let source = Source {
            id,
            place,
            uuid: self.new_id(),
            function,
            mapping,
            requests: BTreeMap::new(),
            state,
            modified: now,
            timer: None,
        };
        let passing = (state == State::Enabled).then_some("Creating");
        let described = Mapping::of(&source, &self.places, passing);
        self.lambda.sources.insert(source);
        self.drive(now, id);
        Ok(described)
    }

    pub(crate) fn update_mapping(
        &mut self,
        now: StackTime,
        place: Place,
        of: OfMapping,
        input: MappingInput,
    ) -> Result<Mapping, ServiceError> {
        let id = self.source_of(place, &of)?;
        input.check()?;
        let source = self.lambda.sources.get(id).ok_or_else(no_resource)?;
        if source.state == State::Deleting {
            let text = "Cannot update the event source mapping because it is in use.";
            return Err(LambdaError::ResourceInUseException.with(text));
        }
        let settings = input.over(source.mapping.settings().clone())?;
        let function = match input.function_name.as_deref() {
            Some(name) => self.mapped(place, Some(name))?,
            None => source.function.clone(),
        };
        self.check_timeout(&function, &settings)?;
        let source = self.lambda.sources.get_mut(id).ok_or_else(no_resource)?;
        source.function = function;
        source.mapping.set_settings(settings);
        source.modified = now;
        let before = source.state;
        if let Some(enabled) = input.enabled {
            source.state = if enabled { State::Enabled } else { State::Disabled };
            source.mapping.set_enabled(enabled);
        }
        let passing = match (before, source.state) {
            (State::Disabled, State::Enabled) => "Enabling",
            (State::Enabled, State::Disabled) => "Disabling",
            _ => "Updating",
        };
        let described = Mapping::of(source, &self.places, Some(passing));
        self.drive(now, id);
        Ok(described)
    }

    /// What it has under way goes its way.
    pub(crate) fn delete_mapping(
        &mut self,
        now: StackTime,
        place: Place,
        of: OfMapping,
    ) -> Result<Mapping, ServiceError> {
        let id = self.source_of(place, &of)?;
        let source = self.lambda.sources.get_mut(id).ok_or_else(no_resource)?;
        source.state = State::Deleting;
        source.mapping.set_enabled(false);
        let described = Mapping::of(source, &self.places, None);
        self.drive(now, id);
        Ok(described)
    }

    pub(crate) fn get_mapping(&self, place: Place, of: OfMapping) -> Result<Mapping, ServiceError> {
        let id = self.source_of(place, &of)?;
        let source = self.lambda.sources.get(id).ok_or_else(no_resource)?;
        Ok(Mapping::of(source, &self.places, None))
    }

    pub(crate) fn list_mappings(
        &self,
        place: Place,
        input: ListMappings,
    ) -> Result<MappingList, ServiceError> {
        let named = input.function_name.as_deref().map(|name| self.named(place, Some(name), None));
        let named = named.transpose()?;
        let fits = |source: &&Source| {
            source.place == place
                && named.as_ref().is_none_or(|named| named.qualified() == source.function.qualified())
                && input
                    .event_source_arn
                    .as_ref()
                    .is_none_or(|arn| *arn == source.mapping.settings().queue_arn)
        };
        let mut all: Vec<_> = self.lambda.sources.iter().filter(fits).collect();
        all.sort_unstable_by_key(|source| &source.uuid);
        let (listed, next_marker) =
            page(input.marker.as_deref(), input.max_items, all.into_iter(), |source| &source.uuid)?;
        let listed = listed.into_iter().map(|source| Mapping::of(source, &self.places, None));
        Ok(MappingList { event_source_mappings: listed.collect(), next_marker })
    }

    fn source_of(&self, place: Place, of: &OfMapping) -> Result<SourceId, ServiceError> {
        let uuid = of.uuid.as_deref().ok_or_else(|| missing("UUID"))?;
        let mut sources = self.lambda.sources.iter();
        let source = sources.find(|source| source.place == place && source.uuid == uuid);
        source.map(|source| source.id).ok_or_else(no_resource)
    }

    /// A function that a mapping is made for must be there.
    fn mapped(&self, place: Place, name: Option<&str>) -> Result<Named, ServiceError> {
        let named = self.named(place, name, None)?;
        self.found_or(place, &named, || invalid("Function does not exist"))?;
        Ok(named)
    }

    /// The queue must hide messages at least as long as the function may run (semantics 5.1).
    fn check_timeout(&self, function: &Named, settings: &Settings) -> Result<(), ServiceError> {
        let queue = self.find_queue(&settings.queue_arn).and_then(|id| self.queues.get(id).ok());
        let queue = queue.ok_or_else(|| {
            invalid(
                "Error occurred while ReceiveMessage. SQS Error Code: AWS.SimpleQueueService.NonExistentQueue. SQS Error \
                 Message: The specified queue does not exist.",
            )
        })?;
        let function = self.find_function(function).and_then(|id| self.lambda.functions.get(id));
        let timeout = function.map_or(StackDuration::ZERO, |function| function.spec.timeout);
        let visibility = queue.attributes.visibility_timeout;
        if visibility < timeout {
            return Err(invalid(format!(
                "Queue visibility timeout: {} seconds is less than Function timeout: {} seconds",
                visibility.as_secs(),
                timeout.as_secs()
            )));
        }
        Ok(())
    }

    fn check_unique(&self, function: &Named, settings: &Settings) -> Result<(), ServiceError> {
        let is_same = |source: &&Source| {
            source.mapping.settings().queue_arn == settings.queue_arn && source.function.arn == function.arn
        };
        match self.lambda.sources.iter().find(is_same) {
            None => Ok(()),
            Some(source) => Err(LambdaError::ResourceConflictException.with(format!(
                "An event source mapping with SQS arn (\" {} \") and function (\" {} \") already exists. Please update or \
                 delete the existing mapping with UUID {}",
                settings.queue_arn, function.name, source.uuid
            ))),
        }
    }
}
