//! What a resource of the stack is made with, in the shape of the call that makes it. Names that the
//! stack chooses only when it is made stay symbolic.

use serde_json::{Map, Value};

/// A value in JSON's terms.
#[derive(Clone, Debug, PartialEq)]
pub enum Document {
    Bool(bool),
    Number(serde_json::Number),
    Text(Text),
    /// A document that the call takes as a text of JSON.
    Json(Box<Document>),
    List(Vec<Document>),
    Map(Fields),
    Null,
}

/// The members of a document, in the order in which they are written.
pub type Fields = Vec<(String, Document)>;

/// A text of which some parts are physical names that are not known yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Literal(String),
    /// The physical name of this resource of the stack.
    NameOf(String),
}

impl Text {
    pub fn literal(text: impl Into<String>) -> Self {
        Self(vec![Part::Literal(text.into())])
    }

    /// `prefix` and the physical name of a resource: an ARN or a URL.
    pub fn name_after(prefix: impl Into<String>, id: &str) -> Self {
        Self(vec![Part::Literal(prefix.into()), Part::NameOf(id.to_owned())])
    }

    /// The whole text, by what `name_of` says of a logical id.
    pub fn resolve<'a>(&'a self, name_of: impl Fn(&'a str) -> &'a str) -> String {
        let parts = self.0.iter().map(|part| match part {
            Part::Literal(text) => text.as_str(),
            Part::NameOf(id) => name_of(id),
        });
        parts.collect()
    }
}

/// As a person would write it in `!Sub`.
impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|part| match part {
            Part::Literal(text) => f.write_str(text),
            Part::NameOf(id) => write!(f, "${{{id}}}"),
        })
    }
}

impl Document {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text::literal(text))
    }

    pub fn whole(number: i64) -> Self {
        Self::Number(number.into())
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_whole(&self) -> Option<u64> {
        match self {
            Self::Number(number) => number.as_u64(),
            _ => None,
        }
    }

    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A text without symbolic parts.
    pub fn as_literal(&self) -> Option<&str> {
        match self.as_text()?.0.as_slice() {
            [] => Some(""),
            [Part::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The items; none of what is no list.
    pub fn items(&self) -> &[Document] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The member of this name, of what has members.
    pub fn get(&self, name: &str) -> Option<&Document> {
        match self {
            Self::Map(fields) => field(fields, name),
            _ => None,
        }
    }

    /// The value, by what `name_of` says of a logical id.
    pub fn resolve<'a>(&'a self, name_of: &impl Fn(&'a str) -> &'a str) -> Value {
        match self {
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.resolve(name_of)),
            Self::Json(document) => match document.resolve(name_of) {
                // What is given as a text of JSON is one already.
                text @ Value::String(_) => text,
                other => Value::String(other.to_string()),
            },
            Self::List(items) => items.iter().map(|item| item.resolve(name_of)).collect(),
            Self::Map(fields) => Value::Object(resolve_fields(fields, name_of)),
            Self::Null => Value::Null,
        }
    }
}

/// The member of this name.
pub fn field<'a>(fields: &'a Fields, name: &str) -> Option<&'a Document> {
    fields.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// The members, by what `name_of` says of a logical id.
pub fn resolve_fields<'a>(fields: &'a Fields, name_of: &impl Fn(&'a str) -> &'a str) -> Map<String, Value> {
    fields.iter().map(|(name, value)| (name.clone(), value.resolve(name_of))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_put_in_and_documents_become_texts() {
        let pattern = Document::Map(vec![("source".into(), Document::List(vec![Document::text("shop")]))]);
        let document = Document::Map(vec![
            ("Arn".into(), Document::Text(Text::name_after("arn:aws:sqs:r:a:", "Q"))),
            ("EventPattern".into(), Document::Json(Box::new(pattern))),
            ("Policy".into(), Document::Json(Box::new(Document::text("{}")))),
        ]);
        let resolved = document.resolve(&|id| if id == "Q" { "q-1" } else { id });
        let expected =
            json!({ "Arn": "arn:aws:sqs:r:a:q-1", "EventPattern": r#"{"source":["shop"]}"#, "Policy": "{}" });
        assert_eq!(resolved, expected);
    }
}
