//! The operator `numeric`: one comparison, or a range of two.

use std::ops::{Bound, RangeBounds};

use serde_json::Value;

use super::error::BadRule;
use super::number::Number;

/// What lies between two bounds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range {
    low: Bound<Number>,
    high: Bound<Number>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Range {
    /// Reads `["=", 5]`, `[">", 0]` or `[">", 0, "<=", 100]`.
    pub(crate) fn parse(operand: &Value) -> Result<Self, BadRule> {
        let Value::Array(members) = operand else {
            return Err(BadRule::new("Value of numeric must be an array."));
        };
        let mut members = members.iter();
        let comparison = match members.next() {
            Some(Value::String(sign)) => Comparison::parse(sign)
                .ok_or_else(|| BadRule::new(format!("Unrecognized numeric range operator: {sign}")))?,
            other => return Err(BadRule::new(format!("Invalid member in numeric match: {}", token(other)))),
        };
        let number = comparison.operand(members.next())?;
        match (comparison.low_bound(number), members.next()) {
            (_, None) => Ok(comparison.alone(number)),
            (None, Some(_)) => Err(BadRule::new("Too many elements in numeric expression")),
            (Some(low), Some(second)) => {
                let high = top(number, second, members.next())?;
                if members.next().is_some() {
                    return Err(BadRule::new("Too many terms in numeric range expression"));
                }
                Ok(Self { low, high })
            }
        }
    }

    pub(crate) fn matches(&self, number: Number) -> bool {
        (self.low, self.high).contains(&number)
    }
}

impl Comparison {
    fn parse(sign: &str) -> Option<Self> {
        match sign {
            "=" => Some(Self::Equal),
            "<" => Some(Self::Less),
            "<=" => Some(Self::LessOrEqual),
            ">" => Some(Self::Greater),
            ">=" => Some(Self::GreaterOrEqual),
            _ => None,
        }
    }

    /// As errors name it.
    fn name(self) -> &'static str {
        match self {
            Self::Equal => "equals",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    fn operand(self, value: Option<&Value>) -> Result<Number, BadRule> {
        match value {
            Some(Value::Number(number)) => within_limits(number),
            _ => Err(BadRule::new(format!("Value of {} must be numeric", self.name()))),
        }
    }

    fn alone(self, number: Number) -> Range {
        let (low, high) = match self {
            Self::Equal => (Bound::Included(number), Bound::Included(number)),
            Self::Less => (Bound::Unbounded, Bound::Excluded(number)),
            Self::LessOrEqual => (Bound::Unbounded, Bound::Included(number)),
            Self::Greater => (Bound::Excluded(number), Bound::Unbounded),
            Self::GreaterOrEqual => (Bound::Included(number), Bound::Unbounded),
        };
        Range { low, high }
    }

    /// The bound from which a range of two can go on.
    fn low_bound(self, number: Number) -> Option<Bound<Number>> {
        match self {
            Self::Greater => Some(Bound::Excluded(number)),
            Self::GreaterOrEqual => Some(Bound::Included(number)),
            Self::Equal | Self::Less | Self::LessOrEqual => None,
        }
    }
}

/// The second half of a range: its sign and its number.
fn top(bottom: Number, sign: &Value, number: Option<&Value>) -> Result<Bound<Number>, BadRule> {
    let Value::String(sign) = sign else {
        return Err(BadRule::new(format!("Bad value in numeric range: {}", token(Some(sign)))));
    };
    let comparison = Comparison::parse(sign)
        .filter(|comparison| matches!(comparison, Comparison::Less | Comparison::LessOrEqual))
        .ok_or_else(|| BadRule::new(format!("Bad numeric range operator: {sign}")))?;
    let number = comparison.operand(number)?;
    if number <= bottom {
        return Err(BadRule::new("Bottom must be less than top"));
    }
    Ok(comparison.alone(number).high)
}

/// A number that a rule may compare with. The words for those that it may not are not established.
pub(crate) fn within_limits(number: &serde_json::Number) -> Result<Number, BadRule> {
    Number::of(number)
        .filter(|number| number.is_within_limits())
        .ok_or_else(|| BadRule::new("Value must be between -1.0E9 and 1.0E9, inclusive"))
}

/// How AWS's parser shows what it met.
fn token(value: Option<&Value>) -> String {
    match value {
        None => "]".to_owned(),
        Some(Value::Array(_)) => "[".to_owned(),
        Some(Value::Object(_)) => "{".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(scalar) => scalar.to_string(),
    }
}
