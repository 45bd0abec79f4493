//! A rule as it is written: fields with their alternatives, nesting, and `$or`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::error::BadRule;
use super::operator::Operator;

/// All of its clauses must hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rule {
    pub(super) clauses: Vec<Clause>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Clause {
    /// One of the alternatives holds for the field.
    Field(String, Vec<Operator>),
    Nested(String, Rule),
    /// `$or`.
    Either(Vec<Rule>),
}

const OR: &str = "$or";

/// With one of these as a key in its array, `$or` is the name of a field.
const RESERVED: &[&str] = &[
    "exactly",
    "equals-ignore-case",
    "prefix",
    "suffix",
    "anything-but",
    "exists",
    "wildcard",
    "numeric",
    "cidr",
    "=",
    "<",
    "<=",
    ">",
    ">=",
    "regex",
    "not-wildcard",
    "not-equals-ignore-case",
    "date-after",
    "date-on-or-after",
    "date-before",
    "date-on-or-before",
    "in-date-range",
    "ip-address-in-range",
    "ip-address-not-in-range",
];

impl Rule {
    pub(crate) fn parse(fields: &Map<String, Value>) -> Result<Self, BadRule> {
        let clauses =
            fields.iter().map(|(name, value)| Clause::parse(name, value)).collect::<Result<_, _>>()?;
        Ok(Self { clauses })
    }

    /// Whether any field stands inside another.
    pub(crate) fn is_nested(&self) -> bool {
        self.clauses.iter().any(|clause| match clause {
            Clause::Field(..) => false,
            Clause::Nested(..) => true,
            Clause::Either(rules) => rules.iter().any(Self::is_nested),
        })
    }

    /// The names at the top, `$or` being one.
    pub(crate) fn keys(&self) -> usize {
        self.clauses.len()
    }

    /// The product over the fields of the number of alternatives and of the depth; `$or` adds its rules up.
    pub(crate) fn combinations(&self) -> u64 {
        self.combinations_at(1)
    }

    fn combinations_at(&self, depth: u64) -> u64 {
        self.clauses.iter().fold(1, |product: u64, clause| {
            product.saturating_mul(match clause {
                Clause::Field(_, any) => depth.saturating_mul(any.len() as u64),
                Clause::Nested(_, rule) => rule.combinations_at(depth + 1),
                Clause::Either(rules) => {
                    rules.iter().fold(0, |sum: u64, rule| sum.saturating_add(rule.combinations_at(depth)))
                }
            })
        })
    }

    /// The names that it looks for first.
    pub(crate) fn names(&self) -> HashSet<String> {
        let mut names = HashSet::new();
        for clause in &self.clauses {
            match clause {
                Clause::Field(name, _) | Clause::Nested(name, _) => drop(names.insert(name.clone())),
                Clause::Either(rules) => rules.iter().for_each(|rule| names.extend(rule.names())),
            }
        }
        names
    }

    /// Gives the alternatives of each field to `look`.
    pub(crate) fn each_field(&self, look: &mut impl FnMut(&[Operator])) {
        for clause in &self.clauses {
            match clause {
                Clause::Field(_, any) => look(any),
                Clause::Nested(_, rule) => rule.each_field(look),
                Clause::Either(rules) => rules.iter().for_each(|rule| rule.each_field(look)),
            }
        }
    }

    fn nested(fields: &Map<String, Value>) -> Result<Self, BadRule> {
        if fields.is_empty() {
            return Err(BadRule::new("Empty objects are not allowed"));
        }
        Self::parse(fields)
    }
}

impl Clause {
    fn parse(name: &str, value: &Value) -> Result<Self, BadRule> {
        match value {
            Value::Array(members) => {
                if let Some(rules) = alternatives(name, members) {
                    let rules = rules.into_iter().map(Rule::nested).collect::<Result<_, _>>()?;
                    return Ok(Self::Either(rules));
                }
                if members.is_empty() {
                    return Err(BadRule::new("Empty arrays are not allowed"));
                }
                let any = members.iter().map(Operator::parse).collect::<Result<_, _>>()?;
                Ok(Self::Field(name.to_owned(), any))
            }
            Value::Object(fields) => Ok(Self::Nested(name.to_owned(), Rule::nested(fields)?)),
            _ => Err(BadRule::new(format!("\"{name}\" must be an object or an array"))),
        }
    }
}

/// The rules of `$or`, when it is one: at least two objects with no reserved name among their keys. Otherwise it is
/// the name of a field like any other.
fn alternatives<'a>(name: &str, members: &'a [Value]) -> Option<Vec<&'a Map<String, Value>>> {
    if name != OR || members.len() < 2 {
        return None;
    }
    members
        .iter()
        .map(|member| {
            member.as_object().filter(|fields| !fields.keys().any(|key| RESERVED.contains(&key.as_str())))
        })
        .collect()
}
