//! What is wrong with a rule, in AWS's words.

/// Why a rule was refused. It displays as AWS says it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadRule(String);

impl BadRule {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
