//! A rule as it is written: fields with their alternatives, nesting, and `$or`.

use std::collections::HashSet;

use crate::json::{Reader, Token};

use super::error::BadRule;
use super::language::Language;
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
    /// Reads a text from its front up to where its object ends: like AWS's compiler, it does not look further.
    pub(crate) fn parse(text: &str, language: Language) -> Result<Self, BadRule> {
        let mut reader = Reader::new(text);
        match reader.next()? {
            Some(Token::ObjectStart) => Self::object(&mut reader, language),
            _ => Err(reader.bad("Filter is not an object")),
        }
    }

    /// Reads the members of an object that has been begun. A name that comes twice keeps what was said last.
    fn object(reader: &mut Reader<'_>, language: Language) -> Result<Self, BadRule> {
        let mut clauses: Vec<Clause> = Vec::new();
        while let Some(name) = reader.member()? {
            clauses.push(Clause::parse(name, reader, language)?);
        }
        if clauses.is_empty() {
            return Err(reader.bad("Empty objects are not allowed"));
        }
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

    /// How many ways there are to choose among its `$or`s.
    pub(crate) fn choices(&self) -> u64 {
        self.clauses.iter().fold(1, |product: u64, clause| {
            product.saturating_mul(match clause {
                Clause::Field(..) => 1,
                Clause::Nested(_, rule) => rule.choices(),
                Clause::Either(rules) => {
                    rules.iter().fold(0, |sum: u64, rule| sum.saturating_add(rule.choices()))
                }
            })
        })
    }
}

impl Clause {
    fn parse(name: String, reader: &mut Reader<'_>, language: Language) -> Result<Self, BadRule> {
        match reader.value()? {
            Token::ArrayStart if name == OR && is_either(reader.clone()).unwrap_or(false) => {
                let mut rules = Vec::new();
                while reader.element()?.is_some() {
                    rules.push(Rule::object(reader, language)?);
                }
                Ok(Self::Either(rules))
            }
            Token::ArrayStart => {
                let mut any = Vec::new();
                while let Some(token) = reader.element()? {
                    any.push(Operator::parse(reader, token, language)?);
                }
                if any.is_empty() {
                    return Err(reader.bad("Empty arrays are not allowed"));
                }
                Ok(Self::Field(name, any))
            }
            Token::ObjectStart => Ok(Self::Nested(name, Rule::object(reader, language)?)),
            _ => Err(reader.bad(format!("\"{name}\" must be an object or an array"))),
        }
    }
}

/// Whether the array that has been begun holds the rules of `$or`: at least two objects with no reserved name among
/// their keys. Otherwise `$or` is the name of a field like any other.
fn is_either(mut reader: Reader<'_>) -> Result<bool, BadRule> {
    let mut rules = 0;
    while let Some(token) = reader.element()? {
        if token != Token::ObjectStart {
            return Ok(false);
        }
        while let Some(key) = reader.member()? {
            if RESERVED.contains(&key.as_str()) {
                return Ok(false);
            }
            let value = reader.value()?;
            reader.skip(value)?;
        }
        rules += 1;
    }
    Ok(rules >= 2)
}
