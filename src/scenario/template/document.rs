//! Properties as the calls want them, by the tables of `shapes`. What depends on something that is
//! not implemented is left out, and said.

use super::super::decode::Sp;
use super::super::model::{Document, Fields, Part, Text};
use super::super::problem::Span;
use super::super::suggest::nearest;
use super::properties::{Maybe, Properties};
use super::shape::{Field, Role, Shape};
use super::value::{Piece, Pieces, Value};

type Entries = Vec<(Sp<String>, Sp<Value>)>;

impl Properties<'_, '_, '_> {
    /// The properties of this resource. The inner `None` says that it cannot be made.
    pub(super) fn fields(&mut self, table: &'static [Field]) -> Maybe<Fields> {
        let mut entries = Entries::new();
        let mut whole = true;
        for entry in self.entries() {
            let key = Sp { value: entry.key.clone(), span: entry.key_span };
            if !self.is_read("", &key, table) {
                continue;
            }
            match self.stack.evaluate(&entry.value) {
                Some(Sp { value: Value::Absent, .. }) => {}
                Some(value) => entries.push((key, value)),
                None => whole = false,
            }
        }
        let fields = self.record("", entries, self.span, table);
        if whole { fields } else { None }
    }

    /// Whether a property is looked at; one that is not is told.
    fn is_read(&mut self, path: &str, key: &Sp<String>, table: &'static [Field]) -> bool {
        let name = join(path, key);
        match table.iter().find(|field| field.name == key.value).map(|field| &field.role) {
            Some(Role::Needed(_) | Role::Read(_)) => return true,
            Some(Role::Quiet) => {}
            Some(Role::Ignored) => self.ignore(format!("the property {name} is not implemented")),
            // AWS has new ones from time to time, but a misspelled one must not get lost.
            None => match nearest(key, table.iter().map(|field| field.name)) {
                Some(near) => self
                    .stack
                    .log
                    .report(key.span, format!("unknown property `{name}`"))
                    .hint(format!("did you mean `{near}`?")),
                None => self.ignore(format!("the property {name} is not known")),
            },
        }
        false
    }

    fn record(&mut self, path: &str, entries: Entries, span: Span, table: &'static [Field]) -> Maybe<Fields> {
        let (mut fields, mut whole, mut can_be_made) = (Fields::new(), true, true);
        let mut entries: Vec<_> = entries.into_iter().map(Some).collect();
        for field in table {
            let (shape, needed) = match &field.role {
                Role::Needed(shape) => (shape, true),
                Role::Read(shape) => (shape, false),
                Role::Quiet | Role::Ignored => continue,
            };
            let found =
                entries.iter_mut().find(|entry| matches!(entry, Some((key, _)) if key.value == field.name));
            let Some((_, value)) = found.and_then(Option::take) else {
                if needed {
                    let message = format!("the property `{}` is missing", join(path, field.name));
                    self.stack.log.report(span, message);
                    whole = false;
                }
                continue;
            };
            match self.document(&join(path, field.name), value, shape) {
                None => whole = false,
                Some(None) => can_be_made &= !needed,
                Some(Some(document)) => fields.push((field.name.to_owned(), document)),
            }
        }
        whole.then_some(can_be_made.then_some(fields))
    }

    /// A value by its shape; the inner `None` says that it was left out.
    fn document(&mut self, path: &str, value: Sp<Value>, shape: &'static Shape) -> Maybe<Document> {
        match shape {
            Shape::Text => self.reference(path, value),
            Shape::Free => Some(Some(self.free(path, value)?)),
            Shape::Whole(least, most) => {
                let number = self.literal(path, value)?;
                match number.parse::<i64>() {
                    Ok(found) if (*least..=*most).contains(&found) => Some(Some(Document::whole(found))),
                    _ => {
                        let message = format!("{path} cannot be `{}`", number.value);
                        self.problem(number.span, message, Some(format!("from {least} to {most}")))
                    }
                }
            }
            Shape::Bool => {
                let word = self.literal(path, value)?;
                match word.to_ascii_lowercase().as_str() {
                    "true" => Some(Some(Document::Bool(true))),
                    "false" => Some(Some(Document::Bool(false))),
                    _ => {
                        let message = format!("{path} must be `true` or `false`, not `{}`", word.value);
                        self.problem(word.span, message, None)
                    }
                }
            }
            Shape::Time => {
                let time = self.literal(path, value)?;
                match time.parse::<jiff::Timestamp>() {
                    Ok(at) => Some(Some(Document::whole(at.as_second()))),
                    Err(_) => {
                        let hint = "`2026-12-24T18:00:00Z`, for example".to_owned();
                        self.problem(time.span, format!("{path} cannot be `{}`", time.value), Some(hint))
                    }
                }
            }
            Shape::Json => Some(Some(self.json(path, value)?)),
            Shape::List(inner) => self.list(path, value, inner),
            Shape::Map(inner) => self.map(path, value, inner),
            Shape::Record(table) => Some(self.part(path, value, table)?.map(Document::Map)),
        }
    }

    /// A document that is handed on as a text.
    pub(super) fn json(&mut self, path: &str, value: Sp<Value>) -> Option<Document> {
        Some(Document::Json(Box::new(self.anything(path, value)?)))
    }

    /// A text that must not depend on anything that is not there.
    fn reference(&mut self, path: &str, value: Sp<Value>) -> Maybe<Document> {
        let pieces = self.pieces(path, value)?;
        if let Some(id) = pieces.foreign() {
            self.ignore(format!("{path} depends on `{id}`, which is not implemented, and is left out"));
            return Some(None);
        }
        Some(Some(Document::Text(text(&pieces))))
    }

    /// A text in which the logical id stands for what is not there.
    fn free(&mut self, path: &str, value: Sp<Value>) -> Option<Document> {
        let pieces = self.pieces(path, value)?;
        Some(Document::Text(self.spoken(path, &pieces)))
    }

    fn spoken(&mut self, path: &str, pieces: &Pieces) -> Text {
        if let Some(id) = pieces.foreign() {
            self.ignore(format!(
                "{path} speaks of `{id}`, which is not implemented: it has that word for it"
            ));
        }
        text(pieces)
    }

    fn literal(&mut self, path: &str, value: Sp<Value>) -> Option<Sp<String>> {
        if matches!(value.value, Value::List(_) | Value::Map(_) | Value::Null) {
            let message = format!("{path} cannot be {}", value.value.kind());
            return self.problem(value.span, message, None);
        }
        super::properties::plain_text(self.stack, value)
    }

    fn pieces(&mut self, path: &str, value: Sp<Value>) -> Option<Pieces> {
        let kind = value.value.kind();
        match value.value.into_pieces() {
            Some(pieces) => Some(pieces),
            None => self.problem(value.span, format!("{path} must be a text, not {kind}"), None),
        }
    }

    fn list(&mut self, path: &str, value: Sp<Value>, inner: &'static Shape) -> Maybe<Document> {
        let Value::List(items) = value.value else {
            let message = format!("{path} must be a list, not {}", value.value.kind());
            return self.problem(value.span, message, None);
        };
        let items = items.into_iter().enumerate();
        let items: Vec<_> =
            items.map(|(index, item)| self.document(&format!("{path}[{index}]"), item, inner)).collect();
        let items: Option<Vec<_>> = items.into_iter().collect();
        Some(Some(Document::List(items?.into_iter().flatten().collect())))
    }

    fn map(&mut self, path: &str, value: Sp<Value>, inner: &'static Shape) -> Maybe<Document> {
        let entries = self.entries_of(path, value)?.into_iter();
        let fields: Vec<_> = entries
            .map(|(key, value)| {
                let value = self.document(&join(path, &key), value, inner)?;
                Some(value.map(|value| (key.value, value)))
            })
            .collect();
        let fields: Option<Vec<_>> = fields.into_iter().collect();
        Some(Some(Document::Map(fields?.into_iter().flatten().collect())))
    }

    fn entries_of(&mut self, path: &str, value: Sp<Value>) -> Option<Entries> {
        match value.value {
            Value::Map(entries) => Some(entries),
            other => {
                self.problem(value.span, format!("{path} must be a mapping, not {}", other.kind()), None)
            }
        }
    }

    /// A document of any form.
    fn anything(&mut self, path: &str, value: Sp<Value>) -> Option<Document> {
        Some(match value.value {
            Value::Text(pieces) => Document::Text(self.spoken(path, &pieces)),
            Value::Number(number) => match number.parse() {
                Ok(number) => Document::Number(number),
                Err(_) => Document::text(number),
            },
            Value::Bool(value) => Document::Bool(value),
            Value::Null | Value::Absent => Document::Null,
            Value::List(items) => {
                let items: Vec<_> = items.into_iter().map(|item| self.anything(path, item)).collect();
                Document::List(items.into_iter().collect::<Option<_>>()?)
            }
            Value::Map(entries) => {
                let entries = entries.into_iter();
                let fields: Vec<_> =
                    entries.map(|(key, value)| Some((key.value, self.anything(path, value)?))).collect();
                Document::Map(fields.into_iter().collect::<Option<_>>()?)
            }
        })
    }

    /// The properties of a part of this resource that has a type of its own.
    pub(super) fn part(&mut self, path: &str, value: Sp<Value>, table: &'static [Field]) -> Maybe<Fields> {
        let span = value.span;
        let entries = self.entries_of(path, value)?;
        let entries: Entries =
            entries.into_iter().filter(|(key, _)| self.is_read(path, key, table)).collect();
        self.record(path, entries, span, table)
    }

    pub(super) fn ignore(&mut self, what: String) {
        self.ignored.push(format!("`{}`: {what}", self.id));
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// A text of the model, in which what is not implemented goes by its logical id.
pub(super) fn text(pieces: &Pieces) -> Text {
    let parts = pieces.parts().iter().map(|piece| match piece {
        Piece::Text(text) => Part::Literal(text.clone()),
        Piece::NameOf(id) => Part::NameOf(id.clone()),
        Piece::Foreign(id) => Part::Literal(id.clone()),
    });
    Text(parts.collect())
}
