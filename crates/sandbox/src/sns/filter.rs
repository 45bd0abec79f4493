//! Filter policies (semantics 2.2): the seam to what parses and matches them.

use super::notification::Notification;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Scope {
    #[default]
    MessageAttributes,
    MessageBody,
}

impl Scope {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::MessageAttributes => "MessageAttributes",
            Self::MessageBody => "MessageBody",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::MessageAttributes, Self::MessageBody].into_iter().find(|scope| scope.name() == name)
    }
}

/// A policy as it was given.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filter {
    pub(super) text: String,
}

impl Filter {
    pub(super) fn parse(text: &str, _scope: Scope) -> Result<Option<Self>, String> {
        Ok((!text.is_empty()).then(|| Self { text: text.to_owned() }))
    }

    /// Why a message is filtered out, as a suffix of a metric's name; none of what it lets through.
    pub(super) fn rejects(&self, _notification: &Notification, _body: &str) -> Option<&'static str> {
        None
    }
}
