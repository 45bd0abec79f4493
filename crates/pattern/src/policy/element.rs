//! Reading the elements of a policy: objects with known names, and one text or a list of them.

use serde_json::{Map, Value};

use super::bad::BadPolicy;

pub(super) fn object<'a>(value: &'a Value, name: &str) -> Result<&'a Map<String, Value>, BadPolicy> {
    value.as_object().ok_or_else(|| BadPolicy::new(format!("{name} must be an object")))
}

pub(super) fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, BadPolicy> {
    value.as_str().ok_or_else(|| BadPolicy::new(format!("{name} must be a string")))
}

/// One value as a list of one.
pub(super) fn list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], BadPolicy> {
    match value {
        Value::Array(values) if values.is_empty() => Err(BadPolicy::new(format!("{name} must not be empty"))),
        Value::Array(values) => Ok(values),
        one => Ok(std::slice::from_ref(one)),
    }
}

pub(super) fn texts<'a>(value: &'a Value, name: &str) -> Result<Vec<&'a str>, BadPolicy> {
    list(value, name)?.iter().map(|value| text(value, name)).collect()
}

/// Refuses names that the language does not have.
pub(super) fn only_known(object: &Map<String, Value>, known: &[&str]) -> Result<(), BadPolicy> {
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(BadPolicy::new(format!("unknown element {key:?}"))),
        None => Ok(()),
    }
}

/// An element and its opposite, such as `Action` and `NotAction`, of which one at most may be there.
#[derive(Clone, Debug)]
pub(super) enum Either<T> {
    Is(T),
    IsNot(T),
}

pub(super) fn either<T>(
    statement: &Map<String, Value>,
    name: &str,
    parse: impl Fn(&Value) -> Result<T, BadPolicy>,
) -> Result<Option<Either<T>>, BadPolicy> {
    let opposite = format!("Not{name}");
    match (statement.get(name), statement.get(&opposite)) {
        (None, None) => Ok(None),
        (Some(value), None) => parse(value).map(|parsed| Some(Either::Is(parsed))),
        (None, Some(value)) => parse(value).map(|parsed| Some(Either::IsNot(parsed))),
        (Some(_), Some(_)) => Err(BadPolicy::new(format!("{name} and {opposite} exclude each other"))),
    }
}

impl<T> Either<T> {
    pub(super) fn holds(&self, test: impl Fn(&T) -> bool) -> bool {
        match self {
            Self::Is(inner) => test(inner),
            Self::IsNot(inner) => !test(inner),
        }
    }

    pub(super) fn inner(&self) -> &T {
        match self {
            Self::Is(inner) | Self::IsNot(inner) => inner,
        }
    }
}
