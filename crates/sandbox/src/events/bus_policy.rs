//! The policy of a bus: who of other accounts may do what with it. Its own account may do everything
//! that no statement denies.

use havoq_pattern::{AccessRequest, Decision, Policy, Principal};
use havoq_wire::{CommonError, EventBridgeError, ServiceError};
use serde_json::Value;

use super::bus::Bus;
use super::errors::validation;
use crate::core::Core;
use crate::place::{Place, account_of, root_of};

#[derive(Clone, Debug)]
pub(super) struct BusPolicy {
    document: Value,
    parsed: Policy,
}

/// An operation as policies name it, after `events:`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation(pub(super) &'static str);

const LONGEST: usize = 10_240;

impl BusPolicy {
    pub(super) fn new(document: Value) -> Result<Self, ServiceError> {
        let text = document.to_string();
        if text.len() > LONGEST {
            let text = format!("Policy length exceeds the limit of {LONGEST} bytes.");
            return Err(EventBridgeError::PolicyLengthExceededException.with(text));
        }
        let bad = |error: havoq_pattern::BadPolicy| {
            validation(format!("Parameter Policy is not valid. Reason: {error}"))
        };
        Ok(Self { parsed: Policy::parse(&text).map_err(bad)?, document })
    }

    pub(super) fn text(&self) -> String {
        self.document.to_string()
    }

    pub(super) fn document(&self) -> &Value {
        &self.document
    }

    pub(super) fn parsed(&self) -> &Policy {
        &self.parsed
    }
}

impl Core {
    /// Whether somebody at `caller` may do something with a bus.
    pub(super) fn let_on_bus(
        &self,
        caller: Place,
        bus: &Bus,
        operation: Operation,
    ) -> Result<(), ServiceError> {
        let account = &self.places.name(caller).account;
        let is_own = &**account == account_of(&bus.arn);
        let user = root_of(account);
        let action = format!("events:{}", operation.0);
        let context = [
            ("aws:PrincipalAccount", &**account),
            ("aws:PrincipalArn", &user),
            ("aws:PrincipalIsAWSService", "false"),
            ("aws:SecureTransport", "true"),
        ];
        let request = AccessRequest {
            principal: Principal::Account { id: account, arn: Some(&user) },
            action: &action,
            resource: &bus.arn,
            context: &context,
        };
        let decision =
            bus.policy.as_ref().map_or(Decision::NoStatement, |policy| policy.parsed.decide(&request));
        let why = match decision {
            Decision::ExplicitDeny => "with an explicit deny in a resource-based policy".to_owned(),
            Decision::NoStatement if !is_own => {
                format!("because no resource-based policy allows the {action} action")
            }
            Decision::Allow | Decision::NoStatement => return Ok(()),
        };
        let arn = &bus.arn;
        let text = format!("User: {user} is not authorized to perform: {action} on resource: {arn} {why}");
        Err(CommonError::AccessDenied.with(text))
    }
}
