//! Tests of Lambda (semantics 5), with functions whose answers a test gives by hand.

mod asynchronous;
mod functions;
mod invoking;
mod mapping_api;
mod mappings;
mod metrics;
mod over_http;
mod permissions;
mod services;

use bytes::Bytes;
use havoq_lambda::{Invocation, Returned};
use havoq_wire::ServiceError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::{World, value};
use crate::core::Core;
use crate::lambda::{InvokeAnswer, Invoked, Order, RunId};
use crate::place::Place;
use crate::sqs::parse;

pub(super) const ROLE: &str = "arn:aws:iam::123456789012:role/r";

/// The smallest archive: no file in it.
pub(super) const ZIP: &str = "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==";

pub(super) fn function_arn(name: &str) -> String {
    format!("arn:aws:lambda:eu-central-1:123456789012:function:{name}")
}

/// An invocation that a test has to end.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) id: RunId,
    pub(super) invocation: Invocation,
}

impl Started {
    pub(super) fn event(&self) -> Value {
        serde_json::from_slice(&self.invocation.payload).expect("JSON")
    }

    /// The ids of the messages of an SQS event.
    pub(super) fn message_ids(&self) -> Vec<String> {
        let records = self.event()["Records"].as_array().cloned().expect("records");
        records.iter().map(|record| super::text(&record["messageId"])).collect()
    }
}

pub(super) fn answer(value: Value) -> Returned {
    Returned::Response(Bytes::from(value.to_string()))
}

pub(super) fn raised() -> Returned {
    let payload = json!({ "errorType": "ValueError", "errorMessage": "no" });
    Returned::FunctionError { error_type: None, payload: Bytes::from(payload.to_string()) }
}

impl World {
    /// Does an operation of Lambda as a client of HOME calls it.
    pub(super) fn lambda(&mut self, operation: &str, members: Value) -> Result<Value, ServiceError> {
        fn run<I: DeserializeOwned, O: serde::Serialize>(
            world: &mut World,
            members: Value,
            operation: impl FnOnce(&mut Core, I) -> Result<O, ServiceError>,
        ) -> Result<Value, ServiceError> {
            let input = parse(members)?;
            world.operate(|core, _| operation(core, input)).map(value)
        }
        let (here, now) = (Place::HOME, self.now);
        let all = members.clone();
        match operation {
            "CreateFunction" => {
                let settings = parse(all)?;
                run(self, members, |core, input| core.create_function(now, here, input, settings))
            }
            "GetFunction" => run(self, members, |core, input| core.get_function(here, input)),
            "GetFunctionConfiguration" => {
                run(self, members, |core, input| core.get_function_configuration(here, input))
            }
            "ListFunctions" => run(self, members, |core, input| core.list_functions(here, input)),
            "UpdateFunctionCode" => {
                let code = parse(all)?;
                run(self, members, |core, input| core.update_function_code(now, here, input, code))
            }
            "UpdateFunctionConfiguration" => {
                let settings = parse(all)?;
                run(self, members, |core, input| {
                    core.update_function_configuration(now, here, input, settings)
                })
            }
            "DeleteFunction" => run(self, members, |core, input| core.delete_function(here, input)),
            "TagResource" => run(self, members, |core, input| core.tag_function(here, input)),
            "UntagResource" => run(self, members, |core, input| core.untag_function(here, input)),
            "ListTags" => run(self, members, |core, input| core.list_function_tags(here, input)),
            "AddPermission" => run(self, members, |core, input| core.add_function_permission(here, input)),
            "RemovePermission" => {
                run(self, members, |core, input| core.remove_function_permission(here, input))
            }
            "GetPolicy" => run(self, members, |core, input| core.get_function_policy(here, input)),
            "PutFunctionConcurrency" => {
                run(self, members, |core, input| core.put_function_concurrency(here, input))
            }
            "GetFunctionConcurrency" => {
                run(self, members, |core, input| core.get_function_concurrency(here, input))
            }
            "DeleteFunctionConcurrency" => {
                run(self, members, |core, input| core.delete_function_concurrency(here, input))
            }
            "PutFunctionEventInvokeConfig" => {
                run(self, members, |core, input| core.put_event_invoke(now, here, input))
            }
            "UpdateFunctionEventInvokeConfig" => {
                run(self, members, |core, input| core.update_event_invoke(now, here, input))
            }
            "GetFunctionEventInvokeConfig" => {
                run(self, members, |core, input| core.get_event_invoke(here, input))
            }
            "DeleteFunctionEventInvokeConfig" => {
                run(self, members, |core, input| core.delete_event_invoke(here, input))
            }
            "ListFunctionEventInvokeConfigs" => {
                run(self, members, |core, input| core.list_event_invokes(here, input))
            }
            "CreateEventSourceMapping" => {
                run(self, members, |core, input| core.create_mapping(now, here, input))
            }
            "UpdateEventSourceMapping" => {
                let of = parse(all)?;
                run(self, members, |core, input| core.update_mapping(now, here, of, input))
            }
            "DeleteEventSourceMapping" => run(self, members, |core, of| core.delete_mapping(now, here, of)),
            "GetEventSourceMapping" => run(self, members, |core, of| core.get_mapping(here, of)),
            "ListEventSourceMappings" => run(self, members, |core, input| core.list_mappings(here, input)),
            other => panic!("{other} is not in this list"),
        }
    }

    pub(super) fn lambda_ok(&mut self, operation: &str, members: Value) -> Value {
        self.lambda(operation, members).unwrap_or_else(|error| panic!("{operation}: {error}"))
    }

    /// The text of the error that an operation must give, after its code.
    pub(super) fn lambda_error(&mut self, operation: &str, members: Value) -> String {
        let error = self.lambda(operation, members).expect_err("it is refused");
        format!("{}: {}", error.shape_name(), error.message)
    }

    /// Creates a function that may run so many seconds.
    pub(super) fn function(&mut self, name: &str, timeout: u64) {
        let members = json!({
            "FunctionName": name, "Role": ROLE, "Runtime": "python3.13", "Handler": "h.h", "Timeout": timeout,
            "Code": { "ZipFile": ZIP },
        });
        self.lambda_ok("CreateFunction", members);
    }

    /// Maps a queue to a function and gives the mapping's UUID.
    pub(super) fn map(&mut self, queue: &str, function: &str, more: Value) -> String {
        let mut members = json!({ "EventSourceArn": super::arn(queue), "FunctionName": function });
        for (name, value) in more.as_object().into_iter().flatten() {
            members[name] = value.clone();
        }
        super::text(&self.lambda_ok("CreateEventSourceMapping", members)["UUID"])
    }

    /// Invokes a function as a client does.
    pub(super) fn invoke(&mut self, members: Value, payload: &str) -> Result<Invoked, ServiceError> {
        let input = parse(members)?;
        let payload = Bytes::from(payload.to_owned());
        self.operate(|core, now| core.invoke(now, Place::HOME, input, payload, None, "request-1"))
    }

    pub(super) fn call(&mut self, function: &str) -> oneshot::Receiver<Returned> {
        match self.invoke(json!({ "FunctionName": function }), "{}") {
            Ok(Invoked::Begun { ended }) => ended,
            other => panic!("{other:?}"),
        }
    }

    /// Hands an event over, for an asynchronous invocation, and lets it be tried.
    pub(super) fn event(&mut self, function: &str, payload: &str) {
        let members = json!({ "FunctionName": function, "InvocationType": "Event" });
        let Ok(Invoked::Done(answer)) = self.invoke(members, payload) else { panic!("it is accepted") };
        assert_eq!(status(&answer), 202);
        self.pass(0);
    }

    /// The invocations that began since the last call.
    pub(super) fn started(&mut self) -> Vec<Started> {
        let orders = self.core.take_orders().into_iter();
        let runs = orders.filter_map(|order| match order {
            Order::Run(id, invocation) => Some(Started { id, invocation }),
            Order::Abort(_) => None,
        });
        runs.collect()
    }

    /// The one invocation that must have begun.
    pub(super) fn started_one(&mut self) -> Started {
        let mut started = self.started();
        assert_eq!(started.len(), 1, "one invocation");
        started.remove(0)
    }

    pub(super) fn end(&mut self, started: &Started, returned: Returned) {
        self.operate(|core, now| core.invocation_ended(now, started.id, returned));
    }

    /// Lets the next invocation that has begun return this.
    pub(super) fn end_next(&mut self, returned: Returned) -> Started {
        let started = self.started_one();
        self.end(&started, returned);
        started
    }
}

pub(super) fn status(answer: &InvokeAnswer) -> u64 {
    value(answer)["StatusCode"].as_u64().expect("a number")
}
