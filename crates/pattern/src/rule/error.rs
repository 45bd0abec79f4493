//! What is wrong with a rule, in AWS's words.

/// Why a rule was refused. It displays as AWS says it, without the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct BadRule {
    reason: String,
    /// ` at [Source: ...]` on a line of its own for each time that AWS's compiler puts a place behind.
    places: String,
}

impl BadRule {
    /// For what the compiler says without a place.
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), places: String::new() }
    }

    pub(crate) fn at(reason: impl Into<String>, place: &str) -> Self {
        Self::new(reason).and_at(place)
    }

    pub(crate) fn and_at(mut self, place: &str) -> Self {
        self.places.push_str("\n at ");
        self.places.push_str(place);
        self
    }

    /// The reason, and where.
    pub(crate) fn with_places(&self) -> String {
        format!("{}{}", self.reason, self.places)
    }
}
