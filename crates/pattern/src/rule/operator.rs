//! What may stand in the array of a rule's field: a value, or an object with one operator.

use serde_json::{Map, Value};

use super::anything_but::AnythingBut;
use super::cidr::Block;
use super::error::BadRule;
use super::number::Number;
use super::numeric::Range;
use super::scalar::Scalar;
use super::wildcard::Wildcard;

/// One alternative of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operator {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    AnythingBut(AnythingBut),
    Prefix(Case, String),
    Suffix(Case, String),
    EqualsIgnoreCase(String),
    Wildcard(Wildcard),
    Cidr(Block),
    Numeric(Range),
    Exists,
    /// No value of that name anywhere. It matches no value, and is looked up before values are (`table.rs`).
    Absent,
}

/// Whether case counts. Texts for which it does not are kept folded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Case {
    Exact,
    Ignored,
}

impl Operator {
    pub(crate) fn parse(value: &Value) -> Result<Self, BadRule> {
        let unusable = || BadRule::new("Match value must be String, number, true, false, or null");
        match value {
            Value::Null => Ok(Self::Null),
            Value::Bool(bool) => Ok(Self::Bool(*bool)),
            Value::Number(number) => Number::of(number).map(Self::Number).ok_or_else(unusable),
            Value::String(text) => Ok(Self::Text(text.clone())),
            Value::Object(expression) => Self::expression(expression),
            Value::Array(_) => Err(unusable()),
        }
    }

    fn expression(expression: &Map<String, Value>) -> Result<Self, BadRule> {
        let (name, operand) =
            expression.iter().next().ok_or_else(|| BadRule::new("Match expression name not found"))?;
        let operator = Self::named(name, operand)?;
        only_one(
            expression,
            match operator {
                Self::Numeric(_) | Self::AnythingBut(_) => "Too many elements in numeric expression",
                _ => "Only one key allowed in match expression",
            },
        )?;
        Ok(operator)
    }

    fn named(name: &str, operand: &Value) -> Result<Self, BadRule> {
        match name {
            "prefix" => affix(name, operand).map(|(case, text)| Self::Prefix(case, text)),
            "suffix" => affix(name, operand).map(|(case, text)| Self::Suffix(case, text)),
            "equals-ignore-case" => Ok(Self::EqualsIgnoreCase(folded(text(name, operand)?))),
            "wildcard" => Wildcard::parse(text(name, operand)?).map(Self::Wildcard),
            // AWS's compiler says "prefix" here.
            "cidr" => Block::parse(text("prefix", operand)?).map(Self::Cidr),
            "numeric" => Range::parse(operand).map(Self::Numeric),
            "anything-but" => AnythingBut::parse(operand).map(Self::AnythingBut),
            "exists" => match operand {
                Value::Bool(true) => Ok(Self::Exists),
                Value::Bool(false) => Ok(Self::Absent),
                _ => Err(BadRule::new("exists match pattern must be either true or false.")),
            },
            other => Err(BadRule::new(format!("Unrecognized match type {other}"))),
        }
    }

    pub(crate) fn matches(&self, value: Scalar<'_>) -> bool {
        match (self, value) {
            (Self::Exists, _) | (Self::Null, Scalar::Null) => true,
            (Self::AnythingBut(anything_but), value) => anything_but.matches(value),
            (Self::Bool(left), Scalar::Bool(right)) => *left == right,
            (Self::Number(left), Scalar::Number(right)) => *left == right,
            (Self::Numeric(range), Scalar::Number(number)) => range.matches(number),
            (operator, Scalar::Text(text)) => operator.matches_text(text),
            _ => false,
        }
    }

    fn matches_text(&self, value: &str) -> bool {
        match self {
            Self::Text(text) => text == value,
            Self::Prefix(Case::Exact, prefix) => value.starts_with(prefix),
            Self::Prefix(Case::Ignored, prefix) => folded(value).starts_with(prefix),
            Self::Suffix(Case::Exact, suffix) => value.ends_with(suffix),
            Self::Suffix(Case::Ignored, suffix) => folded(value).ends_with(suffix),
            Self::EqualsIgnoreCase(text) => folded(value) == *text,
            Self::Wildcard(pattern) => pattern.matches(value),
            Self::Cidr(block) => block.contains(value),
            _ => false,
        }
    }

    /// The wildcard patterns that it brings, for those who count them.
    pub(crate) fn wildcards(&self) -> &[Wildcard] {
        match self {
            Self::Wildcard(pattern) => std::slice::from_ref(pattern),
            Self::AnythingBut(AnythingBut::Wildcards(patterns)) => patterns,
            _ => &[],
        }
    }
}

/// A text, or `{"equals-ignore-case": text}`.
fn affix(name: &str, operand: &Value) -> Result<(Case, String), BadRule> {
    let Value::Object(inner) = operand else { return Ok((Case::Exact, text(name, operand)?.to_owned())) };
    match inner.iter().next() {
        Some((inner_name, operand)) if inner_name == "equals-ignore-case" => {
            let text = folded(text(inner_name, operand)?);
            only_one(inner, "Only one key allowed in match expression")?;
            Ok((Case::Ignored, text))
        }
        Some((other, _)) => Err(BadRule::new(format!("Unsupported {name} pattern: {other}"))),
        None => Err(BadRule::new(format!("{name} expression name not found"))),
    }
}

fn text<'a>(name: &str, operand: &'a Value) -> Result<&'a str, BadRule> {
    operand.as_str().ok_or_else(|| BadRule::new(format!("{name} match pattern must be a string")))
}

pub(super) fn only_one(expression: &Map<String, Value>, error: &str) -> Result<(), BadRule> {
    if expression.len() > 1 { Err(BadRule::new(error)) } else { Ok(()) }
}

/// The text as it is compared when case does not count.
pub(super) fn folded(text: &str) -> String {
    text.to_lowercase()
}
