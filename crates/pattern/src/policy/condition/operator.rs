//! The names of condition operators: `ForAnyValue:StringNotLikeIfExists`.

use std::cmp::Ordering;

use crate::policy::bad::BadPolicy;

/// An operator with all that its name says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operator {
    pub(super) kind: Kind,
    /// A `Not` in the name: none of the operands may match.
    pub(super) negated: bool,
    pub(super) if_exists: bool,
    pub(super) quantifier: Quantifier,
}

/// How operands are read and compared.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Null,
    String,
    StringIgnoreCase,
    StringLike,
    /// `ArnEquals` is the same.
    ArnLike,
    Bool,
    Binary,
    Numeric(Comparison),
    Date(Comparison),
    IpAddress,
}

/// Which orders of a context's value and an operand will do.
pub(super) type Comparison = fn(Ordering) -> bool;

/// How many of the values that a key has must match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantifier {
    /// The key has one value.
    One,
    ForAnyValue,
    ForAllValues,
}

impl Operator {
    pub(super) fn parse(name: &str) -> Result<Self, BadPolicy> {
        let (quantifier, rest) = match name.split_once(':') {
            None => (Quantifier::One, name),
            Some(("ForAnyValue", rest)) => (Quantifier::ForAnyValue, rest),
            Some(("ForAllValues", rest)) => (Quantifier::ForAllValues, rest),
            Some(_) => return Err(unknown(name)),
        };
        let (rest, if_exists) = match rest.strip_suffix("IfExists") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let (kind, negated) = kind(rest).ok_or_else(|| unknown(name))?;
        if matches!(kind, Kind::Null) && if_exists {
            return Err(unknown(name));
        }
        Ok(Self { kind, negated, if_exists, quantifier })
    }
}

fn kind(name: &str) -> Option<(Kind, bool)> {
    Some(match name {
        "Null" => (Kind::Null, false),
        "StringEquals" => (Kind::String, false),
        "StringNotEquals" => (Kind::String, true),
        "StringEqualsIgnoreCase" => (Kind::StringIgnoreCase, false),
        "StringNotEqualsIgnoreCase" => (Kind::StringIgnoreCase, true),
        "StringLike" => (Kind::StringLike, false),
        "StringNotLike" => (Kind::StringLike, true),
        "ArnEquals" | "ArnLike" => (Kind::ArnLike, false),
        "ArnNotEquals" | "ArnNotLike" => (Kind::ArnLike, true),
        "Bool" => (Kind::Bool, false),
        "BinaryEquals" => (Kind::Binary, false),
        "IpAddress" => (Kind::IpAddress, false),
        "NotIpAddress" => (Kind::IpAddress, true),
        other => {
            if let Some(order) = other.strip_prefix("Numeric") {
                let (comparison, negated) = comparison(order)?;
                (Kind::Numeric(comparison), negated)
            } else {
                let (comparison, negated) = comparison(other.strip_prefix("Date")?)?;
                (Kind::Date(comparison), negated)
            }
        }
    })
}

fn comparison(name: &str) -> Option<(Comparison, bool)> {
    Some(match name {
        "Equals" => (Ordering::is_eq, false),
        "NotEquals" => (Ordering::is_eq, true),
        "LessThan" => (Ordering::is_lt, false),
        "LessThanEquals" => (Ordering::is_le, false),
        "GreaterThan" => (Ordering::is_gt, false),
        "GreaterThanEquals" => (Ordering::is_ge, false),
        _ => return None,
    })
}

fn unknown(name: &str) -> BadPolicy {
    BadPolicy::new(format!("unknown condition operator {name:?}"))
}
