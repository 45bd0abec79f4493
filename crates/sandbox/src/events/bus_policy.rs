//! The policy of a bus: who of other accounts may do what with it. Its own account may do everything
//! that no statement denies.

use havoq_pattern::{Decision, Policy};
use havoq_wire::{CommonError, EventBridgeError, ServiceError};
use serde_json::Value;

use super::bus::Bus;
use super::errors::validation;
use super::names::BusKey;
use crate::acting::Acting;
use crate::core::Core;
use crate::place::{Place, account_of, root_of};
use crate::targets::{ErrorCode, TargetError};

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
}

impl Core {
    /// The bus of this ARN, if it is there and lets somebody put events onto it.
    pub(super) fn bus_for(&mut self, bus_arn: &str, acting: Acting<'_>) -> Result<BusKey, TargetError> {
        let missing = || ErrorCode::NoResource.with("the event bus does not exist");
        let key = BusKey::of_arn(&self.places, bus_arn).ok_or_else(missing)?;
        if key.is_default() {
            self.keep_default_bus(key.place);
        }
        let bus = self.events.bus(&key).map_err(|_| missing())?;
        if !acting.may(bus.policy.as_ref().map(|policy| &policy.parsed), "events:PutEvents", bus_arn) {
            return Err(ErrorCode::NoPermissions.with("the event bus's policy does not allow it"));
        }
        Ok(key)
    }

    /// Whether somebody at `caller` may do something with a bus.
    pub(super) fn let_on_bus(
        &self,
        caller: Place,
        bus: &Bus,
        operation: Operation,
    ) -> Result<(), ServiceError> {
        let account = &*self.places.name(caller).account;
        let is_own = account == account_of(&bus.arn);
        if is_own && bus.policy.is_none() {
            return Ok(());
        }
        let user = root_of(account);
        let action = format!("events:{}", operation.0);
        let decide =
            |policy: &BusPolicy| Acting::Role { arn: &user }.decide(&policy.parsed, &action, &bus.arn);
        let decision = bus.policy.as_ref().map_or(Decision::NoStatement, decide);
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
