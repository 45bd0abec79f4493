//! EventBridge's error texts that more than one operation uses.

use havoq_wire::{CommonError, EventBridgeError, ServiceError};

use super::names::BusKey;

pub(super) fn validation(message: impl Into<String>) -> ServiceError {
    CommonError::ValidationError.with(message)
}

pub(super) fn no_bus(name: &str) -> ServiceError {
    EventBridgeError::ResourceNotFoundException.with(format!("Event bus {name} does not exist."))
}

pub(super) fn no_rule(bus: &BusKey, rule: &str) -> ServiceError {
    let text = format!("Rule {rule} does not exist on EventBus {}.", bus.name);
    EventBridgeError::ResourceNotFoundException.with(text)
}

pub(super) fn over_limit() -> ServiceError {
    let text = "The requested resource exceeds the maximum number allowed.";
    EventBridgeError::LimitExceededException.with(text)
}
