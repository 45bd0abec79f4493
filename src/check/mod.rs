//! Verdicts as pure functions of a scenario and a history: no clock, no network.

mod verdict;

pub use verdict::{ClaimVerdict, Fate, Judgement, Ledger, LedgerRow, StoryLine, Totals, Verdict};
