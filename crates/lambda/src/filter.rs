//! FilterCriteria: which messages a mapping wants (semantics 5.2). Those that it does not want are
//! deleted.

use havoq_pattern::{Dialect, EventPattern};
use serde_json::Value;

use crate::record::Record;

/// The filters of a mapping, of which one has to match. Without any, all messages are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filters(Vec<Filter>);

#[derive(Clone, Debug, PartialEq)]
struct Filter {
    /// As it was given.
    text: String,
    pattern: EventPattern,
    body: BodyForm,
}

/// What form of a body a filter is about: one of the other form never matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyForm {
    Json,
    Text,
    /// It looks into a JSON body from within `$or` or by dotted names, and so may match without it.
    Within,
    /// It says nothing of the body.
    Any,
}

/// What Lambda says of a filter that it does not take, whatever is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Invalid filter pattern definition.")]
pub struct BadFilter;

impl Filters {
    pub fn parse(patterns: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, BadFilter> {
        Self::parse_in(Dialect::Lambda, patterns)
    }

    /// With the operators that a service has.
    pub fn parse_in(
        dialect: Dialect,
        patterns: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, BadFilter> {
        let parsed = patterns.into_iter().map(|text| Filter::parse(text.as_ref(), dialect));
        parsed.collect::<Result<_, _>>().map(Self)
    }

    /// The patterns as they were given.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|filter| &*filter.text)
    }

    pub fn wants(&self, record: &Record) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let plain = record.to_value();
        let body: Option<Value> = serde_json::from_str(&record.body).ok().filter(is_document);
        let opened = body.map(|body| {
            let mut opened = plain.clone();
            opened["body"] = body;
            opened
        });
        self.0.iter().any(|filter| filter.wants(&plain, opened.as_ref()))
    }
}

impl Filter {
    fn parse(text: &str, dialect: Dialect) -> Result<Self, BadFilter> {
        let pattern = EventPattern::parse(text, dialect).map_err(|_| BadFilter)?;
        let members: Value = serde_json::from_str(text).map_err(|_| BadFilter)?;
        let body = match members.get("body") {
            None if looks_within(&members) => BodyForm::Within,
            None => BodyForm::Any,
            Some(Value::Object(_)) => BodyForm::Json,
            Some(_) => BodyForm::Text,
        };
        Ok(Self { text: text.to_owned(), pattern, body })
    }

    /// `opened` is the record with its body as a document, if it is one.
    fn wants(&self, plain: &Value, opened: Option<&Value>) -> bool {
        match (self.body, opened) {
            (BodyForm::Json, None) | (BodyForm::Text, Some(_)) => false,
            (BodyForm::Json | BodyForm::Within, Some(opened)) => self.pattern.matches(opened),
            (BodyForm::Text | BodyForm::Within, None) | (BodyForm::Any, _) => self.pattern.matches(plain),
        }
    }
}

/// Whether a pattern asks for what is inside of the body.
fn looks_within(members: &Value) -> bool {
    let is_within = |(name, value): (&String, &Value)| match name.as_str() {
        "body" => value.is_object(),
        "$or" => value.as_array().is_some_and(|rules| rules.iter().any(looks_within)),
        other => other.starts_with("body."),
    };
    members.as_object().is_some_and(|members| members.iter().any(is_within))
}

/// A number or a quoted text is JSON too, but nobody means it.
fn is_document(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn wants(pattern: &str, body: &str) -> bool {
        let record = Record {
            message_id: "m".to_owned(),
            receipt_handle: "h".to_owned(),
            body: body.to_owned(),
            attributes: BTreeMap::new(),
            message_attributes: BTreeMap::new(),
            md5_of_body: String::new(),
            md5_of_message_attributes: None,
            queue_arn: "arn:aws:sqs:eu-central-1:123456789012:q".to_owned(),
        };
        Filters::parse([pattern]).expect("a filter").wants(&record)
    }

    #[test]
    fn a_filter_looks_into_a_body_that_is_json() {
        let pattern = r#"{"body":{"my-number":[{"numeric":[">=",100,"<",200]}]}}"#;
        assert!(wants(pattern, r#"{"my-number": 100}"#));
        assert!(!wants(pattern, r#"{"my-number": 200}"#));
    }

    #[test]
    fn a_body_of_another_form_than_the_filter_does_not_match() {
        assert!(!wants(r#"{"body":{"my-key":["my-value"]}}"#, "plain-string"));
        assert!(!wants(r#"{"body":["plain-string"]}"#, r#"{"valid-json-key":"plain-string"}"#));
        assert!(wants(r#"{"body":["plain-string"]}"#, "plain-string"));
    }

    #[test]
    fn a_filter_looks_into_the_body_from_within_or_and_by_dotted_names() {
        let either = r#"{"$or":[{"body":{"a":[1]}},{"body":{"b":[1]}}]}"#;
        assert!(wants(either, r#"{"a":1}"#) && wants(either, r#"{"b":1}"#));
        assert!(!wants(either, r#"{"a":2}"#) && !wants(either, "plain"));
        assert!(wants(r#"{"body.a":[1]}"#, r#"{"a":1}"#));
        assert!(!wants(r#"{"body.a":[1]}"#, r#"{"a":2}"#));
        let other = r#"{"$or":[{"body":{"a":[1]}},{"eventSource":["aws:sqs"]}]}"#;
        assert!(wants(other, "plain"));
    }

    #[test]
    fn one_of_several_filters_has_to_match_and_without_any_all_is_wanted() {
        let filters = Filters::parse([r#"{"body":{"a":[1]}}"#, r#"{"body":{"b":[1]}}"#]).expect("filters");
        assert_eq!(filters.texts().count(), 2);
        assert!(wants(r#"{"eventSource":["aws:sqs"]}"#, "anything"));
        assert_eq!(Filters::parse(Vec::<&str>::new()), Ok(Filters::default()));
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_the_one_text_that_lambda_has() {
        for pattern in ["null", "simple string", r#"{"eventSource":"aws:sqs"}"#, r#"{"eventSource":[]}"#] {
            let error = Filters::parse([pattern]).expect_err(pattern);
            assert_eq!(error.to_string(), "Invalid filter pattern definition.");
        }
    }
}
