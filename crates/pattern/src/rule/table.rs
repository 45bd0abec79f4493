//! A rule made ready to match: every field with its whole path, and every way to choose among the `$or`s.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::operator::Operator;
use super::search::{self, Wanted};
use super::syntax::{Clause, Rule};

/// The rule holds when all fields of one branch hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    fields: Vec<Field>,
    /// Indices of fields, by their paths. There are no more branches than combinations, which the
    /// front ends limit.
    branches: Vec<Vec<usize>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    /// The names joined by dots: a dot in a name is as good as nesting, in rules and in documents.
    path: String,
    any: Vec<Operator>,
}

impl Table {
    pub(crate) fn new(rule: Rule) -> Self {
        let mut fields: Vec<Field> = Vec::new();
        let branches = expand(rule, "", vec![Vec::new()], &mut fields);
        // A path that is named twice keeps what was said last.
        let by_path = |branch: Vec<usize>| {
            let last: BTreeMap<&str, usize> =
                branch.into_iter().map(|index| (fields[index].path.as_str(), index)).collect();
            last.into_values().collect()
        };
        let branches = branches.into_iter().map(by_path).collect();
        Self { fields, branches }
    }

    pub(crate) fn matches(&self, document: &Value) -> bool {
        let absent = self.absent(document);
        self.branches.iter().any(|branch| {
            let wanted: Vec<Wanted<'_>> = branch
                .iter()
                .map(|index| &self.fields[*index])
                .filter(|field| !(field.accepts_absence() && absent.contains(field.path.as_str())))
                .map(|field| Wanted::new(&field.path, &field.any))
                .collect();
            search::finds(&wanted, document)
        })
    }

    /// Those paths that may be absent and are. Absence is a matter of the whole document, not of one array element.
    fn absent(&self, document: &Value) -> HashSet<&str> {
        let may: BTreeMap<&str, &Field> = self
            .fields
            .iter()
            .filter(|field| field.accepts_absence())
            .map(|field| (field.path.as_str(), field))
            .collect();
        let wanted: Vec<Wanted<'_>> =
            may.values().map(|field| Wanted::new(&field.path, &field.any)).collect();
        let present = search::present(&wanted, document);
        may.into_keys().filter(|path| !present.contains(path)).collect()
    }
}

impl Field {
    fn accepts_absence(&self) -> bool {
        self.any.contains(&Operator::Absent)
    }
}

/// Adds the rule's clauses to each of the branches; `$or` makes more of them.
fn expand(rule: Rule, path: &str, mut branches: Vec<Vec<usize>>, fields: &mut Vec<Field>) -> Vec<Vec<usize>> {
    let join = |name: String| if path.is_empty() { name } else { format!("{path}.{name}") };
    for clause in rule.clauses {
        branches = match clause {
            Clause::Field(name, any) => {
                fields.push(Field { path: join(name), any });
                branches.iter_mut().for_each(|branch| branch.push(fields.len() - 1));
                branches
            }
            Clause::Nested(name, rule) => expand(rule, &join(name), branches, fields),
            Clause::Either(rules) => {
                rules.into_iter().flat_map(|rule| expand(rule, path, branches.clone(), fields)).collect()
            }
        };
    }
    branches
}
