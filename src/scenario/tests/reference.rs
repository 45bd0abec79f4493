//! The tables of `docs/scenario-reference.md` are those of the schema, and none is missing.
//! `HAVOQ_BLESS=1 cargo test --lib scenario::` writes them anew.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::super::json_schema;

#[test]
fn the_reference_has_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scenario-reference.md");
    let before = std::fs::read_to_string(&path).expect("the reference is there");
    let mut tables = Vec::new();
    collect("scenario", &json_schema(), &mut tables);
    let mut after = before.clone();
    for (name, table) in &tables {
        let (start, end) = (format!("<!-- keys: {name} -->\n"), "<!-- end -->");
        let from = after.find(&start).unwrap_or_else(|| panic!("the reference has no place for `{name}`"))
            + start.len();
        let to = from + after[from..].find(end).expect("the table has an end");
        after.replace_range(from..to, table);
    }
    assert_eq!(after.matches("<!-- keys: ").count(), tables.len(), "a table is left over");
    if std::env::var_os("HAVOQ_BLESS").is_some() {
        std::fs::write(&path, &after).expect("written");
    } else {
        assert_eq!(before, after, "run with HAVOQ_BLESS=1");
    }
}

#[test]
fn the_reference_has_every_kind_of_fault() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scenario-reference.md");
    let text = std::fs::read_to_string(&path).expect("the reference is there");
    for kind in havoq_fault::KINDS {
        let row = format!("| `{}` | {} |\n", kind.name, kind.about);
        assert!(text.contains(&row), "the reference has no row {row}");
    }
}

/// Every record below a schema with its table, each record once.
fn collect(name: &str, schema: &Value, tables: &mut Vec<(String, String)>) {
    for keyword in ["oneOf", "anyOf"] {
        for choice in schema.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            match choice.get("title").and_then(Value::as_str) {
                Some(title) => collect(title, &choice["properties"][title], tables),
                None => collect(name, choice, tables),
            }
        }
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(inner) = schema.get(keyword).filter(|inner| inner.is_object()) {
            collect(name, inner, tables);
        }
    }
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let table = table(properties, schema);
    if tables.iter().any(|(_, known)| *known == table) {
        return;
    }
    tables.push((name.to_owned(), table));
    for (key, property) in properties {
        let inner = if name == "scenario" { key.clone() } else { format!("{name}.{key}") };
        collect(&inner, property, tables);
    }
}

fn table(properties: &serde_json::Map<String, Value>, schema: &Value) -> String {
    let mut table = "| key | type | default | example | meaning |\n|---|---|---|---|---|\n".to_owned();
    for (key, property) in properties {
        let required =
            schema["required"].as_array().is_some_and(|keys| keys.iter().any(|known| known == key));
        let default = match property.get("default") {
            Some(default) => format!("`{}`", yaml(default)),
            None if required => "**required**".to_owned(),
            None => "-".to_owned(),
        };
        let example = yaml(&property["examples"][0]);
        let about = property["description"].as_str().unwrap_or_default();
        writeln!(table, "| `{key}` | {} | {default} | `{example}` | {about} |", type_of(property))
            .expect("written");
    }
    table
}

fn type_of(schema: &Value) -> String {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let words: Vec<_> = words.iter().map(|word| format!("`{}`", yaml(word))).collect();
        return words.join(", ");
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(choices) = schema.get(keyword).and_then(Value::as_array) {
            let mut choices: Vec<_> = choices.iter().map(type_of).collect();
            choices.dedup();
            return choices.join(" or ");
        }
    }
    let limits = || Some((schema.get("minimum")?.as_u64()?, schema.get("maximum")?.as_u64()?));
    match schema.get("type").and_then(Value::as_str) {
        Some("string") if schema["pattern"].as_str().is_some_and(|pattern| pattern.contains("|ms)")) => {
            "duration".into()
        }
        Some("string") if schema["pattern"] == "^\\$" => "JSONPath".into(),
        Some("string") if schema["pattern"].as_str().is_some_and(|pattern| pattern.contains("{1,80}")) => {
            "name".into()
        }
        Some("string") if schema.get("not").is_some() => "path".into(),
        Some("string") => "text".into(),
        Some("boolean") => "`true`, `false`".into(),
        Some("integer") => match limits() {
            Some((low, high)) if high < u64::from(u32::MAX) => format!("whole number, {low} to {high}"),
            Some((low, _)) => format!("whole number from {low}"),
            None => "whole number".into(),
        },
        Some("array") => format!("list of {}", type_of(&schema["items"])),
        Some("object") if schema.get("propertyNames").is_some() => "mapping by name".into(),
        Some("object") => "mapping".into(),
        _ if schema.get("type").is_some_and(Value::is_array) => "text".into(),
        _ => "any value".into(),
    }
}

/// A value in the short form of YAML that people write.
fn yaml(value: &Value) -> String {
    match value {
        Value::String(text) if text.contains(['{', '"']) || text.contains(", ") => format!("\"{text}\""),
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(yaml).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let fields: Vec<_> =
                fields.iter().map(|(key, value)| format!("{key}: {}", yaml(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        other => other.to_string(),
    }
}
