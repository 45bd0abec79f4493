//! What stands at a leaf of a document.

use serde_json::Value;

use super::language::Precision;
use super::number::Number;

/// A value that operators can look at. Objects and arrays are walked, not looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scalar<'a> {
    Null,
    Bool(bool),
    Number(Number),
    /// A number that cannot be compared: it is only the same as itself.
    Digits(&'a serde_json::Number),
    Text(&'a str),
}

impl<'a> Scalar<'a> {
    pub(crate) fn of(value: &'a Value, precision: Precision) -> Option<Self> {
        match value {
            Value::Null => Some(Self::Null),
            Value::Bool(bool) => Some(Self::Bool(*bool)),
            Value::Number(number) => {
                Some(Number::of(number, precision).map_or(Self::Digits(number), Self::Number))
            }
            Value::String(text) => Some(Self::Text(text)),
            Value::Array(_) | Value::Object(_) => None,
        }
    }
}
