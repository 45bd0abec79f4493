//! The template of an input transformer: text with placeholders such as `<name>`.
//!
//! A template in quotes becomes a text in quotes, and the quotes within values are left out; any
//! other must become JSON. There a placeholder in quotes stands for text, and one without for a JSON
//! value (semantics 3.3).

use serde_json::Value;

use super::bad::BadShape;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// One or more texts in quotes.
    Text,
    /// A JSON object.
    Object,
    /// Any other JSON.
    Json,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Placeholder { name: String, quoted: bool },
}

/// Where the values of placeholders come from.
pub(crate) trait Values {
    /// None when nobody declared the placeholder.
    fn value(&self, name: &str) -> Option<Value>;
}

/// Values that are whole documents, which only a JSON object can hold.
const DOCUMENTS: [&str; 2] = ["aws.events.event.json", "aws.pipes.event.json"];

impl Template {
    /// `declares` says which placeholders there are.
    pub(crate) fn parse(text: &str, declares: impl Fn(&str) -> bool) -> Result<Self, BadShape> {
        let kind = match text.trim_start().chars().next() {
            Some('"') => Kind::Text,
            Some('{') => Kind::Object,
            _ => Kind::Json,
        };
        let template = Self { pieces: pieces(text), kind };
        for name in template.names() {
            if !declares(name) {
                return Err(BadShape::Placeholder(name.to_owned()));
            }
            let document = DOCUMENTS.into_iter().find(|document| *document == name);
            if let Some(document) = document.filter(|_| kind != Kind::Object) {
                return Err(BadShape::OnlyInJson(document));
            }
        }
        template.check_keys()?;
        // Whatever the values are, they leave the rest as it is.
        struct Empty;
        impl Values for Empty {
            fn value(&self, _name: &str) -> Option<Value> {
                Some(Value::from(""))
            }
        }
        template.fill(&Empty).map_err(BadShape::Template)?;
        Ok(template)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Placeholder { name, .. } => Some(name.as_str()),
            Piece::Literal(_) => None,
        })
    }

    /// A placeholder without quotes cannot be a key (semantics 3.3).
    fn check_keys(&self) -> Result<(), BadShape> {
        for pair in self.pieces.windows(2) {
            if let [Piece::Placeholder { name, quoted: false }, Piece::Literal(after)] = pair
                && after.trim_start().starts_with(':')
            {
                return Err(BadShape::Template(format!("the placeholder {name} cannot be a key")));
            }
        }
        Ok(())
    }

    /// The text that it becomes; an error says why that is not JSON where it must be.
    pub(crate) fn fill(&self, values: &impl Values) -> Result<String, String> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(literal) => text.push_str(literal),
                Piece::Placeholder { name, quoted } => {
                    // What is missing is an empty text.
                    let value = values.value(name).unwrap_or_else(|| Value::from(""));
                    text.push_str(&self.written(&value, *quoted));
                }
            }
        }
        if self.kind != Kind::Text {
            serde_json::from_str::<serde::de::IgnoredAny>(&text).map_err(|error| error.to_string())?;
        }
        Ok(text)
    }

    fn written(&self, value: &Value, quoted: bool) -> String {
        let json = value.to_string();
        match value {
            _ if !quoted => json,
            Value::String(_) => json[1..json.len() - 1].to_owned(),
            _ if self.kind == Kind::Text => json.replace('"', ""),
            _ => json,
        }
    }
}

/// Cuts a template into what stands there as it is and what is filled in. `\<` and `\>` are no
/// brackets of a placeholder.
fn pieces(text: &str) -> Vec<Piece> {
    let (mut pieces, mut literal, mut in_quotes) = (Vec::new(), String::new(), false);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if letter == '<'
            && let Some(end) = rest.find('>')
        {
            pieces.push(Piece::Literal(std::mem::take(&mut literal)));
            pieces.push(Piece::Placeholder { name: rest[1..end].to_owned(), quoted: in_quotes });
            rest = &rest[end + 1..];
            continue;
        }
        let mut taken = letter.len_utf8();
        if letter == '\\' {
            // What follows it has no other meaning; of brackets, it says no more than that.
            let escaped = rest[taken..].chars().next();
            taken += escaped.map_or(0, char::len_utf8);
            match escaped {
                Some(bracket @ ('<' | '>')) => literal.push(bracket),
                _ => literal.push_str(&rest[..taken]),
            }
        } else {
            in_quotes ^= letter == '"';
            literal.push(letter);
        }
        rest = &rest[taken..];
    }
    pieces.push(Piece::Literal(literal));
    pieces.retain(|piece| !matches!(piece, Piece::Literal(literal) if literal.is_empty()));
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    struct Sample;

    impl Values for Sample {
        fn value(&self, name: &str) -> Option<Value> {
            match name {
                "id" => Some(json!("0a7")),
                "payload" => Some(json!({ "acc": "0a7", "sf": "baz" })),
                "list" => Some(json!(["HIGH", "LOW"])),
                "yes" => Some(json!(true)),
                "quote" => Some(json!("a\"b\n")),
                _ => None,
            }
        }
    }

    fn filled(template: &str) -> Result<String, String> {
        Template::parse(template, |_| true).expect("a template").fill(&Sample)
    }

    #[test]
    fn unquoted_placeholders_in_json_are_values_and_quoted_ones_text() {
        for (template, text) in [
            (
                r#"{"a": <id>, "b": "x/<id>/<id>", "c": [<yes>, <list>]}"#,
                r#"{"a": "0a7", "b": "x/0a7/0a7", "c": [true, ["HIGH","LOW"]]}"#,
            ),
            (r#"{"a": <payload>}"#, r#"{"a": {"acc":"0a7","sf":"baz"}}"#),
            (r#"{"a": "<yes>"}"#, r#"{"a": "true"}"#),
            (r#"{"a": "<quote>"}"#, r#"{"a": "a\"b\n"}"#),
            ("<payload>", r#"{"acc":"0a7","sf":"baz"}"#),
            (r#"[<id>]"#, r#"["0a7"]"#),
        ] {
            assert_eq!(filled(template).as_deref(), Ok(text), "{template}");
        }
    }

    #[test]
    fn a_quoted_template_keeps_its_quotes_and_takes_those_of_values_away() {
        for (template, text) in [
            (r#""<payload> of <id> is <yes>!""#, r#""{acc:0a7,sf:baz} of 0a7 is true!""#),
            (r#""<list> items""#, r#""[HIGH,LOW] items""#),
            ("\"<id>\"\n\"<yes>\"", "\"0a7\"\n\"true\""),
            (r#""{[/begins with <id>""#, r#""{[/begins with 0a7""#),
            (r#""a \<b\>""#, r#""a <b>""#),
        ] {
            assert_eq!(filled(template).as_deref(), Ok(text), "{template}");
        }
    }

    #[test]
    fn a_missing_value_is_an_empty_text() {
        assert_eq!(filled(r#"{"a": <none>}"#).as_deref(), Ok(r#"{"a": ""}"#));
        assert_eq!(filled(r#""a <none>""#).as_deref(), Ok(r#""a ""#));
    }

    #[test]
    fn a_document_in_quotes_makes_json_invalid() {
        assert!(filled(r#"{"a": "<payload>"}"#).is_err());
        assert!(filled(r#"{"a": "<list>"}"#).is_err());
    }

    #[test]
    fn templates_that_cannot_become_json_are_refused() {
        let refused = |text: &str| Template::parse(text, |name| name != "other").expect_err("none");
        assert_eq!(refused(r#""<other>""#), BadShape::Placeholder("other".to_owned()));
        assert_eq!(refused(r#""<aws.events.event.json>""#), BadShape::OnlyInJson("aws.events.event.json"));
        assert_eq!(refused("[<aws.events.event.json>]"), BadShape::OnlyInJson("aws.events.event.json"));
        for text in ["{<id>: 1}", "{\"a\": <id>", "abc: <id>", "<list> item"] {
            assert!(matches!(refused(text), BadShape::Template(_)), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_template_or_is_refused_and_filling_it_does_not_panic(
            text in r#"[<>"\\{}a:,\[\] é]{0,30}"#
        ) {
            if let Ok(template) = Template::parse(&text, |_| true) {
                let _ = template.fill(&Sample);
            }
        }

        #[test]
        fn a_json_template_becomes_json_whatever_text_it_is_given(value in ".*") {
            struct One(String);
            impl Values for One {
                fn value(&self, _name: &str) -> Option<Value> {
                    Some(json!(self.0))
                }
            }
            let template = Template::parse(r#"{"a": <v>, "b": "x<v>y"}"#, |_| true).expect("a template");
            let text = template.fill(&One(value.clone())).expect("JSON");
            let back: Value = serde_json::from_str(&text).expect("JSON");
            prop_assert_eq!(&back["a"], &json!(value));
            prop_assert_eq!(&back["b"], &json!(format!("x{value}y")));
        }
    }
}
