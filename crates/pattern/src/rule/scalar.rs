//! What stands at a leaf of a document.

use serde_json::Value;

use super::number::Number;

/// A value that operators can look at. Objects and arrays are walked, not looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scalar<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Text(&'a str),
}

impl<'a> Scalar<'a> {
    pub(crate) fn of(value: &'a Value) -> Option<Self> {
        match value {
            Value::Null => Some(Self::Null),
            Value::Bool(bool) => Some(Self::Bool(*bool)),
            Value::Number(number) => Number::of(number).map(Self::Number),
            Value::String(text) => Some(Self::Text(text)),
            Value::Array(_) | Value::Object(_) => None,
        }
    }
}
