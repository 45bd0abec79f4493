//! The values that a condition compares with.

use std::cmp::Ordering;
use std::net::IpAddr;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::operator::{Comparison, Kind};
use crate::policy::arn::ArnPattern;
use crate::policy::bad::BadPolicy;
use crate::policy::glob::Glob;
use crate::rule::Block;

/// One operand, read as its operator asks for.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Null(bool),
    String(String),
    StringIgnoreCase(String),
    StringLike(Glob),
    ArnLike(ArnPattern),
    Bool(bool),
    Number(Comparison, f64),
    Date(Comparison, Timestamp),
    IpAddress(Block),
}

impl Operand {
    pub(super) fn parse(kind: Kind, text: &str) -> Result<Self, BadPolicy> {
        let bad = || BadPolicy::new(format!("bad operand of a condition: {text:?}"));
        Ok(match kind {
            Kind::Null => Self::Null(bool(text).ok_or_else(bad)?),
            Kind::String | Kind::Binary => Self::String(text.to_owned()),
            Kind::StringIgnoreCase => Self::StringIgnoreCase(text.to_lowercase()),
            Kind::StringLike => Self::StringLike(Glob::parse(text)),
            Kind::ArnLike => Self::ArnLike(ArnPattern::parse(text)),
            Kind::Bool => Self::Bool(bool(text).ok_or_else(bad)?),
            Kind::Numeric(comparison) => Self::Number(comparison, number(text).ok_or_else(bad)?),
            Kind::Date(comparison) => Self::Date(comparison, date(text).ok_or_else(bad)?),
            Kind::IpAddress => Self::IpAddress(block(text).ok_or_else(bad)?),
        })
    }

    /// Whether a value of the context matches. One that is not of the operand's kind does not.
    pub(super) fn matches(&self, value: &str) -> bool {
        match self {
            // Asks for the key, never for a value.
            Self::Null(_) => false,
            Self::String(text) => text == value,
            Self::StringIgnoreCase(text) => *text == value.to_lowercase(),
            Self::StringLike(pattern) => pattern.matches(value),
            Self::ArnLike(pattern) => pattern.matches(value),
            Self::Bool(wanted) => bool(value) == Some(*wanted),
            Self::Number(comparison, wanted) => {
                number(value).and_then(|value| value.partial_cmp(wanted)).is_some_and(comparison)
            }
            Self::Date(comparison, wanted) => {
                date(value).map(|value| value.cmp(wanted)).is_some_and(|order: Ordering| comparison(order))
            }
            Self::IpAddress(block) => block.contains(value),
        }
    }
}

fn bool(text: &str) -> Option<bool> {
    if text.eq_ignore_ascii_case("true") {
        Some(true)
    } else if text.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// ISO 8601, or the seconds since 1970.
fn date(text: &str) -> Option<Timestamp> {
    if let Ok(seconds) = text.parse() {
        return Timestamp::from_second(seconds).ok();
    }
    let midnight = || text.parse::<Date>().ok()?.to_zoned_datetime(TimeZone::UTC).ok();
    text.parse().ok().or_else(|| midnight().map(|midnight| midnight.timestamp()))
}

/// `203.0.113.0/24`, or an address alone.
fn block(text: &str) -> Option<Block> {
    match text.split_once('/') {
        None => text.parse::<IpAddr>().ok().map(Block::single),
        Some((address, bits)) => Block::new(address.parse().ok()?, bits.parse().ok()?),
    }
}
