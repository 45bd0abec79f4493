//! Throttling, in the words of each service.

use std::sync::Arc;

use havoq_wire::{Call, Request, Service, ServiceError};

use crate::kind::{Aim, Kind, OnRequest, Stage};
use crate::messages::refused;
use crate::param::KindDef;

pub(super) const KIND: KindDef = KindDef {
    name: "throttle",
    about: "The call is not done, and is answered as the service answers who calls too often.",
    params: &[],
    build: |_| Ok(Arc::new(Throttle)),
};

#[derive(Debug)]
struct Throttle;

impl Kind for Throttle {
    fn stage(&self) -> Stage {
        Stage::Request
    }

    fn starves(&self) -> bool {
        true
    }

    fn on_request(&self, call: &Call, _: Request, _: &Aim) -> OnRequest {
        let code = code_of(call.head.service);
        let known = ServiceError::of(call.head.service, code, "Rate exceeded");
        let error = known
            .unwrap_or_else(|| ServiceError::unknown(code, http::StatusCode::BAD_REQUEST, "Rate exceeded"));
        OnRequest::Answer(refused(call, &error))
    }
}

/// What each service's model calls it; those whose model has nothing answer as all do.
fn code_of(service: Service) -> &'static str {
    match service {
        Service::Sqs => "RequestThrottled",
        Service::Sns => "ThrottledException",
        Service::Lambda => "TooManyRequestsException",
        Service::DynamoDb => "ProvisionedThroughputExceededException",
        Service::CloudWatch | Service::Sts => "Throttling",
        Service::EventBridge | Service::Scheduler | Service::Pipes => "ThrottlingException",
    }
}
