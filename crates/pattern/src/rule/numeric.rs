//! The operator `numeric`: one comparison, or a range of two.

use std::ops::{Bound, RangeBounds};

use crate::json::{Reader, Token};

use super::error::BadRule;
use super::language::{Language, Precision};
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
    pub(super) fn parse(reader: &mut Reader<'_>, language: Language) -> Result<Self, BadRule> {
        if reader.value()? != Token::ArrayStart {
            return Err(reader.bad("Value of numeric must be an array."));
        }
        let comparison = match reader.value()? {
            Token::Text => {
                let sign = reader.text()?;
                Comparison::parse(&sign)
                    .ok_or_else(|| reader.bad(format!("Unrecognized numeric range operator: {sign}")))?
            }
            other => {
                return Err(reader.bad(format!("Invalid member in numeric match: {}", other.written())));
            }
        };
        let number = comparison.operand(reader, language)?;
        match (comparison.low_bound(number), reader.element()?) {
            (_, None) => Ok(comparison.alone(number)),
            (None, Some(_)) => Err(reader.bad("Too many elements in numeric expression")),
            (Some(low), Some(second)) => {
                let high = top(reader, number, second, language)?;
                if reader.element()?.is_some() {
                    return Err(reader.bad("Too many terms in numeric range expression"));
                }
                Ok(Self { low, high })
            }
        }
    }

    pub(super) fn matches(&self, number: Number) -> bool {
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

    fn operand(self, reader: &mut Reader<'_>, language: Language) -> Result<Number, BadRule> {
        match reader.value()? {
            Token::Number(text) => comparable(reader, text, language),
            _ => Err(reader.bad(format!("Value of {} must be numeric", self.name()))),
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

/// The second half of a range, from the token of its sign on.
fn top(
    reader: &mut Reader<'_>,
    bottom: Number,
    sign: Token<'_>,
    language: Language,
) -> Result<Bound<Number>, BadRule> {
    if sign != Token::Text {
        return Err(reader.bad(format!("Bad value in numeric range: {}", sign.written())));
    }
    let sign = reader.text()?;
    let comparison = Comparison::parse(&sign)
        .filter(|comparison| matches!(comparison, Comparison::Less | Comparison::LessOrEqual))
        .ok_or_else(|| reader.bad(format!("Bad numeric range operator: {sign}")))?;
    let number = comparison.operand(reader, language)?;
    if number <= bottom {
        return Err(reader.bad("Bottom must be less than top"));
    }
    Ok(comparison.alone(number).high)
}

/// A number that a rule may compare with. The words that SNS has for others are not established.
pub(super) fn comparable(reader: &Reader<'_>, text: &str, language: Language) -> Result<Number, BadRule> {
    let precision = language.precision();
    let number = text.parse().ok().and_then(|number| Number::of(&number, precision));
    match precision {
        Precision::FiveDigits => number
            .filter(|number| number.is_within_limits())
            .ok_or_else(|| reader.bad("Value must be between -1.0E9 and 1.0E9, inclusive")),
        Precision::Exact => number.ok_or_else(|| reader.bad(format!("Cannot compare number : {text}"))),
    }
}
