//! Verdicts as pure functions of a scenario and a history: no clock, no network.
//!
//! ```text
//!   events ──> Index ──> checkers ──> Finding ──> conclude ──> ClaimVerdict
//!                │        (claims/, always/)         ^               │
//!                └──────> preconditions/ ────────────┘   tell, diagnosis: story, cause
//! ```
//! A checker is one file in `claims/` and one line in its registry. docs/verdicts.md says what each
//! claim and each diagnosis means.

mod afar;
mod always;
mod at_work;
mod attempts;
mod blind;
mod claims;
mod conclude;
mod diagnosis;
mod doubt;
mod explain;
mod fate;
mod finding;
mod index;
mod judge;
mod lapse;
mod ledger;
mod preconditions;
mod rests;
mod standing;
mod strays;
mod sweep;
mod tell;
mod verdict;
mod view;
mod words;

#[cfg(test)]
mod tests;

pub use diagnosis::{Diagnosis, diagnoses, known};
pub use explain::explain;
pub use index::Index;
pub use judge::{further_attempt, judge};
pub use rests::rests_on;
pub use standing::{Progress, open_markers, standing};
pub use sweep::{
    Column, Crossing, LeftOutLine, Row, Sweep, Tried, Untried, Why, boundaries, in_order, recorded, vary,
};
pub use verdict::{ClaimVerdict, Fate, Judgement, Ledger, LedgerRow, StoryLine, Totals, Verdict};
