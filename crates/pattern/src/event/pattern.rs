//! An event pattern, and who reads it.

use serde_json::Value;

use crate::rule::{Language, Rule, Table};

use super::bad::BadPattern;
use super::limits;

/// Whose pattern it is: they differ in the operators that may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Rules of an event bus (semantics 3.2).
    EventBridge,
    /// Filters of a pipe (semantics 3.9).
    Pipes,
    /// Filters of a Lambda event source mapping (semantics 5.2).
    Lambda,
}

/// A pattern that its service would take.
#[derive(Clone, Debug, PartialEq)]
pub struct EventPattern {
    table: Table,
}

impl EventPattern {
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, BadPattern> {
        limits::check_length(text, dialect)?;
        let language = dialect.language();
        let rule = Rule::parse(text, language)?;
        limits::check(&rule)?;
        Ok(Self { table: Table::new(rule, language) })
    }

    /// Allocates nothing, unless more than 64 paths of the pattern may be absent.
    pub fn matches(&self, event: &Value) -> bool {
        self.table.matches(event)
    }
}

impl Dialect {
    fn language(self) -> Language {
        match self {
            Self::EventBridge => Language::Bus,
            Self::Pipes => Language::Pipe,
            Self::Lambda => Language::Mapping,
        }
    }
}
