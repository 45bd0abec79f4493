//! The schema and the loader agree wherever a schema can tell.

use serde_json::Value;

use super::super::json_schema;
use super::super::problem::Log;
use super::super::yaml::compose;
use super::validator::valid;
use super::{fixtures, stem};

fn value_of(text: &str) -> Option<Value> {
    compose(text, &mut Log::new("x.yaml", text)).map(|node| node.to_json())
}

#[test]
fn good_files_fit_the_schema() {
    let schema = json_schema();
    for path in fixtures("good") {
        let text = std::fs::read_to_string(&path).expect("a readable fixture");
        assert!(valid(&value_of(&text).expect("a tree"), &schema), "{}", stem(&path));
    }
}

/// Bad files whose faults lie in names, order and combinations, which no schema sees.
const BEYOND_A_SCHEMA: [&str; 12] = [
    "deployed-together",
    "duplicate-keys",
    "functions-of-the-stack",
    "kill",
    "ready-together",
    "template",
    "template-alarms",
    "template-filters",
    "template-references",
    "template-services",
    "unknown-names",
    "unknown-anchor",
];

#[test]
fn bad_files_do_not_fit_the_schema_where_it_can_tell() {
    let schema = json_schema();
    for path in fixtures("bad") {
        let text = std::fs::read_to_string(&path).expect("a readable fixture");
        let Some(value) = value_of(&text) else { continue };
        let name = stem(&path);
        assert_eq!(valid(&value, &schema), BEYOND_A_SCHEMA.contains(&name.as_str()), "{name}");
    }
}

#[test]
fn every_example_fits_its_own_schema() {
    let mut seen = 0;
    every_schema(&json_schema(), &mut |schema| {
        let examples = schema.get("examples").and_then(Value::as_array).into_iter().flatten();
        for example in examples.chain(schema.get("default")) {
            assert!(valid(example, schema), "{example} against {schema:#}");
            seen += 1;
        }
    });
    assert!(seen > 80, "only {seen} examples");
}

#[test]
fn every_key_of_the_schema_says_what_it_is() {
    every_schema(&json_schema(), &mut |schema| {
        for (key, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            assert!(property["description"].as_str().is_some_and(|text| text.len() > 5), "{key}");
        }
    });
}

fn every_schema(value: &Value, visit: &mut impl FnMut(&Value)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| every_schema(item, visit)),
        Value::Object(keywords) => {
            visit(value);
            for (keyword, value) in keywords {
                // Examples are values, not schemas.
                if !matches!(keyword.as_str(), "examples" | "default") {
                    every_schema(value, visit);
                }
            }
        }
        _ => {}
    }
}
