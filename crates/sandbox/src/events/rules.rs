//! DescribeRule, DeleteRule, EnableRule and DisableRule, and how calls name a rule.

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::bus_policy::Operation;
use super::errors::validation;
use super::names::{RuleKey, check_bus_name, check_name};
use super::rule::RuleState;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

/// The input of operations that need no more than the rule.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfRule {
    name: Option<String>,
    event_bus_name: Option<String>,
}

impl Core {
    /// The rule that a call from `place` is on, which is there and which the caller may use so.
    pub(super) fn rule_meant(
        &mut self,
        place: Place,
        name: (&str, &Option<String>),
        bus: Option<&str>,
        operation: Operation,
    ) -> Result<RuleKey, ServiceError> {
        let key = self.rule_named(place, name, bus, operation)?;
        self.events.rule(&key)?;
        Ok(key)
    }

    /// The same, whether it is there or not.
    fn rule_named(
        &mut self,
        place: Place,
        (member, name): (&str, &Option<String>),
        bus: Option<&str>,
        operation: Operation,
    ) -> Result<RuleKey, ServiceError> {
        self.keep_default_bus(place);
        let mut checks = Checks::default();
        check_name(&mut checks, member, name, 64);
        check_bus_name(&mut checks, bus);
        checks.done(validation)?;
        let bus = self.bus_meant(place, bus)?;
        self.let_on_bus(place, self.events.bus(&bus)?, operation)?;
        let name = name.as_deref().unwrap_or_default();
        Ok(RuleKey { bus, name: name.into() })
    }

    pub(crate) fn describe_rule(&mut self, place: Place, input: OfRule) -> Result<Value, ServiceError> {
        let OfRule { name, event_bus_name } = input;
        let operation = Operation("DescribeRule");
        let key = self.rule_meant(place, ("name", &name), event_bus_name.as_deref(), operation)?;
        let rule = self.events.rule(&key)?;
        let mut described = rule.listed();
        described["CreatedBy"] = json!(&*rule.created_by);
        Ok(described)
    }

    /// A rule that is not there is deleted already (API:DeleteRule); one with targets stays.
    pub(crate) fn delete_rule(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfRule,
    ) -> Result<(), ServiceError> {
        let OfRule { name, event_bus_name } = input;
        let operation = Operation("DeleteRule");
        let key = self.rule_named(place, ("name", &name), event_bus_name.as_deref(), operation)?;
        let Ok(rule) = self.events.rule(&key) else { return Ok(()) };
        if !rule.targets.is_empty() {
            return Err(validation("Rule can't be deleted since it has targets."));
        }
        self.events.bus_mut(&key.bus)?.rules.remove(&key.name);
        self.arm_rule(now, &key);
        Ok(())
    }

    /// What is under way to its targets goes on in either case.
    pub(crate) fn enable_rule(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfRule,
    ) -> Result<(), ServiceError> {
        self.set_rule_state(now, place, input, Operation("EnableRule"), RuleState::Enabled)
    }

    pub(crate) fn disable_rule(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfRule,
    ) -> Result<(), ServiceError> {
        self.set_rule_state(now, place, input, Operation("DisableRule"), RuleState::Disabled)
    }

    fn set_rule_state(
        &mut self,
        now: StackTime,
        place: Place,
        input: OfRule,
        operation: Operation,
        state: RuleState,
    ) -> Result<(), ServiceError> {
        let OfRule { name, event_bus_name } = input;
        let key = self.rule_meant(place, ("name", &name), event_bus_name.as_deref(), operation)?;
        self.events.rule_mut(&key)?.state = state;
        self.arm_rule(now, &key);
        Ok(())
    }
}
