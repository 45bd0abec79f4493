//! What a filter says of a message.

/// Whether a subscription gets a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterOutcome {
    Accepted,
    FilteredOut(Why),
}

/// Why it does not: each is counted by a metric of its own (semantics 2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// The attributes do not match the policy.
    MessageAttributes,
    /// The body does not match the policy.
    MessageBody,
    /// There are no attributes to match.
    NoMessageAttributes,
    /// An attribute that the policy names cannot be read, such as a `String.Array` that is no JSON.
    InvalidAttributes,
    /// The body is no JSON object.
    InvalidMessageBody,
}

impl Why {
    /// The metric's name.
    pub fn metric(self) -> &'static str {
        match self {
            Self::MessageAttributes => "NumberOfNotificationsFilteredOut-MessageAttributes",
            Self::MessageBody => "NumberOfNotificationsFilteredOut-MessageBody",
            Self::NoMessageAttributes => "NumberOfNotificationsFilteredOut-NoMessageAttributes",
            Self::InvalidAttributes => "NumberOfNotificationsFilteredOut-InvalidAttributes",
            Self::InvalidMessageBody => "NumberOfNotificationsFilteredOut-InvalidMessageBody",
        }
    }

    /// The suffix of the metric's name, which says it in a word.
    pub fn suffix(self) -> &'static str {
        self.metric().trim_start_matches("NumberOfNotificationsFilteredOut-")
    }
}
