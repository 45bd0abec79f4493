//! JSONPath (RFC 9535), to find the key of an effect or the marker of a message.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

/// A parsed JSONPath such as `$.orderId`.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonPath {
    text: String,
    path: serde_json_path::JsonPath,
}

/// Why a text is no JSONPath.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a JSONPath: {reason}")]
pub struct BadPath {
    text: String,
    reason: String,
}

impl JsonPath {
    pub fn parse(text: &str) -> Result<Self, BadPath> {
        let bad = |reason: String| BadPath { text: text.to_owned(), reason };
        if !text.starts_with('$') {
            return Err(bad(format!("it must begin with '$'\nhint: write {:?}", format!("$.{text}"))));
        }
        let path = serde_json_path::JsonPath::parse(text)
            .map_err(|error| bad(format!("{} at position {}", error.message(), error.position() + 1)))?;
        Ok(Self { text: text.to_owned(), path })
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it can match one value at most: names and indices are its only selectors (RFC 9535,
    /// section 2.3.5.1). A valid path has the signs of the others nowhere but in them and in quotes.
    pub fn is_singular(&self) -> bool {
        let bare = unquoted(&self.text);
        !bare.contains(['*', ',', ':', '?']) && !bare.contains("..")
    }

    /// The first match as text: strings as they are, numbers and booleans as JSON writes them.
    /// `None` when nothing matches, or what does is null, a list or an object.
    pub fn first(&self, document: &Value) -> Option<String> {
        match self.path.query(document).first()? {
            Value::String(text) => Some(text.clone()),
            scalar @ (Value::Number(_) | Value::Bool(_)) => Some(scalar.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// The path without its quoted names.
fn unquoted(path: &str) -> String {
    let (mut bare, mut quote, mut escaped) = (String::new(), None, false);
    for letter in path.chars() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if letter == '\\' => escaped = true,
            Some(end) if letter == end => quote = None,
            Some(_) => {}
            None if matches!(letter, '\'' | '"') => quote = Some(letter),
            None => bare.push(letter),
        }
    }
    bare
}

impl FromStr for JsonPath {
    type Err = BadPath;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_match_is_given_as_text() {
        let document =
            json!({ "order": { "id": "o-1", "lines": [{ "n": 7 }, { "n": 8 }], "paid": true, "x": null } });
        let first = |path: &str| JsonPath::parse(path).expect("a path").first(&document);
        assert_eq!(first("$.order.id").as_deref(), Some("o-1"));
        assert_eq!(first("$.order.lines[*].n").as_deref(), Some("7"));
        assert_eq!(first("$.order.paid").as_deref(), Some("true"));
        assert_eq!(first("$.order.x"), None);
        assert_eq!(first("$.order.lines"), None);
        assert_eq!(first("$.missing"), None);
    }

    #[test]
    fn names_and_indices_alone_are_singular() {
        let singular = |path: &str| JsonPath::parse(path).expect("a path").is_singular();
        for path in ["$.a", "$.a.b[0]", "$[-1]['x']", "$['*,:?..']", "$[\"it's..\\\"*\"]"] {
            assert!(singular(path), "{path}");
        }
        for path in ["$[*].a", "$..a", "$.a.*", "$[0,1]", "$[0:2]", "$['a','b']", "$[?@.a == 'b'].c"] {
            assert!(!singular(path), "{path}");
        }
    }

    #[test]
    fn a_bad_path_says_what_is_wrong_with_it() {
        let error = |path: &str| JsonPath::parse(path).expect_err("no path").to_string();
        assert!(error("orderId").contains("hint: write \"$.orderId\""));
        assert!(error("$.a[").contains("position"), "{}", error("$.a["));
    }
}
