//! What is made by calls of the shape of its properties. Most members have the same name there; this
//! is about the others.

use havoq_wire::Service;
use serde_json::{Map, Value, json};

use super::ApiCall;
use super::messaging::{attribute, policies, subscription};
use crate::aws::Directory;
use crate::scenario::{Made, MadeKind, resolve_fields};

/// The calls that make a resource, the one that tells its ARN first.
pub(in super::super) fn made(id: &str, made: &Made, names: &Directory) -> Vec<ApiCall> {
    let name = names.name_of(id);
    let mut members = resolve_fields(&made.properties, &|id| names.name_of(id));
    let one = |service, operation, input: Map<String, Value>| {
        vec![ApiCall { service, operation, input: Value::Object(input) }]
    };
    match made.kind {
        MadeKind::Bus => one(Service::EventBridge, "CreateEventBus", named("Name", name, members)),
        MadeKind::Rule => rule(name, members),
        MadeKind::Archive => {
            if let Some(source) = members.remove("SourceArn") {
                members.insert("EventSourceArn".to_owned(), source);
            }
            one(Service::EventBridge, "CreateArchive", named("ArchiveName", name, members))
        }
        MadeKind::Table => table(name, members),
        MadeKind::Schedule => {
            one(Service::Scheduler, "CreateSchedule", named("Name", name, with_role(members, true)))
        }
        MadeKind::Pipe => one(Service::Pipes, "CreatePipe", named("Name", name, with_role(members, false))),
        MadeKind::QueuePolicy => policies(&members, "Queues", |url, policy| ApiCall {
            service: Service::Sqs,
            operation: "SetQueueAttributes",
            input: json!({ "QueueUrl": url, "Attributes": { "Policy": policy } }),
        }),
        MadeKind::TopicPolicy => policies(&members, "Topics", |arn, policy| ApiCall {
            service: Service::Sns,
            operation: "SetTopicAttributes",
            input: json!({ "TopicArn": arn, "AttributeName": "Policy", "AttributeValue": attribute(policy) }),
        }),
        MadeKind::Subscription => vec![subscription(members)],
        MadeKind::Permission => one(Service::Lambda, "AddPermission", named("StatementId", id, members)),
        MadeKind::InvokeConfig => {
            // The API means this version where it is told none.
            if members.get("Qualifier").is_some_and(|qualifier| qualifier == "$LATEST") {
                members.shift_remove("Qualifier");
            }
            one(Service::Lambda, "PutFunctionEventInvokeConfig", members)
        }
    }
}

fn named(member: &str, name: &str, members: Map<String, Value>) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert(member.to_owned(), name.into());
    all.extend(members);
    all
}

/// Roles are asked for and not looked at: one stands for those that the template leaves out.
fn with_role(mut members: Map<String, Value>, in_target: bool) -> Map<String, Value> {
    let holder =
        if in_target { members.get_mut("Target").and_then(Value::as_object_mut) } else { Some(&mut members) };
    if let Some(holder) = holder
        && !holder.contains_key("RoleArn")
    {
        holder.insert("RoleArn".to_owned(), super::functions::role().into());
    }
    members
}

fn rule(name: &str, mut members: Map<String, Value>) -> Vec<ApiCall> {
    let targets = members.shift_remove("Targets");
    let bus = members.get("EventBusName").cloned();
    let put = Value::Object(named("Name", name, members));
    let mut calls = vec![ApiCall { service: Service::EventBridge, operation: "PutRule", input: put }];
    if let Some(Value::Array(targets)) = targets.filter(|targets| targets != &json!([])) {
        let mut input = json!({ "Rule": name, "Targets": targets });
        if let Some(bus) = bus {
            input["EventBusName"] = bus;
        }
        calls.push(ApiCall { service: Service::EventBridge, operation: "PutTargets", input });
    }
    calls
}

fn table(name: &str, mut members: Map<String, Value>) -> Vec<ApiCall> {
    let expiry = members.shift_remove("TimeToLiveSpecification");
    let create = Value::Object(named("TableName", name, members));
    let mut calls = vec![ApiCall { service: Service::DynamoDb, operation: "CreateTable", input: create }];
    if let Some(expiry) = expiry.filter(|expiry| expiry["Enabled"] == true) {
        let input = json!({ "TableName": name, "TimeToLiveSpecification": expiry });
        calls.push(ApiCall { service: Service::DynamoDb, operation: "UpdateTimeToLive", input });
    }
    calls
}
