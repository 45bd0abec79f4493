//! The JSON Schema of records and choices, from the same declaration as their decoders.

use serde_json::{Map, Value, json};

use super::super::problem::Log;
use super::super::yaml;
use super::{Decode, Need};

/// A key of a record or a choice.
#[derive(Debug)]
pub(in crate::scenario) struct Key {
    pub(in crate::scenario) name: &'static str,
    /// Its doc comment.
    pub(in crate::scenario) about: &'static str,
    pub(in crate::scenario) need: Need,
    /// A value, as it is written in a scenario.
    pub(in crate::scenario) example: &'static str,
    pub(in crate::scenario) schema: fn() -> Value,
}

/// `T::schema` as a plain function, which a constant can hold.
pub(in crate::scenario) fn schema_of<T: Decode>() -> Value {
    T::schema()
}

pub(in crate::scenario) fn object_schema(about: &str, keys: &[Key]) -> Value {
    let properties: Map<_, _> = keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<_> = keys.iter().filter(|key| key.need == Need::Required).map(|key| key.name).collect();
    json!({
        "type": "object",
        "description": about.trim(),
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

pub(in crate::scenario) fn variants_schema(about: &str, keys: &[Key]) -> Value {
    let choices: Vec<_> = keys.iter().map(variant).collect();
    json!({ "description": about.trim(), "oneOf": choices })
}

fn variant(key: &Key) -> Value {
    json!({
        "type": "object",
        "title": key.name,
        "properties": { key.name: property(key) },
        "required": [key.name],
        "additionalProperties": false,
    })
}

fn property(key: &Key) -> Value {
    let mut schema = (key.schema)();
    if let Value::Object(schema) = &mut schema {
        // A key's own words say more than those of its type.
        if !key.about.is_empty() {
            schema.insert("description".into(), key.about.trim().into());
        }
        if let Need::Default(text) = key.need {
            schema.insert("default".into(), value_of(text));
        }
        schema.insert("examples".into(), json!([value_of(key.example)]));
    }
    schema
}

/// The value that a text of the language stands for.
fn value_of(text: &str) -> Value {
    yaml::compose(text, &mut Log::new("", text)).map_or(Value::Null, |node| node.to_json())
}
