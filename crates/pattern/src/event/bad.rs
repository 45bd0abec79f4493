//! What is no event pattern.

use crate::rule::BadRule;

/// Why a text is no event pattern. It displays as AWS says it after `Event pattern is not valid. Reason: `.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    #[error("{0}")]
    NotJson(String),
    #[error(transparent)]
    Rule(#[from] BadRule),
}
