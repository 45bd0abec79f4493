//! Permissions as AddPermission writes them into a resource's policy, and RemovePermission finds them.

use serde_json::{Value, json};

use crate::place::root_of;

/// The statement that lets accounts do something. `service` is what its actions begin with.
pub(crate) fn statement(
    label: &str,
    accounts: &[String],
    service: &str,
    actions: &[String],
    resource: &str,
) -> Value {
    json!({
        "Sid": label,
        "Effect": "Allow",
        "Principal": { "AWS": one_or_more(accounts.iter().map(|account| root_of(account)).collect()) },
        "Action": one_or_more(actions.iter().map(|action| format!("{service}:{action}")).collect()),
        "Resource": resource,
    })
}

/// A policy's statements as a list, also when there was only one or none.
pub(crate) fn statements(policy: &mut Value) -> &mut Vec<Value> {
    if !policy.is_object() {
        *policy = json!({});
    }
    let statement = &mut policy["Statement"];
    if !statement.is_array() {
        *statement = match statement.take() {
            Value::Null => json!([]),
            one => json!([one]),
        };
    }
    statement.as_array_mut().expect("it has just been made one")
}

/// A list of one is written as the one.
fn one_or_more(mut texts: Vec<String>) -> Value {
    match texts.len() {
        1 => texts.remove(0).into(),
        _ => texts.into(),
    }
}
