//! Filter policies (semantics 2.2): between subscriptions and what parses and matches them.

use havoq_pattern::{AttributeValue, FilterOutcome, FilterPolicy, FilterScope, Why};

use super::notification::Notification;

/// A policy, and the text in which it was given.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filter {
    pub(super) text: String,
    policy: FilterPolicy,
    scope: FilterScope,
}

impl Filter {
    /// An empty text takes the policy away. The error is without the prefix that the operation has.
    pub(super) fn parse(text: &str, scope: FilterScope) -> Result<Option<Self>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        let policy = FilterPolicy::parse(text, scope).map_err(|bad| bad.to_string())?;
        Ok(Some(Self { text: text.to_owned(), policy, scope }))
    }

    /// Why a message is filtered out; none of what it lets through. `body` is the text for the
    /// subscription's protocol.
    pub(super) fn rejects(&self, notification: &Notification, body: &str) -> Option<Why> {
        let outcome = match self.scope {
            FilterScope::MessageBody => self.policy.matches_body(body),
            FilterScope::MessageAttributes => {
                let attributes = notification.attributes.iter();
                self.policy
                    .matches_attributes(attributes.map(|(name, attribute)| (&**name, attribute.for_filter())))
            }
        };
        match outcome {
            FilterOutcome::Accepted => None,
            FilterOutcome::FilteredOut(why) => Some(why),
        }
    }
}

pub(super) const SCOPES: [(&str, FilterScope); 2] =
    [("MessageAttributes", FilterScope::MessageAttributes), ("MessageBody", FilterScope::MessageBody)];

pub(super) fn scope_named(name: &str) -> Option<FilterScope> {
    SCOPES.iter().find(|(known, _)| *known == name).map(|(_, scope)| *scope)
}

pub(super) fn scope_name(scope: FilterScope) -> &'static str {
    SCOPES.iter().find(|(_, known)| *known == scope).map_or("", |(name, _)| name)
}

/// How a filter sees a value of this type.
pub(super) fn value<'a>(data_type: &str, kind: &str, value: &'a str) -> AttributeValue<'a> {
    match (data_type, kind) {
        ("String.Array", _) => AttributeValue::StringArray(value),
        (_, "Number") => AttributeValue::Number(value),
        (_, "Binary") => AttributeValue::Binary,
        _ => AttributeValue::String(value),
    }
}
