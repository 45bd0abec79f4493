//! An event pattern, and who reads it.

use serde_json::Value;

use crate::rule::{BadRule, Rule, Table};

use super::bad::BadPattern;

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
    pub fn parse(text: &str, _dialect: Dialect) -> Result<Self, BadPattern> {
        let fields = match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Err(BadRule::new("Filter is not an object").into()),
            Err(error) => return Err(BadPattern::NotJson(error.to_string())),
        };
        Ok(Self { table: Table::new(Rule::parse(&fields)?) })
    }

    pub fn matches(&self, event: &Value) -> bool {
        self.table.matches(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_pattern_takes_the_events_that_it_describes() {
        let pattern = EventPattern::parse(r#"{"source":["a"]}"#, Dialect::EventBridge).expect("a pattern");
        assert!(pattern.matches(&json!({"source": "a"})));
        assert!(!pattern.matches(&json!({"source": "b"})));
    }
}
