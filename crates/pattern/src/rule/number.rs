//! Numbers as rules compare them.

use std::cmp::Ordering;

use super::language::Precision;

/// A number that can be compared, at the precision that it was made for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(f64);

/// The largest number that a rule with five digits may compare with, and the negative of the smallest.
const LARGEST: f64 = 1e9;
const SCALE: f64 = 1e5;

impl Number {
    /// `None` when it cannot be told from its neighbours.
    pub(crate) fn of(number: &serde_json::Number, precision: Precision) -> Option<Self> {
        let value = number.as_f64().filter(|value| value.is_finite())?;
        let value = match precision {
            Precision::FiveDigits => (value * SCALE).round(),
            Precision::Exact if is_rounded(number, value) => return None,
            Precision::Exact => value,
        };
        // Adding zero makes -0 equal to 0 in `total_cmp` as well.
        Some(Self(value + 0.0))
    }

    /// Whether a rule with five digits may have it.
    pub(crate) fn is_within_limits(self) -> bool {
        self.0.abs() <= LARGEST * SCALE
    }
}

/// Whether an integer is not the same any more as a binary64.
fn is_rounded(number: &serde_json::Number, value: f64) -> bool {
    let exact = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    exact.is_some_and(|exact| exact != value as i128)
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}
