//! ListTargetsByRule.

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::bus_policy::Operation;
use super::pages::page;
use super::target::TargetInput;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListTargetsByRule {
    rule: Option<String>,
    event_bus_name: Option<String>,
    next_token: Option<String>,
    limit: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Targets {
    targets: Vec<TargetInput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

impl Core {
    pub(crate) fn list_targets_by_rule(
        &mut self,
        place: Place,
        input: ListTargetsByRule,
    ) -> Result<Targets, ServiceError> {
        let operation = Operation("ListTargetsByRule");
        let key =
            self.rule_meant(place, ("rule", &input.rule), input.event_bus_name.as_deref(), operation)?;
        let given = self.events.rule(&key)?.targets.values().map(|target| target.given.clone());
        let (targets, next_token) = page(given, input.next_token.as_deref(), input.limit)?;
        Ok(Targets { targets, next_token })
    }
}
