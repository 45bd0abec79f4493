//! A rule made ready to match: every field with its whole path, and every way to choose among the `$or`s.

use std::collections::BTreeMap;

use serde_json::Value;

use super::language::{Language, Precision};
use super::marks::Marks;
use super::operator::Operator;
use super::search::{Search, Wanted};
use super::syntax::{Clause, Rule};

/// The rule holds when all fields of one branch hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    fields: Vec<Field>,
    /// Indices of fields, by path. There are no more branches than combinations, which the front ends limit.
    branches: Vec<Vec<u32>>,
    /// One field for each path that may be absent, by path.
    optional: Vec<u32>,
    precision: Precision,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    /// The names joined by dots: a dot in a name is as good as nesting, in rules and in documents.
    pub(super) path: String,
    pub(super) any: Vec<Operator>,
    /// The number of the path among those that may be absent, if this field may.
    pub(super) optional: Option<usize>,
}

impl Table {
    pub(crate) fn new(rule: Rule, language: Language) -> Self {
        let mut fields = Vec::new();
        let branches = expand(rule, "", vec![Vec::new()], &mut fields);
        let optional = number_optional(&mut fields);
        let branches = branches.iter().map(|branch| by_path(branch, &fields)).collect();
        Self { fields, branches, optional, precision: language.precision() }
    }

    pub(crate) fn matches(&self, document: &Value) -> bool {
        let nothing = Marks::none(self.optional.len());
        let search = |absent| Search { fields: &self.fields, precision: self.precision, absent };
        let mut present = nothing.clone();
        if !self.optional.is_empty() {
            search(&nothing).mark_present(Wanted::all(&self.optional), document, &mut present);
        }
        let absent = present.others();
        let search = search(&absent);
        self.branches.iter().any(|branch| search.finds(Wanted::all(branch), document))
    }
}

impl Field {
    fn accepts_absence(&self) -> bool {
        self.any.contains(&Operator::Absent)
    }
}

/// Adds the rule's clauses to each of the branches; `$or` makes more of them.
fn expand(rule: Rule, path: &str, mut branches: Vec<Vec<u32>>, fields: &mut Vec<Field>) -> Vec<Vec<u32>> {
    let join = |name: String| if path.is_empty() { name } else { format!("{path}.{name}") };
    for clause in rule.clauses {
        branches = match clause {
            Clause::Field(name, any) => {
                let index = u32::try_from(fields.len()).expect("a rule is shorter than its text's limit");
                fields.push(Field { path: join(name), any, optional: None });
                branches.iter_mut().for_each(|branch| branch.push(index));
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

/// A path that is named twice keeps what was said last.
fn by_path(branch: &[u32], fields: &[Field]) -> Vec<u32> {
    let last: BTreeMap<&[u8], u32> =
        branch.iter().map(|index| (fields[*index as usize].path.as_bytes(), *index)).collect();
    last.into_values().collect()
}

fn number_optional(fields: &mut [Field]) -> Vec<u32> {
    let optional: Vec<u32> = (0_u32..)
        .zip(&*fields)
        .filter(|(_, field)| field.accepts_absence())
        .map(|(index, _)| index)
        .collect();
    let optional = by_path(&optional, fields);
    let numbers: BTreeMap<String, usize> = optional
        .iter()
        .enumerate()
        .map(|(number, index)| (fields[*index as usize].path.clone(), number))
        .collect();
    for field in fields.iter_mut().filter(|field| field.accepts_absence()) {
        field.optional = numbers.get(&field.path).copied();
    }
    optional
}
