//! A node of the tree.

use super::super::problem::Span;
use super::scalar::Scalar;

#[derive(Clone, Debug)]
pub(in crate::scenario) struct Node {
    pub(in crate::scenario) span: Span,
    /// A local tag, without its `!`: `Ref` for `!Ref`.
    pub(in crate::scenario) tag: Option<String>,
    pub(in crate::scenario) data: Data,
}

#[derive(Clone, Debug)]
pub(in crate::scenario) enum Data {
    Scalar { text: String, plain: bool },
    List(Vec<Node>),
    Map(Vec<Entry>),
}

#[derive(Clone, Debug)]
pub(in crate::scenario) struct Entry {
    pub(in crate::scenario) key: String,
    pub(in crate::scenario) key_span: Span,
    pub(in crate::scenario) value: Node,
}

impl Node {
    /// The value of a scalar by YAML 1.2's core rules; `None` for a list or a mapping.
    pub(in crate::scenario) fn scalar(&self) -> Option<Scalar<'_>> {
        match &self.data {
            Data::Scalar { text, plain } => Some(Scalar::of(text, *plain)),
            Data::List(_) | Data::Map(_) => None,
        }
    }

    /// The text of any scalar, as it is written.
    pub(in crate::scenario) fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Scalar { text, .. } => Some(text),
            Data::List(_) | Data::Map(_) => None,
        }
    }

    pub(in crate::scenario) fn entries(&self) -> Option<&[Entry]> {
        match &self.data {
            Data::Map(entries) => Some(entries),
            Data::Scalar { .. } | Data::List(_) => None,
        }
    }

    pub(in crate::scenario) fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries()?.iter().find(|entry| entry.key == key)
    }

    /// What this is, for messages: `a list`, `the number 30`, `nothing`.
    pub(in crate::scenario) fn kind(&self) -> String {
        match &self.data {
            Data::List(_) => "a list".to_owned(),
            Data::Map(_) => "a mapping".to_owned(),
            Data::Scalar { text, plain } => match Scalar::of(text, *plain) {
                Scalar::Null => "nothing".to_owned(),
                Scalar::Bool(value) => format!("`{value}`"),
                Scalar::Whole(_) | Scalar::Real(_) => format!("the number {text}"),
                Scalar::Text(text) => format!("`{}`", shorten(text)),
            },
        }
    }

    /// As JSON, for values that havoq hands on without reading them.
    pub(in crate::scenario) fn to_json(&self) -> serde_json::Value {
        use serde_json::Value;
        match &self.data {
            Data::List(items) => items.iter().map(Node::to_json).collect(),
            Data::Map(entries) => Value::Object(
                entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json())).collect(),
            ),
            Data::Scalar { text, plain } => Scalar::of(text, *plain).to_json(),
        }
    }
}

/// The start of a text that may be long, on one line.
fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= 60 && line.len() == text.len() {
        return text.to_owned();
    }
    line.chars().take(57).chain("...".chars()).collect()
}
