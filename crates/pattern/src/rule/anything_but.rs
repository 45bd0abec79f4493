//! The operator `anything-but`: whatever is there, unless it is what is named.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::affix::{Affixes, End};
use super::error::BadRule;
use super::number::Number;
use super::numeric::within_limits;
use super::operator::{folded, only_one};
use super::scalar::Scalar;
use super::wildcard::Wildcard;

/// What must not be there. The field must exist; null is something (semantics 3.2).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AnythingBut {
    Texts(HashSet<String>),
    Numbers(BTreeSet<Number>),
    IgnoringCase(HashSet<String>),
    Affixes(Affixes),
    Wildcards(Vec<Wildcard>),
}

impl AnythingBut {
    pub(crate) fn parse(operand: &Value) -> Result<Self, BadRule> {
        match operand {
            Value::String(_) | Value::Number(_) => Self::values(std::slice::from_ref(operand)),
            Value::Array(values) => Self::values(values),
            Value::Object(inner) => {
                let (name, operand) = inner
                    .iter()
                    .next()
                    .ok_or_else(|| BadRule::new("Anything-But expression name not found"))?;
                let parsed = Self::operator(name, operand)?;
                only_one(inner, "Too many elements in numeric expression")?;
                Ok(parsed)
            }
            Value::Null | Value::Bool(_) => {
                Err(BadRule::new("Value of anything-but must be an array or single string/number value."))
            }
        }
    }

    fn values(values: &[Value]) -> Result<Self, BadRule> {
        let (mut texts, mut numbers) = (HashSet::new(), BTreeSet::new());
        for value in values {
            match value {
                Value::String(text) => drop(texts.insert(text.clone())),
                Value::Number(number) => drop(numbers.insert(within_limits(number)?)),
                _ => {
                    return Err(BadRule::new(
                        "Inside anything but list, start|null|boolean is not supported.",
                    ));
                }
            }
        }
        match (texts.is_empty(), numbers.is_empty()) {
            (false, true) => Ok(Self::Texts(texts)),
            (true, false) => Ok(Self::Numbers(numbers)),
            _ => Err(BadRule::new(
                "Inside anything but list, either all values are number or string, mixed type is not supported",
            )),
        }
    }

    fn operator(name: &str, operand: &Value) -> Result<Self, BadRule> {
        match name {
            "prefix" => Ok(Self::Affixes(Affixes::new(End::Prefix, texts(name, operand)?)?)),
            "suffix" => Ok(Self::Affixes(Affixes::new(End::Suffix, texts(name, operand)?)?)),
            "equals-ignore-case" => {
                Ok(Self::IgnoringCase(texts(name, operand)?.iter().map(|text| folded(text)).collect()))
            }
            "wildcard" => {
                let patterns = texts(name, operand)?;
                Ok(Self::Wildcards(
                    patterns.iter().map(|text| Wildcard::parse(text)).collect::<Result<_, _>>()?,
                ))
            }
            other => Err(BadRule::new(format!("Unsupported anything-but pattern: {other}"))),
        }
    }

    pub(crate) fn matches(&self, value: Scalar<'_>) -> bool {
        let named = match (self, value) {
            (Self::Texts(texts), Scalar::Text(text)) => texts.contains(text),
            (Self::Numbers(numbers), Scalar::Number(number)) => numbers.contains(&number),
            (Self::IgnoringCase(texts), Scalar::Text(text)) => texts.contains(&folded(text)),
            (Self::Affixes(affixes), Scalar::Text(text)) => affixes.hits(text),
            (Self::Wildcards(patterns), Scalar::Text(text)) => {
                patterns.iter().any(|pattern| pattern.matches(text))
            }
            _ => false,
        };
        !named
    }
}

/// One text or a list of them.
fn texts(name: &str, operand: &Value) -> Result<Vec<String>, BadRule> {
    let values = match operand {
        Value::Array(values) if !values.is_empty() => values.as_slice(),
        other => std::slice::from_ref(other),
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    values
        .iter()
        .map(text)
        .collect::<Option<_>>()
        .ok_or_else(|| BadRule::new(format!("{name} match pattern must be a string")))
}
