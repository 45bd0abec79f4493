//! The simple values of the language.

use serde_json::{Value, json};

use super::super::names::Named;
use super::super::problem::Log;
use super::super::suggest::hint_for;
use super::super::yaml::{Node, Scalar};
use super::{Decode, mismatch};

/// The scalar of an untagged node.
fn plain(node: &Node) -> Option<Scalar<'_>> {
    node.scalar().filter(|_| node.tag.is_none())
}

/// Free text.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct Text(pub(in crate::scenario) String);

impl Decode for Text {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        match plain(node) {
            Some(Scalar::Text(text)) => Some(Self(text.to_owned())),
            Some(Scalar::Whole(_) | Scalar::Real(_) | Scalar::Bool(_)) => {
                let text = node.text().unwrap_or_default();
                log.report(node.span, format!("expected a text, found {}", node.kind()))
                    .hint(format!("put it in quotes: `\"{text}\"`"));
                None
            }
            _ => {
                mismatch(node, "a text", log);
                None
            }
        }
    }
    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

/// A text for which numbers and truth values are taken as they are written: arguments, variables.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct AnyText(pub(in crate::scenario) String);

impl Decode for AnyText {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        match plain(node) {
            Some(Scalar::Null) | None => {
                mismatch(node, "a text", log);
                None
            }
            Some(_) => node.text().map(|text| Self(text.to_owned())),
        }
    }
    fn schema() -> Value {
        json!({ "type": ["string", "number", "boolean"] })
    }
}

/// A name that the scenario gives or refers to.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct Id(pub(in crate::scenario) String);

const MAX_ID: usize = 80;

impl Decode for Id {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let Text(text) = Text::decode(node, log)?;
        check_id(&text, node.span, log).then_some(Self(text))
    }
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,80}$" })
    }
}

pub(super) fn check_id(text: &str, span: super::Span, log: &mut Log<'_>) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if text.is_empty() || text.len() > MAX_ID || !text.chars().all(fits) {
        let slug: String = text.trim().chars().map(|c| if fits(c) { c } else { '-' }).take(MAX_ID).collect();
        let usable = slug.chars().any(|c| c.is_ascii_alphanumeric());
        log.report(span, format!("a name has 1 to {MAX_ID} of the characters A-Z a-z 0-9 _ -"))
            .hint_if(usable.then(|| format!("`{slug}`?")));
        return false;
    }
    true
}

/// A title for people, on one line.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct Title(pub(in crate::scenario) String);

const MAX_TITLE: usize = 200;

impl Decode for Title {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let Text(text) = Text::decode(node, log)?;
        let fits =
            !text.trim().is_empty() && text.chars().count() <= MAX_TITLE && !text.contains(char::is_control);
        if !fits {
            log.report(node.span, format!("a name has 1 to {MAX_TITLE} characters, on one line"));
        }
        fits.then_some(Self(text))
    }
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^.*\\S.*$" })
    }
}

/// A whole number from `MIN`.
#[derive(Clone, Copy, Debug)]
pub(in crate::scenario) struct Whole<const MIN: u32, const MAX: u32>(pub(in crate::scenario) u32);

/// A count of at least one.
pub(in crate::scenario) type Positive<const MAX: u32> = Whole<1, MAX>;

impl<const MIN: u32, const MAX: u32> Decode for Whole<MIN, MAX> {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let Some(Scalar::Whole(number)) = plain(node) else {
            mismatch(node, "a whole number", log);
            return None;
        };
        match u32::try_from(number) {
            Ok(number) if (MIN..=MAX).contains(&number) => Some(Self(number)),
            _ => {
                log.report(node.span, format!("{number} is out of range"))
                    .hint(format!("from {MIN} to {MAX}"));
                None
            }
        }
    }
    fn schema() -> Value {
        json!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

/// Above 0 and at most 1.
#[derive(Clone, Copy, Debug)]
pub(in crate::scenario) struct Probability(pub(in crate::scenario) f64);

impl Decode for Probability {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let number = match plain(node) {
            Some(Scalar::Whole(number)) => number as f64,
            Some(Scalar::Real(number)) => number,
            _ => {
                mismatch(node, "a probability such as `0.2`", log);
                return None;
            }
        };
        if number > 0.0 && number <= 1.0 {
            return Some(Self(number));
        }
        log.report(node.span, format!("{number} is no probability")).hint("above 0 and at most 1");
        None
    }
    fn schema() -> Value {
        json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1 })
    }
}

impl Decode for bool {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        match plain(node) {
            Some(Scalar::Bool(value)) => Some(value),
            Some(Scalar::Text(text)) => {
                let better = match text.to_ascii_lowercase().as_str() {
                    "yes" | "on" | "true" => Some("`true`?"),
                    "no" | "off" | "false" => Some("`false`?"),
                    _ => None,
                };
                log.report(node.span, format!("expected `true` or `false`, found {}", node.kind()))
                    .hint_if(better.map(str::to_owned));
                None
            }
            _ => {
                mismatch(node, "`true` or `false`", log);
                None
            }
        }
    }
    fn schema() -> Value {
        json!({ "type": "boolean" })
    }
}

/// One of the fixed words of a set.
#[derive(Clone, Copy, Debug)]
pub(in crate::scenario) struct Choice<T>(pub(in crate::scenario) T);

impl<T: Named> Decode for Choice<T> {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let words = T::ALL.iter().map(|(word, _)| *word);
        let Some(text) = node.text().filter(|_| node.tag.is_none() && node.kind() != "nothing") else {
            mismatch(node, T::WHAT, log);
            return None;
        };
        let found = T::ALL.iter().find(|(word, _)| *word == text);
        if found.is_none() {
            log.report(node.span, format!("`{text}` is not {}", T::WHAT)).hint_if(hint_for(text, words));
        }
        found.map(|(_, value)| Self(*value))
    }
    fn schema() -> Value {
        json!({ "enum": T::ALL.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
    }
}

/// Any value.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct Json(pub(in crate::scenario) Value);

impl Decode for Json {
    fn decode(node: &Node, _: &mut Log<'_>) -> Option<Self> {
        Some(Self(node.to_json()))
    }
    fn schema() -> Value {
        json!({})
    }
}
