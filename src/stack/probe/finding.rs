//! What came of a check.

use serde::{Deserialize, Serialize};

/// What a stack shows of a behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// As AWS does it.
    Right,
    /// It does something else.
    Wrong,
    /// It refuses, or does not know, what the behaviour needs.
    Absent,
    /// It could not be told: no answer, or none in time.
    Unclear,
}

impl Outcome {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Absent => "absent",
            Self::Unclear => "unclear",
        }
    }
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub check: String,
    pub outcome: Outcome,
    /// What was looked for; empty when it was there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub expected: String,
    /// What there was instead.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seen: String,
}

impl Finding {
    pub(super) fn of(check: &str, shown: Shown) -> Self {
        let (outcome, expected, seen) = match shown {
            Ok(()) => (Outcome::Right, String::new(), String::new()),
            Err(Not::Wrong { expected, seen }) => (Outcome::Wrong, expected, seen),
            Err(Not::Absent(seen)) => (Outcome::Absent, String::new(), seen),
            Err(Not::Unclear(seen)) => (Outcome::Unclear, String::new(), seen),
        };
        Self { check: check.to_owned(), outcome, expected, seen }
    }

    /// In a line.
    pub fn words(&self) -> String {
        match (self.expected.as_str(), self.seen.as_str()) {
            ("", seen) => seen.to_owned(),
            (expected, seen) => format!("expected {expected}; saw {seen}"),
        }
    }
}

/// Why a behaviour was not shown.
#[derive(Debug)]
pub(super) enum Not {
    Wrong { expected: String, seen: String },
    Absent(String),
    Unclear(String),
}

/// What a check, or a part of it, comes to.
pub(super) type Shown<T = ()> = Result<T, Not>;

/// It was not as expected.
pub(super) fn wrong<T>(expected: impl Into<String>, seen: impl Into<String>) -> Shown<T> {
    Err(Not::Wrong { expected: expected.into(), seen: seen.into() })
}

/// `holds`, or else it was not as expected.
pub(super) fn ensure(holds: bool, expected: impl Into<String>, seen: impl Into<String>) -> Shown {
    if holds { Ok(()) } else { wrong(expected, seen) }
}

/// What was listed of `what`, in words, is what was expected.
pub(super) fn listed(what: &str, seen: String, expected: &str) -> Shown {
    ensure(seen == expected, format!("{what} {expected}"), seen)
}

/// What was seen of `what` is what was expected.
pub(super) fn same<T: PartialEq + std::fmt::Debug>(what: &str, seen: T, expected: T) -> Shown {
    ensure(seen == expected, format!("{what} {expected:?}"), format!("{seen:?}"))
}
