//! Universal targets, `arn:aws:scheduler:::aws-sdk:<service>:<apiAction>`: any operation of any
//! service, with the request as the input. The sandbox has sqs:sendMessage and sns:publish.

use havoq_wire::ServiceError;
use serde::Deserialize;

use super::call::Call;
use super::errors::validation;
use super::target::TargetInput;
use crate::apart::{Apart, Member};
use crate::sqs::SendMessage;
use crate::unbuilt::not_implemented;

const PREFIX: &str = "arn:aws:scheduler:::aws-sdk:";

/// The service and the action of a universal target.
pub(super) struct Api {
    service: String,
    action: String,
}

pub(super) fn api(arn: &str) -> Option<Api> {
    let (service, action) = arn.strip_prefix(PREFIX)?.split_once(':')?;
    Some(Api { service: service.to_owned(), action: action.to_owned() })
}

/// The ARN by which dead letters name what was called.
pub(super) fn arn(service: &str, action: &str) -> String {
    format!("{PREFIX}{service}:{action}")
}

/// The input is not looked at before it is used (semantics 3.8).
pub(super) fn checked(api: &Api, given: &TargetInput) -> Result<Call, ServiceError> {
    let Api { service, action } = api;
    if ["get", "describe", "list"].iter().any(|start| action.starts_with(start)) {
        return Err(validation(format!("{action} API is not supported.")));
    }
    if given.input.is_none() {
        return Err(validation("You must provide an input to set this target for your schedule."));
    }
    match (service.as_str(), action.as_str()) {
        ("sqs", "sendMessage") => Ok(Call::SendMessage),
        ("sns", "publish") => Ok(Call::Publish),
        _ => Err(not_implemented(format_args!("the universal target {service}:{action}"))),
    }
}

/// The request of sqs:sendMessage: the message, and the queue apart from it.
pub(super) type SendMessageRequest = Apart<QueueUrl, SendMessage>;

#[derive(Debug)]
pub(super) struct QueueUrl;

impl Member for QueueUrl {
    const NAME: &'static str = "QueueUrl";
    type Value = Option<String>;
}

/// Reads a request out of an input.
pub(super) fn request<'de, T: Deserialize<'de>>(input: &'de str) -> Result<T, String> {
    serde_json::from_str(input).map_err(|error| error.to_string())
}
