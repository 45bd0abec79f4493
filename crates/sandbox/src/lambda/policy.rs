//! The policy of a function: its statements, and what they come to.

use havoq_pattern::Policy;
use serde_json::{Value, json};

#[derive(Debug, Default)]
pub(super) struct FunctionPolicy {
    statements: Vec<Value>,
    /// Read again whenever a statement comes or goes.
    parsed: Option<Policy>,
}

impl FunctionPolicy {
    /// As GetPolicy tells it; none when there are no statements.
    pub(super) fn text(&self) -> Option<String> {
        let policy = || json!({ "Version": "2012-10-17", "Id": "default", "Statement": self.statements });
        (!self.is_empty()).then(|| policy().to_string())
    }

    pub(super) fn parsed(&self) -> Option<&Policy> {
        self.parsed.as_ref()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    pub(super) fn has(&self, sid: &str) -> bool {
        self.statements.iter().any(|statement| statement["Sid"] == sid)
    }

    pub(super) fn add(&mut self, statement: Value) {
        self.statements.push(statement);
        self.read();
    }

    /// Takes a statement away; false when it is not there.
    pub(super) fn remove(&mut self, sid: &str) -> bool {
        let there = self.has(sid);
        self.statements.retain(|statement| statement["Sid"] != sid);
        self.read();
        there
    }

    fn read(&mut self) {
        self.parsed = self.text().and_then(|text| Policy::parse(&text).ok());
    }
}
