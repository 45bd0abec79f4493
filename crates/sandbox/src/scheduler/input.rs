//! What CreateSchedule and UpdateSchedule are told, and how it is checked. An update replaces
//! everything: what is not told has its default again.

use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;
use serde::Deserialize;

use super::errors::validation;
use super::names;
use super::schedule::{AfterCompletion, FlexibleTimeWindow, Spec, State};
use super::target::{Target, TargetInput};
use crate::checks::Checks;
use crate::cloudwatch::from_epoch;
use crate::place::PlaceName;
use crate::schedule::{Schedule, Zone};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ScheduleInput {
    pub(super) name: Option<String>,
    pub(super) group_name: Option<String>,
    schedule_expression: Option<String>,
    schedule_expression_timezone: Option<String>,
    start_date: Option<f64>,
    end_date: Option<f64>,
    description: Option<String>,
    state: Option<String>,
    flexible_time_window: Option<FlexibleTimeWindow>,
    action_after_completion: Option<String>,
    kms_key_arn: Option<String>,
    target: Option<TargetInput>,
    client_token: Option<String>,
}

const UTC: &str = "UTC";

/// How far before now a start may lie.
const LEEWAY: StackDuration = StackDuration::from_secs(300);

impl ScheduleInput {
    pub(super) fn spec(self, now: StackTime, place: &PlaceName) -> Result<Spec, ServiceError> {
        let (state, after_completion) = self.check_members()?;
        let expression = self.schedule_expression.unwrap_or_default();
        let bad = |_| validation(format!("Invalid Schedule Expression {expression}."));
        let schedule = Schedule::parse_for_scheduler(&expression).map_err(bad)?;
        let timezone = self.schedule_expression_timezone.unwrap_or_else(|| UTC.to_owned());
        let no_zone = || validation("Invalid ScheduleExpressionTimezone.");
        let zone = Zone::named(&timezone).ok_or_else(no_zone)?;
        let (start, end) = (self.start_date.map(from_epoch), self.end_date.map(from_epoch));
        if !matches!(schedule, Schedule::At(_)) {
            check_dates(now, start, end)?;
        }
        Ok(Spec {
            description: self.description,
            window: window(self.flexible_time_window.unwrap_or_default())?,
            target: Arc::new(Target::checked(self.target.unwrap_or_default(), place)?),
            expression,
            schedule,
            timezone,
            zone,
            start,
            end,
            state,
            after_completion,
            kms_key_arn: self.kms_key_arn,
            client_token: self.client_token,
        })
    }

    /// The limits of the members, which AWS's front end checks all at once.
    fn check_members(&self) -> Result<(State, AfterCompletion), ServiceError> {
        let mut checks = Checks::default();
        names::check_required(&mut checks, "name", &self.name);
        names::check(&mut checks, "groupName", self.group_name.as_deref());
        checks.required_text("scheduleExpression", &self.schedule_expression, 1, 256);
        let timezone = self.schedule_expression_timezone.as_deref();
        checks.length("scheduleExpressionTimezone", timezone, 1, 50);
        checks.length("description", self.description.as_deref(), 0, 512);
        let state = checks.one_of("state", self.state.as_deref(), &State::WORDS, State::named);
        let after = self.action_after_completion.as_deref();
        let (words, named) = (&AfterCompletion::WORDS, AfterCompletion::named);
        let after = checks.one_of("actionAfterCompletion", after, words, named);
        checks.required("flexibleTimeWindow", &self.flexible_time_window);
        if let Some(FlexibleTimeWindow { mode, maximum_window_in_minutes }) = &self.flexible_time_window {
            checks.required("flexibleTimeWindow.mode", mode);
            checks.among("flexibleTimeWindow.mode", mode.as_deref(), &MODES);
            let member = "flexibleTimeWindow.maximumWindowInMinutes";
            checks.range(member, *maximum_window_in_minutes, 1, 1_440);
        }
        checks.required("target", &self.target);
        if let Some(target) = &self.target {
            target.check_members(&mut checks);
        }
        checks.done(validation)?;
        Ok((state.unwrap_or(State::Enabled), after.unwrap_or(AfterCompletion::None)))
    }
}

const OFF: &str = "OFF";
const MODES: [&str; 2] = [OFF, "FLEXIBLE"];

fn window(given: FlexibleTimeWindow) -> Result<Option<u32>, ServiceError> {
    let is_off = given.mode.as_deref() == Some(OFF);
    match given.maximum_window_in_minutes {
        None if is_off => Ok(None),
        Some(_) if is_off => Err(validation(
            "MaximumWindowInMinutes must not be provided when FlexibleTimeWindowMode is set to OFF.",
        )),
        None => Err(validation(
            "MaximumWindowInMinutes must be provided when FlexibleTimeWindowMode is set to FLEXIBLE.",
        )),
        Some(minutes) => Ok(u32::try_from(minutes).ok()),
    }
}

fn check_dates(now: StackTime, start: Option<StackTime>, end: Option<StackTime>) -> Result<(), ServiceError> {
    if start.is_some_and(|start| start + LEEWAY < now) {
        return Err(validation("The StartDate you specify cannot be earlier than 5 minutes ago."));
    }
    match (start, end) {
        (Some(start), Some(end)) if start >= end => {
            Err(validation("The StartDate you specify must come before the EndDate."))
        }
        (_, Some(end)) if end < now => Err(validation("The EndDate you specify cannot be in the past.")),
        _ => Ok(()),
    }
}
