//! An error answer of any code.

use std::sync::Arc;

use havoq_wire::{Call, Request, ServiceError};
use http::StatusCode;

use crate::kind::{Aim, Kind, OnRequest, Stage};
use crate::messages::refused;
use crate::param::{KindDef, Param, Shape};

pub(crate) const KIND: KindDef = KindDef {
    name: "error",
    about: "The call is not done, and is answered with an error, in the exact form of its protocol.",
    params: &[
        Param::required(
            "code",
            Shape::Text,
            "InternalFailure",
            "The error's name, as the API or an SDK knows it.",
        ),
        Param::optional("message", Shape::Text, "try again", "What it says."),
        Param::optional(
            "status",
            Shape::Whole,
            "500",
            "The HTTP status; that of the service's model when absent, 400 where that has none.",
        ),
    ],
    build: |values| {
        let status = values.whole("status").map(|status| u16::try_from(status).unwrap_or(u16::MAX));
        let code = values.text("code").unwrap_or_default().to_owned();
        Ok(Arc::new(Error::new(code, status, values.text("message").map(str::to_owned))?))
    },
};

#[derive(Clone, Debug)]
struct Error {
    code: String,
    status: Option<StatusCode>,
    message: String,
}

impl Error {
    fn new(code: String, status: Option<u16>, message: Option<String>) -> Result<Self, String> {
        let usable =
            code.chars().all(|c| c.is_ascii_alphanumeric() || ".:_-".contains(c)) && !code.is_empty();
        if !usable {
            return Err(format!("`{code}` is not the name of an error"));
        }
        let status = status.map(|status| match StatusCode::from_u16(status) {
            Ok(known) if known.is_client_error() || known.is_server_error() => Ok(known),
            _ => Err(format!("{status} is not the status of an error, which is from 400 to 599")),
        });
        let message = message.unwrap_or_else(|| "a fault of the test harness".to_owned());
        Ok(Self { code, status: status.transpose()?, message })
    }

    fn of(&self, call: &Call) -> ServiceError {
        let known = ServiceError::of(call.head.service, &self.code, self.message.clone());
        let mut error = known.unwrap_or_else(|| {
            ServiceError::unknown(&self.code, StatusCode::BAD_REQUEST, self.message.clone())
        });
        if let Some(status) = self.status {
            error.status = status;
            error.sender = status.is_client_error();
        }
        error
    }
}

impl Kind for Error {
    fn stage(&self) -> Stage {
        Stage::Request
    }

    fn starves(&self) -> bool {
        true
    }

    fn on_request(&self, call: &Call, _: Request, _: &Aim) -> OnRequest {
        OnRequest::Answer(refused(call, &self.of(call)))
    }
}
