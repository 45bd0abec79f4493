//! Scalars as text, which is how forms, XML, addresses and headers have them.

use serde_json::Value;

use super::mismatch::Mismatch;
use super::types::Shape;
use crate::values;

impl Shape {
    /// The value that a text stands for.
    pub(crate) fn of_text(&self, text: &str) -> Result<Value, Mismatch> {
        let value = match self {
            Self::Integer => text.parse::<i64>().ok().map(Value::from),
            Self::Double => text.parse().ok().map(values::double),
            Self::Boolean if text.eq_ignore_ascii_case("true") => Some(Value::Bool(true)),
            Self::Boolean if text.eq_ignore_ascii_case("false") => Some(Value::Bool(false)),
            Self::Boolean => None,
            Self::Timestamp => values::seconds_of(text),
            _ => Some(Value::from(text)),
        };
        value.ok_or_else(|| Mismatch::new(format!("{text:?} is not of the type {}", self.name())))
    }

    /// The text of a value.
    pub(crate) fn to_text(&self, value: &Value) -> Result<String, Mismatch> {
        let text = match self {
            Self::Integer => value.as_number().filter(|number| !number.is_f64()).map(ToString::to_string),
            // With its point, as AWS prints it: 80.0.
            Self::Double => values::as_double(value).map(|number| {
                if number.is_finite() {
                    format!("{number:?}")
                } else {
                    value.as_str().unwrap_or_default().to_owned()
                }
            }),
            Self::Boolean => value.as_bool().map(|truth| truth.to_string()),
            Self::Timestamp => value.as_f64().and_then(values::iso_8601),
            _ => value.as_str().map(str::to_owned),
        };
        text.ok_or_else(|| Mismatch::new(format!("{value} is not of the type {}", self.name())))
    }
}
