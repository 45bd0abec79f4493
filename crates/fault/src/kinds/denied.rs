//! Access denied.

use std::sync::Arc;

use havoq_wire::{Call, CommonError, Request, Service, ServiceError};

use crate::kind::{Aim, Kind, OnRequest, Stage};
use crate::messages::refused;
use crate::param::KindDef;

pub(super) const KIND: KindDef = KindDef {
    name: "denied",
    about: "The call is not done: the caller is not allowed to make it. SDKs do not try again.",
    params: &[],
    build: |_| Ok(Arc::new(Denied)),
};

#[derive(Debug)]
struct Denied;

impl Kind for Denied {
    fn stage(&self) -> Stage {
        Stage::Request
    }

    fn starves(&self) -> bool {
        true
    }

    fn on_request(&self, call: &Call, _: Request, _: &Aim) -> OnRequest {
        let service = call.head.service;
        let action = format!("{}:{}", action_prefix(service), call.head.operation);
        let message = format!("User is not authorized to perform: {action}");
        // SNS has an error of its own for it.
        let known = ServiceError::of(service, "AuthorizationErrorException", message.clone());
        OnRequest::Answer(refused(call, &known.unwrap_or_else(|| CommonError::AccessDenied.with(message))))
    }
}

/// As policies name the service's actions.
fn action_prefix(service: Service) -> String {
    match service {
        Service::EventBridge => "events".to_owned(),
        other => other.name().to_lowercase(),
    }
}
