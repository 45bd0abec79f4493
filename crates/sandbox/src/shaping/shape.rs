//! What a target gets of a document.

use std::collections::BTreeMap;

use serde_json::Value;

use super::bad::BadShape;
use super::path::Path;
use super::template::{Template, Values};
use super::transformer::InputTransformer;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The document itself.
    Whole,
    /// A constant.
    Constant(String),
    /// What a path leads to.
    Part(Path),
    Transformed {
        paths: BTreeMap<String, Path>,
        template: Template,
    },
}

/// A document, and what is known about it that its template can name.
pub(crate) trait Source {
    /// The names of the values that it has beside those that paths lead to.
    const PREDEFINED: &'static [&'static str];

    fn document(&self) -> &Value;

    /// The value of one of them.
    fn predefined(&self, name: &str) -> Option<Value>;
}

struct Found<'a, S> {
    source: &'a S,
    paths: &'a BTreeMap<String, Path>,
}

impl<S: Source> Values for Found<'_, S> {
    fn value(&self, name: &str) -> Option<Value> {
        match self.paths.get(name) {
            Some(path) => path.find(self.source.document()),
            None => self.source.predefined(name),
        }
    }
}

impl Shape {
    /// `S` is what will be shaped.
    pub(crate) fn new<S: Source>(
        input: Option<&str>,
        path: Option<&str>,
        transformer: Option<&InputTransformer>,
    ) -> Result<Self, BadShape> {
        match (input, path, transformer) {
            (None, None, None) => Ok(Self::Whole),
            (Some(input), None, None) => {
                serde_json::from_str::<serde::de::IgnoredAny>(input).map_err(|_| BadShape::Input)?;
                Ok(Self::Constant(input.to_owned()))
            }
            (None, Some(path), None) => Ok(Self::Part(Path::parse(path)?)),
            (None, None, Some(transformer)) => {
                let paths = transformer.paths()?;
                let declares = |name: &str| paths.contains_key(name) || S::PREDEFINED.contains(&name);
                let template = Template::parse(transformer.template(), declares)?;
                Ok(Self::Transformed { paths, template })
            }
            _ => Err(BadShape::Several),
        }
    }

    /// The text for the target; an error says why the template did not become JSON. A path that
    /// leads nowhere gives `null`.
    pub(crate) fn apply<S: Source>(&self, source: &S) -> Result<String, String> {
        match self {
            Self::Whole => Ok(source.document().to_string()),
            Self::Constant(text) => Ok(text.clone()),
            Self::Part(path) => Ok(path.find(source.document()).unwrap_or(Value::Null).to_string()),
            Self::Transformed { paths, template } => template.fill(&Found { source, paths }),
        }
    }
}
