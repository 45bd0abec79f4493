//! What is wrong with a policy.

/// Why a policy was refused, for people. What a service answers is less: see the constants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadPolicy(String);

impl BadPolicy {
    /// What SQS says of any policy that it does not take, with the code `InvalidAttributeValue`.
    pub const SQS_TEXT: &'static str = "Invalid value for the parameter Policy.";

    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Says where.
    pub(super) fn within(self, place: &str) -> Self {
        Self(format!("{place}: {}", self.0))
    }
}
