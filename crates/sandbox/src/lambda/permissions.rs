//! A function's policy: AddPermission, RemovePermission and GetPolicy, and what it lets others do.

use havoq_pattern::{AccessRequest, Decision, Principal};
use havoq_wire::{CommonError, LambdaError, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::errors::{invalid, missing, no_resource, not_found, validation};
use super::{FunctionId, OfFunction};
use crate::acting::Acting;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::{Place, is_account, is_name_byte, root_of};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct AddPermission {
    function_name: Option<String>,
    qualifier: Option<String>,
    statement_id: Option<String>,
    action: Option<String>,
    principal: Option<String>,
    source_arn: Option<String>,
    source_account: Option<String>,
    event_source_token: Option<String>,
    function_url_auth_type: Option<String>,
    invoked_via_function_url: Option<bool>,
    #[serde(rename = "PrincipalOrgID")]
    principal_org_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct RemovePermission {
    function_name: Option<String>,
    statement_id: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Added {
    /// As JSON text.
    statement: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ThePolicy {
    policy: String,
    revision_id: String,
}

impl Core {
    pub(crate) fn add_function_permission(
        &mut self,
        place: Place,
        input: AddPermission,
    ) -> Result<Added, ServiceError> {
        let mut checks = Checks::default();
        checks.required("statementId", &input.statement_id);
        let is_one = |letter: char| u8::try_from(letter).is_ok_and(is_name_byte);
        checks.characters("statementId", input.statement_id.as_deref(), "([a-zA-Z0-9-_]+)", is_one);
        checks.required("action", &input.action);
        checks.required("principal", &input.principal);
        checks.done(validation)?;
        let named = self.named(place, input.function_name.as_deref(), input.qualifier.as_deref())?;
        if named.qualifier.is_some() && named.is_latest() {
            return Err(invalid("We currently do not support adding policies for $LATEST."));
        }
        let id = self.found(place, &named)?;
        let statement = input.statement(&named.arn)?;
        let revision = self.new_id();
        let function = self.lambda.functions.get_mut(id).ok_or_else(no_resource)?;
        let sid = input.statement_id.unwrap_or_default();
        if function.policy.has(&sid) {
            return Err(LambdaError::ResourceConflictException.with(format!(
                "The statement id ({sid}) provided already exists. Please provide a new statement id, or remove the \
                 existing statement."
            )));
        }
        let text = statement.to_string();
        function.policy.add(statement);
        function.revision = revision;
        Ok(Added { statement: text })
    }

    pub(crate) fn remove_function_permission(
        &mut self,
        place: Place,
        input: RemovePermission,
    ) -> Result<(), ServiceError> {
        let sid = input.statement_id.ok_or_else(|| missing("StatementId"))?;
        let named = self.named(place, input.function_name.as_deref(), None)?;
        let absent = || not_found(format!("No policy found for: {}", named.arn));
        let id = self.found_or(place, &named, absent)?;
        let function = self.lambda.functions.get_mut(id).ok_or_else(no_resource)?;
        if function.policy.is_empty() {
            return Err(not_found("No policy is associated with the given resource."));
        }
        if !function.policy.remove(&sid) {
            return Err(not_found(format!("Statement {sid} is not found in resource policy.")));
        }
        Ok(())
    }

    pub(crate) fn get_function_policy(
        &self,
        place: Place,
        input: OfFunction,
    ) -> Result<ThePolicy, ServiceError> {
        let named = self.named(place, input.function_name.as_deref(), input.qualifier.as_deref())?;
        let id = self.found_or(place, &named, no_resource)?;
        let function = self.lambda.functions.get(id).ok_or_else(no_resource)?;
        let policy = function.policy.text().ok_or_else(no_resource)?;
        Ok(ThePolicy { policy, revision_id: function.revision.clone() })
    }

    /// Whether somebody may invoke a function for a service.
    pub(super) fn may_invoke(&self, id: FunctionId, acting: Acting<'_>) -> bool {
        let Some(function) = self.lambda.functions.get(id) else { return false };
        acting.may(function.policy.parsed(), ACTION, &function.spec.arn)
    }

    /// Lets a caller invoke a function: its own account always, another one by the policy.
    pub(super) fn authorize_invoke(&self, place: Place, id: FunctionId) -> Result<(), ServiceError> {
        let Some(function) = self.lambda.functions.get(id).filter(|function| function.place != place) else {
            return Ok(());
        };
        let account = &*self.places.name(place).account;
        let user = root_of(account);
        let request = AccessRequest {
            principal: Principal::Account { id: account, arn: Some(&user) },
            action: ACTION,
            resource: &function.spec.arn,
            context: &[("aws:PrincipalAccount", account)],
        };
        match function.policy.parsed().map(|policy| policy.decide(&request)) {
            Some(Decision::Allow) => Ok(()),
            _ => Err(CommonError::AccessDenied.with(format!(
                "User: {user} is not authorized to perform: {ACTION} on resource: {} because no resource-based policy \
                 allows the {ACTION} action",
                function.spec.arn
            ))),
        }
    }
}

const ACTION: &str = "lambda:InvokeFunction";

impl AddPermission {
    fn statement(&self, resource: &str) -> Result<Value, ServiceError> {
        let principal = self.principal.as_deref().unwrap_or_default();
        let principal = match principal {
            "*" => json!("*"),
            account if is_account(account) => json!({ "AWS": root_of(account) }),
            arn if arn.starts_with("arn:") => json!({ "AWS": arn }),
            service if service.ends_with(".amazonaws.com") => json!({ "Service": service }),
            _ => {
                return Err(invalid(
                    "The provided principal was invalid. Please check the principal and try again.",
                ));
            }
        };
        let mut statement = json!({
            "Sid": self.statement_id,
            "Effect": "Allow",
            "Principal": principal,
            "Action": self.action,
            "Resource": resource,
        });
        for (key, given) in [
            ("aws:PrincipalOrgID", &self.principal_org_id),
            ("lambda:FunctionUrlAuthType", &self.function_url_auth_type),
            ("lambda:EventSourceToken", &self.event_source_token),
            ("AWS:SourceAccount", &self.source_account),
        ] {
            if let Some(value) = given {
                statement["Condition"]["StringEquals"][key] = json!(value);
            }
        }
        if let Some(invoked) = self.invoked_via_function_url {
            statement["Condition"]["Bool"]["lambda:InvokedViaFunctionUrl"] = json!(invoked.to_string());
        }
        if let Some(arn) = &self.source_arn {
            statement["Condition"]["ArnLike"]["AWS:SourceArn"] = json!(arn);
        }
        Ok(statement)
    }
}
