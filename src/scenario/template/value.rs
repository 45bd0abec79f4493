//! Values of a template after its intrinsics were resolved. Physical names that a stack will only
//! choose later stay symbolic.

use std::collections::BTreeMap;

use super::super::decode::Sp;
use super::super::model::{Part, Text};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    /// The physical name of this resource of the stack.
    NameOf(String),
    /// Something of a resource that havoq does not implement.
    Foreign(String),
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(Pieces),
    /// As it is written.
    Number(String),
    Bool(bool),
    Null,
    List(Vec<Sp<Value>>),
    Map(Vec<(Sp<String>, Sp<Value>)>),
    /// `AWS::NoValue`: as if the property were not there.
    Absent,
}

impl Value {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(Pieces::text(text))
    }

    pub(super) fn kind(&self) -> String {
        match self {
            Self::Text(pieces) => format!("`{pieces}`"),
            Self::Number(number) => format!("the number {number}"),
            Self::Bool(value) => format!("`{value}`"),
            Self::Null | Self::Absent => "nothing".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Map(_) => "a mapping".to_owned(),
        }
    }

    /// A scalar as CloudFormation makes a text of it.
    pub(super) fn into_pieces(self) -> Option<Pieces> {
        match self {
            Self::Text(pieces) => Some(pieces),
            Self::Number(number) => Some(Pieces::text(number)),
            Self::Bool(value) => Some(Pieces::text(value.to_string())),
            Self::Null | Self::List(_) | Self::Map(_) | Self::Absent => None,
        }
    }
}

/// A text of which some parts may still be symbolic. Neighbouring literal parts are one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    pub(super) fn text(text: impl Into<String>) -> Self {
        let mut pieces = Self::default();
        pieces.push(Piece::Text(text.into()));
        pieces
    }

    /// A text of the model.
    pub(super) fn of(text: &Text) -> Self {
        let mut pieces = Self::default();
        for part in &text.0 {
            pieces.push(match part {
                Part::Literal(text) => Piece::Text(text.clone()),
                Part::NameOf(id) => Piece::NameOf(id.clone()),
            });
        }
        pieces
    }

    /// `prefix` and the physical name of a resource: an ARN or a URL.
    pub(super) fn name_after(prefix: String, id: &str) -> Self {
        let mut pieces = Self::text(prefix);
        pieces.push(Piece::NameOf(id.to_owned()));
        pieces
    }

    pub(super) fn push(&mut self, piece: Piece) {
        match (self.0.last_mut(), piece) {
            (_, Piece::Text(text)) if text.is_empty() => {}
            (Some(Piece::Text(last)), Piece::Text(text)) => last.push_str(&text),
            (_, piece) => self.0.push(piece),
        }
    }

    pub(super) fn append(&mut self, other: Self) {
        other.0.into_iter().for_each(|piece| self.push(piece));
    }

    pub(super) fn parts(&self) -> &[Piece] {
        &self.0
    }

    pub(super) fn foreign(&self) -> Option<&str> {
        self.0.iter().find_map(|piece| match piece {
            Piece::Foreign(id) => Some(id.as_str()),
            Piece::Text(_) | Piece::NameOf(_) => None,
        })
    }

    /// The whole text, with the names that are known; `None` when one is not.
    pub(super) fn resolve(&self, names: &BTreeMap<String, String>) -> Option<String> {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => Some(text.as_str()),
                Piece::NameOf(id) => names.get(id).map(String::as_str),
                Piece::Foreign(_) => None,
            })
            .collect()
    }
}

/// As a person would write it in `!Sub`.
impl std::fmt::Display for Pieces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => f.write_str(text),
            Piece::NameOf(id) | Piece::Foreign(id) => write!(f, "${{{id}}}"),
        })
    }
}
