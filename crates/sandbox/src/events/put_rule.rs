//! PutRule. What an existing rule was set to and the call does not name is gone; its targets and its
//! tags stay.

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_pattern::{Dialect, EventPattern};
use havoq_wire::{EventBridgeError, ServiceError};
use serde::{Deserialize, Serialize};

use super::bus_policy::Operation;
use super::errors::validation;
use super::names::{BusKey, RuleKey, check_bus_name, check_name};
use super::rule::{Rule, RulePattern, RuleSchedule, RuleState};
use super::tags::{Tag, tag_map};
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;
use crate::schedule::Schedule;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutRule {
    name: Option<String>,
    schedule_expression: Option<String>,
    event_pattern: Option<String>,
    state: Option<String>,
    description: Option<String>,
    role_arn: Option<String>,
    tags: Vec<Tag>,
    event_bus_name: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct RuleArn {
    rule_arn: String,
}

/// The most that a pattern may be long (semantics 3.2).
const LONGEST_PATTERN: usize = 2_048;

impl PutRule {
    fn check(&self) -> Result<RuleState, ServiceError> {
        let mut checks = Checks::default();
        check_name(&mut checks, "name", &self.name, 64);
        checks.length("scheduleExpression", self.schedule_expression.as_deref(), 0, 256);
        checks.length("eventPattern", self.event_pattern.as_deref(), 0, 4_096);
        checks.length("description", self.description.as_deref(), 0, 512);
        checks.length("roleArn", self.role_arn.as_deref(), 1, 1_600);
        check_bus_name(&mut checks, self.event_bus_name.as_deref());
        let state = self.state.as_deref();
        let state = checks.one_of("state", state, &RuleState::NAMES, RuleState::named);
        checks.done(validation)?;
        Ok(state.unwrap_or_default())
    }

    fn pattern(&self) -> Result<Option<RulePattern>, ServiceError> {
        let Some(text) = self.event_pattern.as_deref().filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        if text.len() > LONGEST_PATTERN {
            let name = self.name.as_deref().unwrap_or_default();
            return Err(validation(format!(
                "Parameter EventPattern for rule {name} exceeds limit of {LONGEST_PATTERN}."
            )));
        }
        Ok(Some(RulePattern { text: text.to_owned(), parsed: parse_pattern(text)? }))
    }

    /// Whether a rule may be scheduled so on its bus.
    fn schedule(&mut self, bus: &BusKey) -> Result<Option<RuleSchedule>, ServiceError> {
        let text = self.schedule_expression.take().filter(|text| !text.is_empty());
        let Some(text) = text else { return Ok(None) };
        if !bus.is_default() {
            return Err(validation("ScheduleExpression is supported only on the default event bus."));
        }
        let bad = |_| validation("Parameter ScheduleExpression is not valid.");
        let parsed = Schedule::parse(&text).map_err(bad)?;
        Ok(Some(RuleSchedule { text, parsed }))
    }
}

pub(super) fn parse_pattern(text: &str) -> Result<EventPattern, ServiceError> {
    EventPattern::parse(text, Dialect::EventBridge).map_err(|bad| {
        let text = format!("Event pattern is not valid. Reason: {bad}");
        EventBridgeError::InvalidEventPatternException.with(text)
    })
}

impl Core {
    pub(crate) fn put_rule(
        &mut self,
        now: StackTime,
        place: Place,
        mut input: PutRule,
    ) -> Result<RuleArn, ServiceError> {
        self.keep_default_bus(place);
        let state = input.check()?;
        let bus = self.bus_meant(place, input.event_bus_name.as_deref())?;
        let pattern = input.pattern()?;
        let schedule = input.schedule(&bus)?;
        if pattern.is_none() && schedule.is_none() {
            return Err(validation("Parameter(s) EventPattern or ScheduleExpression must be specified."));
        }
        self.let_on_bus(place, self.events.bus(&bus)?, Operation("PutRule"))?;
        let tags = tag_map(input.tags)?;
        let name: Arc<str> = Arc::from(input.name.unwrap_or_default());
        let key = RuleKey { bus, name };
        let arn: Arc<str> = Arc::from(key.arn(&self.places));
        let created_by = Arc::clone(&self.places.name(place).account);
        let rules = &mut self.events.bus_mut(&key.bus)?.rules;
        let kept = rules.remove(&key.name).map(|old| (old.created_by, old.tags, old.targets));
        let (created_by, tags, targets) = kept.unwrap_or((created_by, tags, Default::default()));
        let rule = Rule {
            arn: Arc::clone(&arn),
            pattern,
            schedule,
            state,
            description: input.description,
            role_arn: input.role_arn,
            created_by,
            tags,
            targets,
            key: key.clone(),
        };
        rules.insert(Arc::clone(&key.name), rule);
        self.arm_rule(now, &key);
        Ok(RuleArn { rule_arn: arn.to_string() })
    }
}
