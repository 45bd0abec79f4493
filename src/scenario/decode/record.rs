//! Mappings with fixed keys, and choices by a single key.

use super::super::problem::Log;
use super::super::suggest::hint_for;
use super::super::yaml::{Entry, Node};
use super::{Decode, Key, Sp, mismatch};

/// Whether a key must be there, and what holds when it is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::scenario) enum Need {
    Required,
    Optional,
    /// Optional; the text is the default, for the schema and the reference.
    Default(&'static str),
}

/// The entries of a mapping whose keys were checked.
pub(in crate::scenario) struct Fields<'a> {
    entries: &'a [Entry],
}

impl<'a> Fields<'a> {
    /// Notes unknown and missing keys. `None` when this is no mapping at all.
    pub(in crate::scenario) fn of(
        node: &'a Node,
        keys: &[Key],
        later: &[&str],
        log: &mut Log<'_>,
    ) -> Option<Self> {
        let Some(entries) = node.entries().filter(|_| node.tag.is_none()) else {
            mismatch(node, &expected(keys), log);
            return None;
        };
        for entry in entries {
            if later.contains(&entry.key.as_str()) {
                not_built_yet(entry, log);
            } else if !keys.iter().any(|key| key.name == entry.key) {
                log.report(entry.key_span, format!("unknown key `{}`", entry.key))
                    .hint_if(hint_for(&entry.key, keys.iter().map(|key| key.name)));
            }
        }
        for key in keys.iter().filter(|key| key.need == Need::Required) {
            if !entries.iter().any(|entry| entry.key == key.name) {
                let example = key.example;
                log.report(node.span, format!("`{}` is missing", key.name))
                    .hint(format!("add `{}: {example}`, for example", key.name));
            }
        }
        Some(Self { entries })
    }

    /// The keys that are there, with right values or wrong ones.
    pub(in crate::scenario) fn given(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.key.clone()).collect()
    }

    pub(in crate::scenario) fn take<T: Decode>(&self, key: &str, log: &mut Log<'_>) -> Option<Sp<T>> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        Sp::decode(&entry.value, log)
    }
}

pub(in crate::scenario) fn not_built_yet(entry: &Entry, log: &mut Log<'_>) {
    log.report(entry.key_span, format!("`{}` is not built yet", entry.key));
}

/// What a record is, by an example when that is short, else by its keys.
fn expected(keys: &[Key]) -> String {
    let required = keys.iter().filter(|key| key.need == Need::Required);
    let mut shown: Vec<_> = required.collect();
    if shown.is_empty() {
        shown.extend(keys.first());
    }
    let example: Vec<_> = shown.iter().map(|key| format!("{}: {}", key.name, key.example)).collect();
    let example = example.join(", ");
    if example.len() <= 80 {
        return format!("a mapping such as `{{ {example} }}`");
    }
    let names: Vec<_> = shown.iter().map(|key| format!("`{}`", key.name)).collect();
    format!("a mapping with the keys {}", names.join(", "))
}

/// The single entry of a mapping that names its own kind, such as a step. Its key is one of
/// `names`; anything else is noted.
pub(in crate::scenario) fn variant_of<'a>(
    node: &'a Node,
    what: &str,
    names: &[&str],
    later: &[&str],
    log: &mut Log<'_>,
) -> Option<&'a Entry> {
    let Some(entries) = node.entries().filter(|_| node.tag.is_none()) else {
        mismatch(node, &format!("{what}, a mapping with one key"), log);
        return None;
    };
    let Some(entry) = entries.first() else {
        mismatch(node, what, log);
        return None;
    };
    if later.contains(&entry.key.as_str()) {
        not_built_yet(entry, log);
        return None;
    }
    if !names.contains(&entry.key.as_str()) {
        log.report(entry.key_span, format!("`{}` is not {what}", entry.key))
            .hint_if(hint_for(&entry.key, names.iter().copied()));
        return None;
    }
    if let Some(second) = entries.get(1) {
        let noted = log.report(
            second.key_span,
            format!("`{}` stands beside `{}`, but {what} has one key", second.key, entry.key),
        );
        // `- send:` with its fields not indented below it is the usual cause.
        let flat = entry.value.kind() == "nothing" && !names.contains(&second.key.as_str());
        noted.hint(if flat {
            format!("indent it deeper than `{}`", entry.key)
        } else {
            "give it a `- ` of its own".to_owned()
        });
        return None;
    }
    Some(entry)
}

/// For records with keys that exclude or need each other.
pub(in crate::scenario) trait Given {
    /// Whether a key was given, if only with a wrong value, which has been noted then.
    fn has(&self, key: &str) -> bool;
    /// Whether any key was given besides `known`.
    fn has_more_than(&self, known: &[&str]) -> bool;
}

/// Declares a mapping with fixed keys: `"key" => field: Type, need, "example";`. Every field is
/// optional in Rust, since a wrong value has been noted and is left out.
macro_rules! record {
    (
        $(#[doc = $doc:literal])*
        $name:ident $(later [$($later:literal),*])? {
            $($(#[doc = $about:literal])* $key:literal => $field:ident: $type:ty, $need:expr, $example:literal;)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug)]
        pub(in crate::scenario) struct $name {
            given: Vec<String>,
            $(pub(in crate::scenario) $field: Option<$crate::scenario::decode::Sp<$type>>,)*
        }

        impl $name {
            const KEYS: &'static [$crate::scenario::decode::Key] = &[$($crate::scenario::decode::Key {
                name: $key,
                about: concat!($($about),*),
                need: $need,
                example: $example,
                schema: $crate::scenario::decode::schema_of::<$type>,
            }),*];
            const LATER: &'static [&'static str] = &[$($($later),*)?];
        }

        impl $crate::scenario::decode::Given for $name {
            fn has(&self, key: &str) -> bool {
                self.given.iter().any(|given| given == key)
            }
            fn has_more_than(&self, known: &[&str]) -> bool {
                self.given.iter().any(|given| !known.contains(&given.as_str()))
            }
        }

        impl $crate::scenario::decode::Decode for $name {
            fn decode(
                node: &$crate::scenario::yaml::Node,
                log: &mut $crate::scenario::problem::Log<'_>,
            ) -> Option<Self> {
                let fields = $crate::scenario::decode::Fields::of(node, Self::KEYS, Self::LATER, log)?;
                Some(Self { given: fields.given(), $($field: fields.take($key, log),)* })
            }
            fn schema() -> serde_json::Value {
                $crate::scenario::decode::object_schema(concat!($($doc),*), Self::KEYS)
            }
        }
    };
}

/// Declares a choice by a single key, such as `- send: {...}`: `"key" => Variant(Type);`.
macro_rules! variants {
    (
        $(#[doc = $doc:literal])*
        $name:ident, $what:literal, later [$($later:literal),*] {
            $($vkey:literal => $vname:ident($vtype:ty), $vexample:literal;)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug)]
        pub(in crate::scenario) enum $name {
            $($vname(Box<$crate::scenario::decode::Sp<$vtype>>),)*
        }

        impl $name {
            pub(in crate::scenario) const KEYS: &'static [$crate::scenario::decode::Key] = &[$($crate::scenario::decode::Key {
                name: $vkey,
                about: "",
                need: $crate::scenario::decode::Need::Optional,
                example: $vexample,
                schema: $crate::scenario::decode::schema_of::<$vtype>,
            }),*];
            pub(in crate::scenario) const LATER: &'static [&'static str] = &[$($later),*];
        }

        impl $crate::scenario::decode::Decode for $name {
            fn decode(
                node: &$crate::scenario::yaml::Node,
                log: &mut $crate::scenario::problem::Log<'_>,
            ) -> Option<Self> {
                let names = [$($vkey),*];
                let entry = $crate::scenario::decode::variant_of(node, $what, &names, Self::LATER, log)?;
                match entry.key.as_str() {
                    $($vkey => $crate::scenario::decode::Decode::decode(&entry.value, log).map(Box::new).map(Self::$vname),)*
                    _ => None,
                }
            }
            fn schema() -> serde_json::Value {
                $crate::scenario::decode::variants_schema(concat!($($doc),*), Self::KEYS)
            }
        }
    };
}

pub(in crate::scenario) use {record, variants};
