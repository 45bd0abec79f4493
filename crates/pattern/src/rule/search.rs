//! The walk through a document that looks for values for all fields of a branch at once.
//!
//! A document is walked about once a branch, whatever its arrays hold. The walk goes no deeper than the document does,
//! and serde_json reads none that is deeper than 128. Where a field is found by several ways because names have dots,
//! what AWS does is not established, and arrays on those ways are not held together.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::operator::Operator;
use super::scalar::Scalar;

/// A field that needs a value, and how much of its path is still to go. Slices of these are sorted by `left`.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'r> {
    path: &'r str,
    /// `None` once the walk has come to the field itself.
    left: Option<&'r str>,
    any: &'r [Operator],
}

impl<'r> Wanted<'r> {
    pub(super) fn new(path: &'r str, any: &'r [Operator]) -> Self {
        Self { path, left: Some(path), any }
    }

    fn is_met_by(&self, value: &Value) -> bool {
        self.left.is_none()
            && Scalar::of(value).is_some_and(|value| self.any.iter().any(|operator| operator.matches(value)))
    }
}

/// Whether the document has a value for each of the fields. Fields below one array take their values from one and the
/// same element of it, so that what is true of different records is not mixed up.
pub(super) fn finds(wanted: &[Wanted<'_>], document: &Value) -> bool {
    match document {
        Value::Array(elements) => elements.iter().any(|element| finds(wanted, element)),
        Value::Object(members) => finds_in_object(wanted, members),
        scalar => wanted.iter().all(|field| field.is_met_by(scalar)),
    }
}

fn finds_in_object(wanted: &[Wanted<'_>], members: &Map<String, Value>) -> bool {
    let steps: Vec<(Vec<Step<'_>>, &Value)> =
        members.iter().map(|(name, value)| (steps(wanted, name), value)).collect();
    let mut ways = vec![0_usize; wanted.len()];
    steps.iter().flat_map(|(steps, _)| steps).for_each(|step| ways[step.index] += 1);
    if ways.contains(&0) {
        return false;
    }
    // With names that have dots, a field can be found by more ways than one: then any will do, each by itself.
    let mut met = vec![false; wanted.len()];
    for (steps, value) in &steps {
        let (together, alone): (Vec<&Step<'_>>, Vec<&Step<'_>>) =
            steps.iter().partition(|step| ways[step.index] == 1);
        if !together.is_empty() {
            let fields: Vec<Wanted<'_>> = together.iter().map(|step| step.field).collect();
            if !finds(&fields, value) {
                return false;
            }
            together.iter().for_each(|step| met[step.index] = true);
        }
        for step in alone {
            met[step.index] = met[step.index] || finds(&[step.field], value);
        }
    }
    met.into_iter().all(|met| met)
}

/// The paths at which the document has a value, null being one. Empty arrays and objects are none.
pub(super) fn present<'r>(wanted: &[Wanted<'r>], document: &Value) -> HashSet<&'r str> {
    let mut found = HashSet::new();
    mark_present(wanted, document, &mut found);
    found
}

fn mark_present<'r>(wanted: &[Wanted<'r>], document: &Value, found: &mut HashSet<&'r str>) {
    if wanted.is_empty() {
        return;
    }
    match document {
        Value::Array(elements) => elements.iter().for_each(|element| mark_present(wanted, element, found)),
        Value::Object(members) => {
            for (name, value) in members {
                let below: Vec<Wanted<'r>> = steps(wanted, name).iter().map(|step| step.field).collect();
                mark_present(&below, value, found);
            }
        }
        _ => found.extend(wanted.iter().filter(|field| field.left.is_none()).map(|field| field.path)),
    }
}

/// A field after the walk went into a member that its path goes through.
struct Step<'r> {
    index: usize,
    field: Wanted<'r>,
}

/// The fields whose paths go on through the member `name`.
fn steps<'r>(wanted: &[Wanted<'r>], name: &str) -> Vec<Step<'r>> {
    let mut steps = Vec::new();
    let here = wanted.partition_point(|field| field.left < Some(name));
    if let Some(field) = wanted.get(here).filter(|field| field.left == Some(name)) {
        steps.push(Step { index: here, field: Wanted { left: None, ..*field } });
    }
    let with_dot = || name.bytes().chain([b'.']);
    let first = wanted.partition_point(|field| field.left.is_none_or(|left| left.bytes().lt(with_dot())));
    for (index, field) in wanted.iter().enumerate().skip(first) {
        match field.left.and_then(|left| left.strip_prefix(name)).and_then(|left| left.strip_prefix('.')) {
            Some(left) => steps.push(Step { index, field: Wanted { left: Some(left), ..*field } }),
            None => break,
        }
    }
    steps
}
