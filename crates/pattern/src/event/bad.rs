//! What is no event pattern.

use crate::rule::BadRule;

/// Why a text is no event pattern. It displays as EventBridge says it in an `InvalidEventPatternException`, behind
/// `Event pattern is not valid. Reason: `.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    #[error("{}", .0.with_places())]
    Rule(#[from] BadRule),
    #[error(
        "Rule is too complex - try using fewer wildcard characters or fewer repeating character sequences after a wildcard character"
    )]
    TooComplex,
    /// The limit is documented, its words are not.
    #[error("$or has more than 1000 combinations")]
    TooManyChoices,
    /// The limit is documented, its words are not.
    #[error("Event pattern has more than {0} characters")]
    TooLong(usize),
}
