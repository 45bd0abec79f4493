//! Topics, subscriptions and policies: SNS takes attributes as texts.

use havoq_wire::Service;
use serde_json::{Map, Value, json};

use super::ApiCall;
use crate::aws::Directory;
use crate::scenario::{Topic, resolve_fields};

pub(in super::super) fn topic(name: &str, topic: &Topic, names: &Directory) -> ApiCall {
    let attributes = texts(resolve_fields(&topic.attributes, &|id| names.name_of(id)));
    let input = json!({ "Name": name, "Attributes": attributes });
    ApiCall { service: Service::Sns, operation: "CreateTopic", input }
}

pub(super) fn subscription(mut members: Map<String, Value>) -> ApiCall {
    let mut input = Map::new();
    for member in ["TopicArn", "Protocol", "Endpoint"] {
        input.extend(members.shift_remove_entry(member));
    }
    input.insert("Attributes".to_owned(), Value::Object(texts(members)));
    ApiCall { service: Service::Sns, operation: "Subscribe", input: Value::Object(input) }
}

/// One call for each of the resources that a policy is for.
pub(super) fn policies(
    members: &Map<String, Value>,
    of: &str,
    call: impl Fn(&Value, &Value) -> ApiCall,
) -> Vec<ApiCall> {
    let policy = members.get("PolicyDocument").unwrap_or(&Value::Null);
    let resources = members.get(of).and_then(Value::as_array);
    resources.into_iter().flatten().map(|resource| call(resource, policy)).collect()
}

fn texts(members: Map<String, Value>) -> Map<String, Value> {
    members.into_iter().map(|(name, value)| (name, attribute(&value))).collect()
}

/// A value as the text of an attribute.
pub(super) fn attribute(value: &Value) -> Value {
    match value {
        Value::String(_) => value.clone(),
        other => Value::String(other.to_string()),
    }
}
