//! Parameters: only their defaults count, since nobody is asked.

use std::collections::BTreeMap;

use super::super::problem::Log;
use super::super::yaml::{Entry, Node, Scalar};
use super::value::Pieces;

/// `None` for a parameter that has a problem.
pub(super) fn read(root: &Node, log: &mut Log<'_>) -> BTreeMap<String, Option<Pieces>> {
    let Some(section) = root.entry("Parameters") else { return BTreeMap::new() };
    let Some(entries) = section.value.entries() else {
        log.report(
            section.value.span,
            format!("expected a mapping of parameters, found {}", section.value.kind()),
        );
        return BTreeMap::new();
    };
    entries.iter().map(|entry| (entry.key.clone(), default_of(entry, log).map(Pieces::text))).collect()
}

fn default_of(entry: &Entry, log: &mut Log<'_>) -> Option<String> {
    let of_type = entry.value.entry("Type").and_then(|entry| entry.value.text());
    if let Some(of_type) = of_type.filter(|of_type| !matches!(*of_type, "String" | "Number")) {
        log.report(entry.key_span, format!("parameters of type `{of_type}` are not built yet"));
        return None;
    }
    let Some(default) = entry.value.entry("Default") else {
        log.report(entry.key_span, format!("the parameter `{}` has no default", entry.key))
            .hint("add `Default:`, since nobody gives it a value here");
        return None;
    };
    match default.value.scalar() {
        Some(Scalar::Null) | None => {
            log.report(
                default.value.span,
                format!("expected a default value, found {}", default.value.kind()),
            );
            None
        }
        Some(_) => default.value.text().map(str::to_owned),
    }
}
