//! Numbers as rules compare them.

use std::cmp::Ordering;

/// A number, exact to five digits after the point (semantics 2.2). Two that differ by less are equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(f64);

/// The largest number that a rule may compare with, and the negative of the smallest.
const LARGEST: f64 = 1e9;
const SCALE: f64 = 1e5;

impl Number {
    pub(crate) fn of(number: &serde_json::Number) -> Option<Self> {
        // Adding zero makes -0 equal to 0 in `total_cmp` as well.
        number.as_f64().filter(|value| value.is_finite()).map(|value| Self((value * SCALE).round() + 0.0))
    }

    /// Whether a rule may have it.
    pub(crate) fn is_within_limits(self) -> bool {
        self.0.abs() <= LARGEST * SCALE
    }
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
