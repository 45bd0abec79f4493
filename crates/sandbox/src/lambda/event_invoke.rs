//! How asynchronous invocations of a function are tried again, and where their records go:
//! PutFunctionEventInvokeConfig and its siblings (semantics 5.6).

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::errors::{invalid, not_found, validation};
use super::function::Function;
use super::{FunctionId, OfFunction};
use crate::checks::Checks;
use crate::cloudwatch::epoch;
use crate::core::Core;
use crate::place::Place;

#[derive(Clone, Debug, Default)]
pub(super) struct EventInvoke {
    retries: Option<u32>,
    age: Option<u32>,
    pub(super) on_success: Option<String>,
    pub(super) on_failure: Option<String>,
    modified: StackTime,
}

impl EventInvoke {
    pub(super) fn retries(&self) -> u32 {
        self.retries.unwrap_or(2)
    }

    pub(super) fn age(&self) -> StackDuration {
        StackDuration::from_secs(self.age.unwrap_or(21_600).into())
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct EventInvokeInput {
    function_name: Option<String>,
    qualifier: Option<String>,
    maximum_retry_attempts: Option<i64>,
    maximum_event_age_in_seconds: Option<i64>,
    destination_config: Option<DestinationConfig>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct DestinationConfig {
    on_success: Destination,
    on_failure: Destination,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Destination {
    #[serde(skip_serializing_if = "Option::is_none")]
    destination: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct EventInvokeConfig {
    function_arn: String,
    last_modified: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum_retry_attempts: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum_event_age_in_seconds: Option<u32>,
    destination_config: DestinationConfig,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct EventInvokeConfigs {
    function_event_invoke_configs: Vec<EventInvokeConfig>,
}

impl Core {
    pub(crate) fn put_event_invoke(
        &mut self,
        now: StackTime,
        place: Place,
        input: EventInvokeInput,
    ) -> Result<EventInvokeConfig, ServiceError> {
        self.set_event_invoke(now, place, input, |_| Ok(EventInvoke::default()))
    }

    /// What is not given stays as it is.
    pub(crate) fn update_event_invoke(
        &mut self,
        now: StackTime,
        place: Place,
        input: EventInvokeInput,
    ) -> Result<EventInvokeConfig, ServiceError> {
        self.set_event_invoke(now, place, input, |function| {
            function.event_invoke.clone().ok_or_else(|| none_of(&function.latest_arn()))
        })
    }

    pub(crate) fn get_event_invoke(
        &self,
        place: Place,
        input: OfFunction,
    ) -> Result<EventInvokeConfig, ServiceError> {
        let named = self.named(place, input.function_name.as_deref(), input.qualifier.as_deref())?;
        let none = || none_of(&named.of_version());
        let id = self.found_or(place, &named, none)?;
        self.lambda.functions.get(id).and_then(EventInvokeConfig::of).ok_or_else(none)
    }

    pub(crate) fn delete_event_invoke(
        &mut self,
        place: Place,
        input: OfFunction,
    ) -> Result<(), ServiceError> {
        let named = self.named(place, input.function_name.as_deref(), input.qualifier.as_deref())?;
        let none = || none_of(&named.of_version());
        let id = self.found_or(place, &named, none)?;
        let function = self.lambda.functions.get_mut(id);
        function.and_then(|function| function.event_invoke.take()).map(drop).ok_or_else(none)
    }

    pub(crate) fn list_event_invokes(
        &self,
        place: Place,
        input: OfFunction,
    ) -> Result<EventInvokeConfigs, ServiceError> {
        let id = self.of_event_invoke(place, input.function_name.as_deref(), None)?;
        let config = self.lambda.functions.get(id).and_then(EventInvokeConfig::of);
        Ok(EventInvokeConfigs { function_event_invoke_configs: config.into_iter().collect() })
    }

    fn set_event_invoke(
        &mut self,
        now: StackTime,
        place: Place,
        input: EventInvokeInput,
        before: impl FnOnce(&Function) -> Result<EventInvoke, ServiceError>,
    ) -> Result<EventInvokeConfig, ServiceError> {
        let mut checks = Checks::default();
        checks.range("maximumRetryAttempts", input.maximum_retry_attempts, 0, 2);
        checks.range("maximumEventAgeInSeconds", input.maximum_event_age_in_seconds, 60, 21_600);
        checks.done(validation)?;
        if input.says_nothing() {
            return Err(invalid("You must specify at least one of error handling or destination setting."));
        }
        let id = self.of_event_invoke(place, input.function_name.as_deref(), input.qualifier.as_deref())?;
        let destinations = input.destination_config.clone();
        for arn in destinations.iter().flat_map(DestinationConfig::arns) {
            self.check_event_destination(place, id, arn)?;
        }
        let function = self.lambda.functions.get_mut(id).ok_or_else(no_such)?;
        let mut config = before(function)?;
        config.modified = now;
        let number = |value: Option<i64>| value.and_then(|value| u32::try_from(value).ok());
        config.retries = number(input.maximum_retry_attempts).or(config.retries);
        config.age = number(input.maximum_event_age_in_seconds).or(config.age);
        if let Some(destinations) = destinations {
            config.on_success = destinations.on_success.destination.filter(|arn| !arn.is_empty());
            config.on_failure = destinations.on_failure.destination.filter(|arn| !arn.is_empty());
        }
        function.event_invoke = Some(config);
        EventInvokeConfig::of(function).ok_or_else(no_such)
    }

    fn of_event_invoke(
        &self,
        place: Place,
        name: Option<&str>,
        qualifier: Option<&str>,
    ) -> Result<FunctionId, ServiceError> {
        let named = self.named(place, name, qualifier)?;
        self.found_or(place, &named, no_such)
    }

    /// Standard queues and topics, other functions and buses (semantics 5.6). Whether a queue or a
    /// topic is there shows when something is sent to it.
    fn check_event_destination(&self, place: Place, of: FunctionId, arn: &str) -> Result<(), ServiceError> {
        match arn.split(':').nth(2) {
            Some("sqs" | "sns") if arn.ends_with(".fifo") => Err(no_destination(arn)),
            Some("sqs" | "sns" | "events") => Ok(()),
            Some("lambda") => {
                let named = self.named(place, Some(arn), None).map_err(|_| no_destination(arn))?;
                match self.find_function(&named) {
                    None => Err(no_destination(arn)),
                    Some(id) if id == of => {
                        Err(invalid("You can't specify the function as a destination for itself."))
                    }
                    Some(_) => Ok(()),
                }
            }
            _ => Err(no_destination(arn)),
        }
    }
}

impl DestinationConfig {
    fn arns(&self) -> impl Iterator<Item = &str> {
        let both = [&self.on_success, &self.on_failure].into_iter();
        both.filter_map(|destination| destination.destination.as_deref()).filter(|arn| !arn.is_empty())
    }
}

impl EventInvokeInput {
    fn says_nothing(&self) -> bool {
        self.maximum_retry_attempts.is_none()
            && self.maximum_event_age_in_seconds.is_none()
            && self.destination_config.is_none()
    }
}

impl EventInvokeConfig {
    fn of(function: &Function) -> Option<Self> {
        let config = function.event_invoke.as_ref()?;
        let destination = |arn: &Option<String>| Destination { destination: arn.clone() };
        Some(Self {
            function_arn: function.latest_arn(),
            last_modified: epoch(config.modified),
            maximum_retry_attempts: config.retries,
            maximum_event_age_in_seconds: config.age,
            destination_config: DestinationConfig {
                on_success: destination(&config.on_success),
                on_failure: destination(&config.on_failure),
            },
        })
    }
}

fn none_of(arn: &str) -> ServiceError {
    not_found(format!("The function {arn} doesn't have an EventInvokeConfig"))
}

fn no_such() -> ServiceError {
    not_found("The function doesn't exist.")
}

fn no_destination(arn: &str) -> ServiceError {
    invalid(format!("The destination ARN {arn} is invalid."))
}
