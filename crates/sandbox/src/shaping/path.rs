//! The paths into a document that EventBridge knows: JSONPath's dot notation with dashes and
//! underscores in its names, indices in brackets, and `*` for all children. Quoted names in brackets
//! are none of them, although JSONPath has them.

use serde_json::Value;

use super::bad::BadShape;

/// A parsed path such as `$.detail.items[0].id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Index(usize),
    All,
}

impl Path {
    pub(crate) fn parse(text: &str) -> Result<Self, BadShape> {
        let mut rest = text.strip_prefix('$').ok_or(BadShape::Path)?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, after) = if let Some(named) = rest.strip_prefix('.') {
                let end = named.find(['.', '[']).unwrap_or(named.len());
                (name(&named[..end])?, &named[end..])
            } else {
                let (inside, after) =
                    rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).ok_or(BadShape::Path)?;
                (index(inside.trim())?, after)
            };
            steps.push(step);
            rest = after;
        }
        Ok(Self(steps))
    }

    /// What it leads to. With `*` in it that is a list of all that it leads to.
    pub(crate) fn find(&self, document: &Value) -> Option<Value> {
        let mut found = vec![document];
        for step in &self.0 {
            found = found.into_iter().flat_map(|value| step.children(value)).collect();
        }
        if self.0.contains(&Step::All) {
            return Some(found.into_iter().cloned().collect());
        }
        found.first().map(|value| (*value).clone())
    }
}

fn name(text: &str) -> Result<Step, BadShape> {
    let is_one = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ':' | '/' | '@');
    match text {
        "*" => Ok(Step::All),
        "" => Err(BadShape::Path),
        name if name.chars().all(is_one) => Ok(Step::Name(name.to_owned())),
        _ => Err(BadShape::Path),
    }
}

fn index(text: &str) -> Result<Step, BadShape> {
    match text {
        "*" => Ok(Step::All),
        index => index.parse().map(Step::Index).map_err(|_| BadShape::Path),
    }
}

impl Step {
    fn children<'a>(&self, value: &'a Value) -> Vec<&'a Value> {
        match (self, value) {
            (Self::Name(name), Value::Object(members)) => members.get(name).into_iter().collect(),
            (Self::Index(index), Value::Array(items)) => items.get(*index).into_iter().collect(),
            (Self::All, Value::Array(items)) => items.iter().collect(),
            (Self::All, Value::Object(members)) => members.values().collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_have_names_indices_and_wildcards() {
        let document = json!({ "detail-type": "t", "detail": { "items": [{ "id": 1 }, { "id": null }] } });
        for (path, found) in [
            ("$", Some(document.clone())),
            ("$.detail-type", Some(json!("t"))),
            ("$.detail.items[0].id", Some(json!(1))),
            ("$.detail.items[1].id", Some(json!(null))),
            ("$.detail.items[2]", None),
            ("$.detail.items.id", None),
            ("$.detail.items[*].id", Some(json!([1, null]))),
            ("$.detail.none.*", Some(json!([]))),
        ] {
            assert_eq!(Path::parse(path).expect("a path").find(&document), found, "{path}");
        }
    }

    #[test]
    fn a_path_begins_at_the_root_and_has_no_quotes() {
        for path in
            ["", "detail", ".detail", "$detail", "$.", "$..id", "$.a[", "$.a['b']", "$.a[-1]", "$.a b"]
        {
            assert_eq!(Path::parse(path), Err(BadShape::Path), "{path}");
        }
    }
}
