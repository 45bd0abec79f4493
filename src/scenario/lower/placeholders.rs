//! `{{...}}` in bodies and environment variables.

use serde_json::Value;

use super::super::problem::Span;
use super::super::suggest::hint_for;
use super::Context;

const IN_BODIES: [&str; 4] = ["id", "n", "now", "uuid"];

impl Context<'_, '_> {
    pub(super) fn check_body(&mut self, body: &Value, span: Span) {
        match body {
            Value::String(text) => self.check_placeholders(text, span, &IN_BODIES),
            Value::Array(items) => items.iter().for_each(|item| self.check_body(item, span)),
            Value::Object(fields) => fields.values().for_each(|field| self.check_body(field, span)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    pub(super) fn check_variable(&mut self, text: &str, span: Span) {
        let known: Vec<_> = self.effects.iter().map(|effect| format!("effects.{effect}.url")).collect();
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        self.check_placeholders(text, span, &known);
    }

    fn check_placeholders(&mut self, text: &str, span: Span, known: &[&str]) {
        for name in placeholders(text) {
            if !known.contains(&name) {
                let hint = hint_for(name, known.iter().copied());
                self.log.report(span, format!("nothing fills in `{{{{{name}}}}}`")).hint_if(hint);
            }
        }
    }
}

/// The names between `{{` and `}}`.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).map(|(name, _)| name.trim())
}
