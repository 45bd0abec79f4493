//! The simple values of the language, and lists and tables of them.

use serde_json::{Value, json};

use super::super::names::Named;
use super::super::problem::Log;
use super::super::suggest::hint_for;
use super::super::yaml::{Data, Node, Scalar};
use super::{Decode, Sp, mismatch};

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

fn check_id(text: &str, span: super::Span, log: &mut Log<'_>) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if text.is_empty() || text.len() > MAX_ID || !text.chars().all(fits) {
        let slug: String =
            text.trim().chars().map(|c| if fits(c) { c } else { '-' }).take(MAX_ID).collect();
        let usable = slug.chars().any(|c| c.is_ascii_alphanumeric());
        log.report(span, format!("a name has 1 to {MAX_ID} of the characters A-Z a-z 0-9 _ -"))
            .hint_if(usable.then(|| format!("`{slug}`?")));
        return false;
    }
    true
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

/// A JSONPath.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct PathText(pub(in crate::scenario) String);

impl Decode for PathText {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let Text(text) = Text::decode(node, log)?;
        let (message, hint) = if !text.starts_with('$') {
            ("a JSONPath starts with `$`".to_owned(), Some(format!("`$.{text}`?")))
        } else if let Err(bad) = havoq_pattern::JsonPath::parse(&text) {
            (bad.to_string(), None)
        } else {
            return Some(Self(text));
        };
        log.report(node.span, message).hint_if(hint);
        None
    }
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^\\$" })
    }
}

/// The path of an effect's sink.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct EffectPath(pub(in crate::scenario) String);

impl Decode for EffectPath {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let Text(text) = Text::decode(node, log)?;
        let (message, hint) = match text.strip_prefix('/') {
            None => ("the path must start with `/`".to_owned(), format!("`/{text}`?")),
            Some("") => ("the path `/` belongs to the stack".to_owned(), "`/charges`, for example".to_owned()),
            Some(rest) if starts_with_account(rest) => (
                "a path that starts with an account belongs to a queue".to_owned(),
                "`/charges`, for example".to_owned(),
            ),
            Some(rest) if rest.starts_with("_havoq") => {
                ("paths under `/_havoq` are havoq's own".to_owned(), "`/charges`, for example".to_owned())
            }
            Some(rest) if !rest.bytes().all(is_path_byte) => (
                "a path has the characters A-Z a-z 0-9 / . _ ~ -".to_owned(),
                "`/charges`, for example".to_owned(),
            ),
            Some(_) => return Some(Self(text)),
        };
        log.report(node.span, message).hint(hint);
        None
    }
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^/(?![0-9]{12}(/|$))(?!_havoq)[A-Za-z0-9/._~-]+$" })
    }
}

/// Queue URLs are `/<account>/<queue>`.
fn starts_with_account(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    first.len() == 12 && first.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/._~-".contains(&byte)
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

/// A node that is read later: the stack.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct Raw(pub(in crate::scenario) Node);

impl Decode for Raw {
    fn decode(node: &Node, _: &mut Log<'_>) -> Option<Self> {
        Some(Self(node.clone()))
    }
    fn schema() -> Value {
        json!({ "oneOf": [
            { "type": "string", "description": "A CloudFormation template, relative to this file." },
            { "type": "object", "description": "A CloudFormation template.", "required": ["Resources"] },
        ]})
    }
}

impl<T: Decode> Decode for Vec<Sp<T>> {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let Data::List(items) = &node.data else {
            return not_a_list(node, log);
        };
        Some(items.iter().filter_map(|item| Sp::decode(item, log)).collect())
    }
    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema() })
    }
}

fn not_a_list<T>(node: &Node, log: &mut Log<'_>) -> Option<T> {
    let hint = match (&node.data, node.text()) {
        (Data::Map(_), _) => Some("start each item with `- `".to_owned()),
        (_, Some(text)) if !text.is_empty() && text.len() < 60 && !text.contains(['\n', ',', '[', '{', '"', '\'']) => {
            let parts: Vec<_> = text.split_whitespace().collect();
            Some(format!("`[{}]`?", parts.join(", ")))
        }
        _ => None,
    };
    if node.tag.is_some() {
        mismatch(node, "a list", log);
    } else {
        log.report(node.span, format!("expected a list, found {}", node.kind())).hint_if(hint);
    }
    None
}

/// A list that may not be empty.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct Several<T>(pub(in crate::scenario) Vec<Sp<T>>);

impl<T: Decode> Decode for Several<T> {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        if matches!(&node.data, Data::List(items) if items.is_empty()) {
            log.report(node.span, "this list is empty");
            return None;
        }
        Vec::decode(node, log).map(Self)
    }
    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema(), "minItems": 1 })
    }
}

/// One value, or a list of them.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct OneOrMany<T>(pub(in crate::scenario) Vec<Sp<T>>);

impl<T: Decode> Decode for OneOrMany<T> {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        match &node.data {
            Data::List(_) => Several::decode(node, log).map(|Several(items)| Self(items)),
            _ => Sp::decode(node, log).map(|item| Self(vec![item])),
        }
    }
    fn schema() -> Value {
        json!({ "anyOf": [T::schema(), Several::<T>::schema()] })
    }
}

/// A mapping whose keys are names that the scenario gives. A name stays when its value is wrong, so
/// that what refers to it is not called wrong too.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct Table<T>(pub(in crate::scenario) Vec<(Sp<String>, Option<Sp<T>>)>);

impl<T: Decode> Decode for Table<T> {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let Some(entries) = node.entries().filter(|_| node.tag.is_none()) else {
            mismatch(node, "a mapping of names", log);
            return None;
        };
        let mut table = Vec::new();
        for entry in entries {
            let fits = check_id(&entry.key, entry.key_span, log);
            let value = Sp::decode(&entry.value, log);
            if fits {
                table.push((Sp { value: entry.key.clone(), span: entry.key_span }, value));
            }
        }
        Some(Self(table))
    }
    fn schema() -> Value {
        json!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z0-9_-]{1,80}$" },
            "additionalProperties": T::schema(),
        })
    }
}
