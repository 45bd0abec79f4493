//! A function's report of which items of its batch failed (semantics 5.2).

use std::fmt;

use serde_json::Value;

/// What a function's answer says of its batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// Nothing failed: empty or null, the answer or the list in it.
    Clean,
    /// These failed, each an item of the batch.
    Failed(Vec<String>),
    Void(Void),
}

/// Why a report says nothing, so that the whole batch counts as failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Void {
    NotJson,
    /// Neither an object nor null, or with a list of failures that is none.
    NotAReport,
    /// An item without `itemIdentifier`, as when the key has another name.
    NoIdentifier,
    NullIdentifier,
    EmptyIdentifier,
    /// An id that no item of the batch has.
    UnknownIdentifier(String),
}

impl Report {
    /// Reads an answer to a batch of items with these ids. An answer that is JSON but no object is
    /// no report; what AWS makes of one is not documented.
    pub(crate) fn read(answer: &[u8], is_of_batch: impl Fn(&str) -> bool) -> Self {
        if answer.is_empty() {
            return Self::Clean;
        }
        let failures = match serde_json::from_slice(answer) {
            Ok(Value::Null) => return Self::Clean,
            Ok(Value::Object(mut members)) => members.remove("batchItemFailures").unwrap_or_default(),
            Ok(_) => return Self::Void(Void::NotAReport),
            Err(_) => return Self::Void(Void::NotJson),
        };
        match failures {
            Value::Null => Self::Clean,
            Value::Array(items) if items.is_empty() => Self::Clean,
            Value::Array(items) => match items.iter().map(|item| identifier(item, &is_of_batch)).collect() {
                Ok(ids) => Self::Failed(ids),
                Err(void) => Self::Void(void),
            },
            _ => Self::Void(Void::NotAReport),
        }
    }
}

fn identifier(item: &Value, is_of_batch: impl Fn(&str) -> bool) -> Result<String, Void> {
    match item.get("itemIdentifier") {
        None => Err(Void::NoIdentifier),
        Some(Value::Null) => Err(Void::NullIdentifier),
        Some(Value::String(id)) if id.is_empty() => Err(Void::EmptyIdentifier),
        Some(Value::String(id)) if is_of_batch(id) => Ok(id.clone()),
        Some(Value::String(id)) => Err(Void::UnknownIdentifier(id.clone())),
        Some(other) => Err(Void::UnknownIdentifier(other.to_string())),
    }
}

impl fmt::Display for Void {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson => f.write_str("the answer is not JSON"),
            Self::NotAReport => f.write_str("the answer is not an object with a list of batchItemFailures"),
            Self::NoIdentifier => f.write_str("an item of batchItemFailures has no itemIdentifier"),
            Self::NullIdentifier => f.write_str("an itemIdentifier is null"),
            Self::EmptyIdentifier => f.write_str("an itemIdentifier is empty"),
            Self::UnknownIdentifier(id) => write!(f, "no message of the batch has the itemIdentifier {id}"),
        }
    }
}
