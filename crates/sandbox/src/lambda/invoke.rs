//! Invoke: synchronous, asynchronous, and dry (semantics 5.5, 5.6).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use havoq_base::StackTime;
use havoq_lambda::{LATEST, Returned};
use havoq_wire::{LambdaError, ServiceError};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::asynchronous::NewEvent;
use super::errors::{no_function, validation};
use super::running::{Call, Origin};
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Invoke {
    function_name: Option<String>,
    qualifier: Option<String>,
    invocation_type: Option<String>,
    /// JSON in base64.
    client_context: Option<String>,
    /// In base64. Over HTTP it is the body, and never comes this way.
    payload: Option<String>,
}

/// What a call comes to.
#[derive(Debug)]
pub(crate) enum Invoked {
    /// Nothing is to be waited for.
    Done(InvokeAnswer),
    /// The answer comes when the invocation ends.
    Begun { ended: oneshot::Receiver<Returned> },
}

/// The answer beside its payload.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct InvokeAnswer {
    status_code: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_error: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    executed_version: Option<&'static str>,
    /// In base64, where it is not the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<String>,
}

/// The largest payloads: of a synchronous call and of an event.
const LARGEST_REQUEST: usize = 6 * 1_024 * 1_024;
const LARGEST_EVENT: usize = 1_024 * 1_024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    RequestResponse,
    Event,
    DryRun,
}

impl Core {
    /// `request_id` is the call's own: an invocation goes by it.
    pub(crate) fn invoke(
        &mut self,
        now: StackTime,
        place: Place,
        input: Invoke,
        payload: Bytes,
        trace_id: Option<String>,
        request_id: &str,
    ) -> Result<Invoked, ServiceError> {
        let kind = input.kind()?;
        let named = self.named(place, input.function_name.as_deref(), input.qualifier.as_deref())?;
        let id = self.find_function(&named).ok_or_else(|| no_function(named.of_version()))?;
        self.authorize_invoke(place, id)?;
        check_size(&payload, if kind == Kind::Event { LARGEST_EVENT } else { LARGEST_REQUEST })?;
        let payload = checked_payload(payload)?;
        let call = Call {
            request_id: request_id.to_owned(),
            invoked_arn: named.qualified(),
            payload,
            trace_id,
            client_context: input.client_context(),
            messages: Vec::new(),
        };
        match kind {
            Kind::DryRun => Ok(Invoked::Done(InvokeAnswer::accepted(204))),
            Kind::Event => {
                self.accept_event(now, NewEvent { function: id, call });
                Ok(Invoked::Done(InvokeAnswer::accepted(202)))
            }
            Kind::RequestResponse => {
                let (caller, ended) = oneshot::channel();
                let begun = self.begin_invocation(now, id, call, Origin::Caller(caller));
                begun.map_err(|_| {
                    LambdaError::TooManyRequestsException
                        .with("Rate Exceeded.")
                        .detail("Reason", "ReservedFunctionConcurrentInvocationLimitExceeded")
                })?;
                Ok(Invoked::Begun { ended })
            }
        }
    }
}

impl Invoke {
    fn kind(&self) -> Result<Kind, ServiceError> {
        let kind = |text: &str| match text {
            "RequestResponse" => Some(Kind::RequestResponse),
            "Event" => Some(Kind::Event),
            "DryRun" => Some(Kind::DryRun),
            _ => None,
        };
        let mut checks = Checks::default();
        let all = ["Event", "RequestResponse", "DryRun"];
        let found = checks.one_of("invocationType", self.invocation_type.as_deref(), &all, kind);
        checks.done(validation)?;
        Ok(found.unwrap_or(Kind::RequestResponse))
    }

    /// The JSON, which the runtime is told as it is.
    fn client_context(&self) -> Option<String> {
        String::from_utf8(STANDARD.decode(self.client_context.as_ref()?).ok()?).ok()
    }

    /// The payload of a call without HTTP.
    pub(crate) fn payload(&self) -> Result<Bytes, ServiceError> {
        let decoded = STANDARD.decode(self.payload.as_deref().unwrap_or_default());
        let malformed = |error| {
            LambdaError::InvalidRequestContentException.with(format!("the payload is not base64: {error}"))
        };
        decoded.map(Bytes::from).map_err(malformed)
    }
}

impl InvokeAnswer {
    fn accepted(status_code: u16) -> Self {
        Self { status_code, function_error: None, executed_version: None, payload: None }
    }

    /// The answer to a synchronous call, whose status says nothing of how the function fared.
    pub(crate) fn of(returned: &Returned) -> Self {
        Self {
            status_code: 200,
            function_error: returned.function_error(),
            executed_version: Some(LATEST),
            payload: None,
        }
    }

    /// With a payload, for a call without HTTP.
    pub(crate) fn with_payload(self, payload: &[u8]) -> Self {
        Self { payload: Some(STANDARD.encode(payload)), ..self }
    }
}

fn check_size(payload: &Bytes, limit: usize) -> Result<(), ServiceError> {
    if payload.len() > limit {
        return Err(LambdaError::RequestTooLargeException
            .with(format!("Request must be smaller than {limit} bytes for the InvokeFunction operation")));
    }
    Ok(())
}

/// An empty payload is an empty object.
fn checked_payload(payload: Bytes) -> Result<Bytes, ServiceError> {
    if payload.is_empty() {
        return Ok(Bytes::from_static(b"{}"));
    }
    match serde_json::from_slice::<serde::de::IgnoredAny>(&payload) {
        Ok(_) => Ok(payload),
        Err(error) => Err(LambdaError::InvalidRequestContentException
            .with(format!("Could not parse request body into json: {error}"))),
    }
}
