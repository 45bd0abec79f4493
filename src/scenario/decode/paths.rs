//! Paths: into a JSON document, and of a sink.

use serde_json::{Value, json};

use super::super::problem::Log;
use super::super::yaml::Node;
use super::{Decode, Text};

/// A JSONPath that names one value: an identity that could be several would be judged by its first.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct PathText(pub(in crate::scenario) String);

impl Decode for PathText {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let Text(text) = Text::decode(node, log)?;
        let (message, hint) = match havoq_pattern::JsonPath::parse(&text) {
            _ if !text.starts_with('$') => {
                ("a JSONPath starts with `$`".to_owned(), Some(format!("`$.{text}`?")))
            }
            Err(bad) => (bad.to_string(), None),
            Ok(path) if !path.is_singular() => (
                format!("{text:?} can match several values"),
                Some("one request is one effect: name the field by its path".to_owned()),
            ),
            Ok(_) => return Some(Self(text)),
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
            Some("") => {
                ("the path `/` belongs to the stack".to_owned(), "`/charges`, for example".to_owned())
            }
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
        json!({
            "type": "string",
            "pattern": "^/[A-Za-z0-9/._~-]+$",
            "not": { "pattern": "^/([0-9]{12}(/|$)|_havoq)" },
        })
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
