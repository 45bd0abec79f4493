//! `Globals` and `Transform` of SAM: settings that all functions of a template share.

use super::super::model::Fields;
use super::super::yaml::{Data, Node};
use super::properties::Properties;
use super::resources::Stack;
use super::shapes;

const SERVERLESS: &str = "AWS::Serverless-2016-10-31";

/// The settings of all functions, as SAM's function has them.
pub(super) fn read<'a>(root: &'a Node, stack: &mut Stack<'a, '_>, ignored: &mut Vec<String>) -> Fields {
    transforms(root, ignored);
    let Some(section) = root.entry("Globals") else { return Fields::new() };
    let Some(entries) = section.value.entries() else {
        let message = format!("expected a mapping of settings, found {}", section.value.kind());
        stack.log.report(section.value.span, message);
        return Fields::new();
    };
    let others = entries.iter().filter(|entry| entry.key != "Function");
    ignored.extend(others.map(|entry| format!("`Globals`: {} is not implemented", entry.key)));
    let Some(function) = entries.iter().find(|entry| entry.key == "Function") else { return Fields::new() };
    stack.current = None;
    let mut properties = Properties::of_globals(stack, &function.value, ignored);
    properties.fields(shapes::SERVERLESS_FUNCTION).flatten().unwrap_or_default()
}

/// SAM's is what the resources are read by anyway; others could change anything.
fn transforms(root: &Node, ignored: &mut Vec<String>) {
    let Some(entry) = root.entry("Transform") else { return };
    let names: Vec<Option<&str>> = match &entry.value.data {
        Data::List(items) => items.iter().map(Node::text).collect(),
        _ => vec![entry.value.text()],
    };
    for name in names.into_iter().filter(|name| *name != Some(SERVERLESS)) {
        ignored.push(format!("the transform `{}` is not implemented", name.unwrap_or("without a name")));
    }
}
