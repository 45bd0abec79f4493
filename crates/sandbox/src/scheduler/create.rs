//! CreateSchedule, UpdateSchedule, GetSchedule and DeleteSchedule.

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_wire::{SchedulerError, ServiceError};
use serde::{Deserialize, Serialize};

use super::errors::validation;
use super::group::Nothing;
use super::input::ScheduleInput;
use super::names::{self, ScheduleKey};
use super::schedule::{AfterCompletion, FlexibleTimeWindow, Scheduled, Spec, State};
use super::target::TargetInput;
use crate::checks::Checks;
use crate::cloudwatch::epoch;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfSchedule {
    name: Option<String>,
    group_name: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ScheduleArn {
    schedule_arn: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct DescribedSchedule {
    arn: String,
    group_name: String,
    name: String,
    schedule_expression: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_date: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_date: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    schedule_expression_timezone: String,
    state: State,
    creation_date: f64,
    last_modification_date: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    kms_key_arn: Option<String>,
    target: TargetInput,
    flexible_time_window: FlexibleTimeWindow,
    action_after_completion: AfterCompletion,
}

impl Core {
    /// With the token of the call that made it, a schedule is not made again.
    pub(crate) fn create_schedule(
        &mut self,
        now: StackTime,
        place: Place,
        input: ScheduleInput,
    ) -> Result<ScheduleArn, ServiceError> {
        let (key, spec) = self.checked_schedule(now, place, input)?;
        let arn = key.arn(&self.places);
        if let Some(existing) = self.scheduler.find(&key) {
            if spec.client_token.is_some() && existing.spec.client_token == spec.client_token {
                return Ok(ScheduleArn { schedule_arn: arn });
            }
            let text = format!("Schedule {} already exists.", key.name);
            return Err(SchedulerError::ConflictException.with(text));
        }
        let schedule = Scheduled {
            id: self.scheduler.next_id(),
            arn: Arc::from(arn.as_str()),
            // A rate has its first occurrence where it begins.
            anchor: spec.start.unwrap_or(now),
            spec,
            created: now,
            modified: now,
            timer: None,
            has_run: false,
        };
        self.scheduler.insert(key.clone(), schedule);
        self.arm_schedule(now, &key);
        Ok(ScheduleArn { schedule_arn: arn })
    }

    /// What is not told has its default again. An expression that stays as it was goes on as it did.
    pub(crate) fn update_schedule(
        &mut self,
        now: StackTime,
        place: Place,
        input: ScheduleInput,
    ) -> Result<ScheduleArn, ServiceError> {
        let (key, spec) = self.checked_schedule(now, place, input)?;
        let schedule = self.scheduler.get_mut(&key)?;
        let timing = |spec: &Spec| (spec.schedule.clone(), spec.zone.clone(), spec.start);
        if timing(&schedule.spec) != timing(&spec) {
            schedule.anchor = spec.start.unwrap_or(now);
            schedule.has_run = false;
        }
        schedule.spec = spec;
        schedule.modified = now;
        let schedule_arn = schedule.arn.to_string();
        self.call_off(&key);
        self.arm_schedule(now, &key);
        Ok(ScheduleArn { schedule_arn })
    }

    pub(crate) fn get_schedule(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfSchedule,
    ) -> Result<DescribedSchedule, ServiceError> {
        let key = self.schedule_meant(now, place, input)?;
        let schedule = self.scheduler.get(&key)?;
        let spec = &schedule.spec;
        Ok(DescribedSchedule {
            arn: schedule.arn.to_string(),
            group_name: key.group.name.to_string(),
            name: key.name.to_string(),
            schedule_expression: spec.expression.clone(),
            start_date: spec.start.map(epoch),
            end_date: spec.end.map(epoch),
            description: spec.description.clone(),
            schedule_expression_timezone: spec.timezone.clone(),
            state: spec.state,
            creation_date: epoch(schedule.created),
            last_modification_date: epoch(schedule.modified),
            kms_key_arn: spec.kms_key_arn.clone(),
            target: spec.target.given.clone(),
            flexible_time_window: spec.flexible_time_window(),
            action_after_completion: spec.after_completion,
        })
    }

    pub(crate) fn delete_schedule(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfSchedule,
    ) -> Result<Nothing, ServiceError> {
        let key = self.schedule_meant(now, place, input)?;
        self.scheduler.get(&key)?;
        self.drop_schedule(&key);
        Ok(Nothing {})
    }

    /// A schedule that is to be made or changed, in a group that is there.
    fn checked_schedule(
        &mut self,
        now: StackTime,
        place: Place,
        input: ScheduleInput,
    ) -> Result<(ScheduleKey, Spec), ServiceError> {
        self.keep_default_group(now, place);
        let (name, group) = (input.name.clone(), input.group_name.clone());
        let spec = input.spec(now, self.places.name(place))?;
        let key = ScheduleKey::new(place, group.as_deref(), &name.unwrap_or_default());
        self.scheduler.group(&key.group)?;
        Ok((key, spec))
    }

    /// The schedule that a call is on, in a group that is there.
    fn schedule_meant(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfSchedule,
    ) -> Result<ScheduleKey, ServiceError> {
        self.keep_default_group(now, place);
        let mut checks = Checks::default();
        names::check_required(&mut checks, "name", &input.name);
        names::check(&mut checks, "groupName", input.group_name.as_deref());
        checks.done(validation)?;
        let key = ScheduleKey::new(place, input.group_name.as_deref(), &input.name.unwrap_or_default());
        self.scheduler.group(&key.group)?;
        Ok(key)
    }
}
