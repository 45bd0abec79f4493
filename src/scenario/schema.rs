//! The JSON Schema of scenario files, for editors.

use serde_json::{Value, json};

use super::decode::Decode;
use super::raw::ScenarioRaw;

/// JSON Schema 2020-12 of a scenario file, made from the declarations that the loader reads by.
pub fn json_schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "havoq scenario",
    });
    if let (Value::Object(schema), Value::Object(body)) = (&mut schema, ScenarioRaw::schema()) {
        schema.extend(body);
    }
    schema
}
