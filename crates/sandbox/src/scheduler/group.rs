//! CreateScheduleGroup, GetScheduleGroup, DeleteScheduleGroup.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_wire::{SchedulerError, ServiceError};
use serde::{Deserialize, Serialize};

use super::errors::validation;
use super::metrics::Counters;
use super::names::{self, GroupKey};
use super::tags::{Tag, tag_map};
use crate::checks::Checks;
use crate::cloudwatch::epoch;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug)]
pub(crate) struct Group {
    created: StackTime,
    pub(super) modified: StackTime,
    pub(super) tags: BTreeMap<String, String>,
    pub(super) counters: Counters,
    pub(super) client_token: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct CreateScheduleGroup {
    name: Option<String>,
    tags: Vec<Tag>,
    client_token: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfGroup {
    name: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct CreatedGroup {
    schedule_group_arn: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct DescribedGroup {
    arn: String,
    name: String,
    state: &'static str,
    creation_date: f64,
    last_modification_date: f64,
}

impl Group {
    pub(super) fn new(now: StackTime) -> Self {
        Self {
            created: now,
            modified: now,
            tags: BTreeMap::new(),
            counters: Counters::default(),
            client_token: None,
        }
    }
}

impl Core {
    /// With the token of the call that made it, a group is not made again.
    pub(crate) fn create_schedule_group(
        &mut self,
        now: StackTime,
        place: Place,
        input: CreateScheduleGroup,
    ) -> Result<CreatedGroup, ServiceError> {
        let key = changeable(place, input.name)?;
        let tags = tag_map(input.tags)?;
        let schedule_group_arn = key.arn(&self.places);
        if let Some(group) = self.scheduler.groups.get(&key) {
            if input.client_token.is_some() && group.client_token == input.client_token {
                return Ok(CreatedGroup { schedule_group_arn });
            }
            let text = format!("Schedule group {} already exists.", key.name);
            return Err(SchedulerError::ConflictException.with(text));
        }
        let group = Group { tags, client_token: input.client_token, ..Group::new(now) };
        self.scheduler.groups.insert(key, group);
        Ok(CreatedGroup { schedule_group_arn })
    }

    pub(crate) fn get_schedule_group(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfGroup,
    ) -> Result<DescribedGroup, ServiceError> {
        self.keep_default_group(now, place);
        let key = GroupKey::new(place, Some(&checked(input.name)?));
        let group = self.scheduler.group(&key)?;
        Ok(self.described_group(&key, group))
    }

    /// A group goes with all its schedules.
    pub(crate) fn delete_schedule_group(
        &mut self,
        place: Place,
        input: OfGroup,
    ) -> Result<Nothing, ServiceError> {
        let key = changeable(place, input.name)?;
        self.scheduler.group(&key)?;
        let schedules = self.scheduler.schedules_in(place).filter(|(schedule, _)| schedule.group == key);
        let schedules: Vec<_> = schedules.map(|(schedule, _)| schedule.clone()).collect();
        for schedule in schedules {
            self.drop_schedule(&schedule);
        }
        self.scheduler.groups.remove(&key);
        Ok(Nothing {})
    }

    pub(super) fn described_group(&self, key: &GroupKey, group: &Group) -> DescribedGroup {
        DescribedGroup {
            arn: key.arn(&self.places),
            name: key.name.to_string(),
            state: "ACTIVE",
            creation_date: epoch(group.created),
            last_modification_date: epoch(group.modified),
        }
    }
}

fn checked(name: Option<String>) -> Result<String, ServiceError> {
    let mut checks = Checks::default();
    names::check_required(&mut checks, "name", &name);
    checks.done(validation)?;
    Ok(name.unwrap_or_default())
}

/// Nobody makes or deletes the default group.
fn changeable(place: Place, name: Option<String>) -> Result<GroupKey, ServiceError> {
    let key = GroupKey::new(place, Some(&checked(name)?));
    if key.is_default() {
        let text = "This operation cannot be performed on schedule group default.";
        return Err(validation(text));
    }
    Ok(key)
}

/// The answer of an operation that has nothing to say.
#[derive(Debug, Serialize)]
pub(crate) struct Nothing {}
