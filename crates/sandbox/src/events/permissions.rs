//! PutPermission and RemovePermission: the policy of a bus, statement by statement or as a whole.

use havoq_base::StackTime;
use havoq_wire::{EventBridgeError, ServiceError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::bus_policy::BusPolicy;
use super::errors::validation;
use crate::checks::Checks;
use crate::core::Core;
use crate::permission::statements;
use crate::place::{Place, is_account, root_of};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutPermission {
    event_bus_name: Option<String>,
    action: Option<String>,
    principal: Option<String>,
    statement_id: Option<String>,
    condition: Option<Condition>,
    policy: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Condition {
    #[serde(rename = "Type")]
    operator: String,
    key: String,
    value: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct RemovePermission {
    event_bus_name: Option<String>,
    statement_id: Option<String>,
    remove_all_permissions: bool,
}

impl PutPermission {
    /// The statement that lets an account, or everybody, do something with a bus.
    fn statement(&self, bus_arn: &str) -> Result<Value, ServiceError> {
        let mut checks = Checks::default();
        let is_id = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        checks.characters("statementId", self.statement_id.as_deref(), "[a-zA-Z0-9-_]+", is_id);
        checks.length("statementId", self.statement_id.as_deref(), 1, 64);
        let principal = self.principal.as_deref();
        if let Some(principal) = principal.filter(|principal| *principal != "*" && !is_account(principal)) {
            let constraint = r"satisfy regular expression pattern: (\d{12}|\*)";
            checks.fail(format!("'{principal}'"), "principal", constraint);
        }
        checks.done(validation)?;
        let missing = |name: &str| validation(format!("Parameter {name} must be specified."));
        let principal = principal.ok_or_else(|| missing("Principal"))?;
        let sid = self.statement_id.as_deref().ok_or_else(|| missing("StatementId"))?;
        let action = self.action.as_deref().ok_or_else(|| missing("Action"))?;
        if action != "events:PutEvents" {
            return Err(validation("Provided value in parameter 'action' is not supported."));
        }
        let principal = if principal == "*" { json!("*") } else { json!({ "AWS": root_of(principal) }) };
        let mut statement = json!({
            "Sid": sid, "Effect": "Allow", "Principal": principal, "Action": action, "Resource": bus_arn,
        });
        if let Some(Condition { operator, key, value }) = &self.condition {
            statement["Condition"] = json!({ operator: { key: value } });
        }
        Ok(statement)
    }
}

impl Core {
    pub(crate) fn put_bus_permission(
        &mut self,
        now: StackTime,
        place: Place,
        input: PutPermission,
    ) -> Result<(), ServiceError> {
        self.keep_default_bus(place);
        let key = self.bus_meant(place, input.event_bus_name.as_deref())?;
        let bus = self.events.bus_mut(&key)?;
        let document = match &input.policy {
            Some(policy) => serde_json::from_str(policy)
                .map_err(|error| validation(format!("Parameter Policy is not valid. Reason: {error}")))?,
            None => {
                let new = input.statement(&bus.arn)?;
                let empty = || json!({ "Version": "2012-10-17", "Statement": [] });
                let mut document = bus.policy.as_ref().map_or_else(empty, |policy| policy.document().clone());
                let all = statements(&mut document);
                all.retain(|statement| statement["Sid"] != new["Sid"]);
                all.push(new);
                document
            }
        };
        bus.policy = Some(BusPolicy::new(document)?);
        bus.modified = Some(now);
        Ok(())
    }

    pub(crate) fn remove_bus_permission(
        &mut self,
        now: StackTime,
        place: Place,
        input: RemovePermission,
    ) -> Result<(), ServiceError> {
        self.keep_default_bus(place);
        let key = self.bus_meant(place, input.event_bus_name.as_deref())?;
        let bus = self.events.bus_mut(&key)?;
        let policy = if input.remove_all_permissions {
            None
        } else {
            let unknown = || {
                let text = "Statement with the provided id does not exist.";
                EventBridgeError::ResourceNotFoundException.with(text)
            };
            let sid = input.statement_id.ok_or_else(unknown)?;
            let mut document = bus.policy.as_ref().ok_or_else(unknown)?.document().clone();
            let all = statements(&mut document);
            let before = all.len();
            all.retain(|statement| statement["Sid"] != sid);
            if all.len() == before {
                return Err(unknown());
            }
            if all.is_empty() { None } else { Some(BusPolicy::new(document)?) }
        };
        bus.policy = policy;
        bus.modified = Some(now);
        Ok(())
    }
}
