//! ListRules and ListRuleNamesByTarget.

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bus_policy::Operation;
use super::pages::page;
use super::rule::Rule;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListRules {
    name_prefix: Option<String>,
    event_bus_name: Option<String>,
    next_token: Option<String>,
    limit: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListRuleNamesByTarget {
    target_arn: Option<String>,
    event_bus_name: Option<String>,
    next_token: Option<String>,
    limit: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Rules {
    rules: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct RuleNames {
    rule_names: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

impl Core {
    pub(crate) fn list_rules(&mut self, place: Place, input: ListRules) -> Result<Rules, ServiceError> {
        let operation = Operation("ListRules");
        let rules = self.rules_of(place, input.event_bus_name.as_deref(), operation)?;
        let prefix = input.name_prefix.as_deref().unwrap_or_default();
        let listed = rules.filter(|rule| rule.key.name.starts_with(prefix)).map(Rule::listed);
        let (rules, next_token) = page(listed, input.next_token.as_deref(), input.limit)?;
        Ok(Rules { rules, next_token })
    }

    pub(crate) fn list_rule_names_by_target(
        &mut self,
        place: Place,
        input: ListRuleNamesByTarget,
    ) -> Result<RuleNames, ServiceError> {
        let operation = Operation("ListRuleNamesByTarget");
        let rules = self.rules_of(place, input.event_bus_name.as_deref(), operation)?;
        let wanted = input.target_arn.as_deref().unwrap_or_default();
        let has_it = |rule: &&Rule| rule.targets.values().any(|target| target.given.arn == wanted);
        let names = rules.filter(has_it).map(|rule| rule.key.name.to_string());
        let (rule_names, next_token) = page(names, input.next_token.as_deref(), input.limit)?;
        Ok(RuleNames { rule_names, next_token })
    }

    fn rules_of(
        &mut self,
        place: Place,
        bus: Option<&str>,
        operation: Operation,
    ) -> Result<impl Iterator<Item = &Rule>, ServiceError> {
        self.keep_default_bus(place);
        let key = self.bus_meant(place, bus)?;
        let bus = self.events.bus(&key)?;
        self.let_on_bus(place, bus, operation)?;
        Ok(bus.rules.values())
    }
}
