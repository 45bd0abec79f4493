//! Lists and tables of other values.

use serde_json::{Value, json};

use super::super::problem::Log;
use super::super::yaml::{Data, Node};
use super::scalars::check_id;
use super::{Decode, Sp, mismatch};

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
        (_, Some(text))
            if !text.is_empty() && text.len() < 60 && !text.contains(['\n', ',', '[', '{', '"', '\'']) =>
        {
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
