//! Lambda functions. Their code is a command that the scenario tells, so they are made with none.

use havoq_wire::Service;
use serde_json::{Value, json};

use super::ApiCall;
use crate::aws::{ACCOUNT, Directory};
use crate::scenario::Function;

/// Where their code is said to be: CreateFunction wants some place, and who calls a function that no
/// consumer runs is told that it is not fetched from there.
const BUCKET: &str = "template";

/// What a template may leave out, and the API may not: that of a function in a container image.
const HANDLER: &str = "bootstrap";
const RUNTIME: &str = "provided.al2023";

pub(in super::super) fn function(name: &str, function: &Function, names: &Directory) -> Vec<ApiCall> {
    let text = |id| names.name_of(id);
    let variables = function.environment.iter();
    let variables: serde_json::Map<String, Value> =
        variables.map(|(name, value)| (name.clone(), value.resolve(text).into())).collect();
    let mut input = json!({
        "FunctionName": name,
        "Role": role(),
        "Code": { "S3Bucket": BUCKET, "S3Key": name },
        "Handler": function.handler.as_deref().unwrap_or(HANDLER),
        "Runtime": function.runtime.as_deref().unwrap_or(RUNTIME),
        "Timeout": function.timeout.as_secs(),
        "MemorySize": function.memory,
        "Environment": { "Variables": variables },
    });
    if let Some(arn) = &function.dead_letters {
        input["DeadLetterConfig"] = json!({ "TargetArn": arn.resolve(text) });
    }
    let mut calls = vec![ApiCall { service: Service::Lambda, operation: "CreateFunction", input }];
    if let Some(count) = function.reserved_concurrency {
        let input = json!({ "FunctionName": name, "ReservedConcurrentExecutions": count });
        calls.push(ApiCall { service: Service::Lambda, operation: "PutFunctionConcurrency", input });
    }
    calls
}

/// The role of whatever needs one: roles are not made, and not looked at.
pub(super) fn role() -> String {
    format!("arn:aws:iam::{ACCOUNT}:role/havoq")
}
