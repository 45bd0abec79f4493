//! Message attributes as a document that rules can match.

use serde_json::{Map, Number, Value};

/// The value of a message attribute, by the type that it was published with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeValue<'a> {
    String(&'a str),
    /// `String.Array`: a JSON array of strings, numbers, booleans and nulls, as text.
    StringArray(&'a str),
    Number(&'a str),
    /// Filters do not see it.
    Binary,
}

/// An attribute that cannot be read as what its type says.
pub(super) struct Unreadable;

/// Makes the attribute a member of the document, if filters see it.
pub(super) fn insert(
    document: &mut Map<String, Value>,
    name: &str,
    value: AttributeValue<'_>,
) -> Result<(), Unreadable> {
    let value = match value {
        AttributeValue::Binary => return Ok(()),
        AttributeValue::String(text) => Value::String(text.to_owned()),
        AttributeValue::Number(text) => Value::Number(number(text)?),
        AttributeValue::StringArray(text) => array(text)?,
    };
    document.insert(name.to_owned(), value);
    Ok(())
}

fn number(text: &str) -> Result<Number, Unreadable> {
    text.parse().ok().and_then(Number::from_f64).ok_or(Unreadable)
}

fn array(text: &str) -> Result<Value, Unreadable> {
    match serde_json::from_str(text) {
        Ok(Value::Array(elements)) if elements.iter().all(is_scalar) => Ok(Value::Array(elements)),
        _ => Err(Unreadable),
    }
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}
