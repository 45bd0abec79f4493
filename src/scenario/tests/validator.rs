//! As much of JSON Schema 2020-12 as `json_schema` uses.

use serde_json::Value;

/// Whether a value fits a schema.
pub(super) fn valid(value: &Value, schema: &Value) -> bool {
    let Value::Object(keywords) = schema else { return schema == &Value::Bool(true) };
    keywords.iter().all(|(keyword, argument)| holds(value, keyword, argument, schema))
}

fn holds(value: &Value, keyword: &str, argument: &Value, schema: &Value) -> bool {
    let number = |limit: &Value| value.as_f64().zip(limit.as_f64());
    let size = value.as_object().map(|object| object.len() as u64);
    match keyword {
        "$schema" | "title" | "description" | "default" | "examples" => true,
        "type" => match argument {
            Value::Array(types) => types.iter().any(|of_type| is(value, of_type)),
            of_type => is(value, of_type),
        },
        "enum" => list(argument).contains(value),
        "pattern" => value.as_str().is_none_or(|text| matches(text, argument)),
        "minimum" => number(argument).is_none_or(|(value, limit)| value >= limit),
        "maximum" => number(argument).is_none_or(|(value, limit)| value <= limit),
        "minItems" => {
            value.as_array().is_none_or(|items| items.len() as u64 >= argument.as_u64().expect("a number"))
        }
        "exclusiveMinimum" => {
            value.as_f64().is_none_or(|number| number > argument.as_f64().expect("a number"))
        }
        "minProperties" => size.is_none_or(|size| size >= argument.as_u64().expect("a number")),
        "maxProperties" => size.is_none_or(|size| size <= argument.as_u64().expect("a number")),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| valid(item, argument))),
        "required" => value.as_object().is_none_or(|object| {
            list(argument).iter().all(|key| object.contains_key(key.as_str().expect("a key")))
        }),
        "properties" => value.as_object().is_none_or(|object| {
            object.iter().all(|(key, value)| argument.get(key).is_none_or(|schema| valid(value, schema)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|object| {
            let known = |key: &String| schema.get("properties").is_some_and(|known| known.get(key).is_some());
            object.iter().filter(|(key, _)| !known(key)).all(|(_, value)| valid(value, argument))
        }),
        "propertyNames" => value
            .as_object()
            .is_none_or(|object| object.keys().all(|key| valid(&Value::String(key.clone()), argument))),
        "anyOf" => list(argument).iter().any(|schema| valid(value, schema)),
        "oneOf" => list(argument).iter().filter(|schema| valid(value, schema)).count() == 1,
        "not" => !valid(value, argument),
        other => panic!("the keyword {other} is unknown to this test"),
    }
}

fn is(value: &Value, of_type: &Value) -> bool {
    match of_type.as_str().expect("a type") {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type {other} is unknown to this test"),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).expect("a list")
}

fn matches(text: &str, pattern: &Value) -> bool {
    regex_lite::Regex::new(pattern.as_str().expect("a pattern")).expect("a valid pattern").is_match(text)
}
