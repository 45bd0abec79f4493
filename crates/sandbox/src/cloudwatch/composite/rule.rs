//! The rule of a composite alarm, as a tree.

use std::fmt;

use crate::cloudwatch::spec::AlarmState;

/// Over alarms that go by `T`: names and ARNs as they were written, or alarms that were found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rule<T> {
    Constant(bool),
    In(AlarmState, T),
    Not(Box<Rule<T>>),
    And(Vec<Rule<T>>),
    Or(Vec<Rule<T>>),
}

impl<T> Rule<T> {
    pub(crate) fn holds(&self, is_in: &impl Fn(&T, AlarmState) -> bool) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::In(state, alarm) => is_in(alarm, *state),
            Self::Not(rule) => !rule.holds(is_in),
            Self::And(rules) => rules.iter().all(|rule| rule.holds(is_in)),
            Self::Or(rules) => rules.iter().any(|rule| rule.holds(is_in)),
        }
    }

    /// The alarms that it names, in order, with repetitions.
    pub(crate) fn alarms(&self) -> Vec<&T> {
        match self {
            Self::Constant(_) => Vec::new(),
            Self::In(_, alarm) => vec![alarm],
            Self::Not(rule) => rule.alarms(),
            Self::And(rules) | Self::Or(rules) => rules.iter().flat_map(Self::alarms).collect(),
        }
    }

    /// The same rule with alarms that go by other names.
    pub(crate) fn map<U>(&self, to: &impl Fn(&T) -> U) -> Rule<U> {
        let map_all = |rules: &[Self]| rules.iter().map(|rule| rule.map(to)).collect();
        match self {
            Self::Constant(value) => Rule::Constant(*value),
            Self::In(state, alarm) => Rule::In(*state, to(alarm)),
            Self::Not(rule) => Rule::Not(Box::new(rule.map(to))),
            Self::And(rules) => Rule::And(map_all(rules)),
            Self::Or(rules) => Rule::Or(map_all(rules)),
        }
    }
}

/// As one would write it, names in quotes.
impl fmt::Display for Rule<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, rules: &[Self], operator: &str| {
            for (index, rule) in rules.iter().enumerate() {
                let operator = if index == 0 { "" } else { operator };
                match rule {
                    Self::And(_) | Self::Or(_) => write!(f, "{operator}({rule})")?,
                    _ => write!(f, "{operator}{rule}")?,
                }
            }
            Ok(())
        };
        match self {
            Self::Constant(value) => f.write_str(if *value { "TRUE" } else { "FALSE" }),
            Self::In(state, alarm) => {
                write!(f, "{state}(\"{}\")", alarm.replace('\\', "\\\\").replace('"', "\\\""))
            }
            Self::Not(rule) => match &**rule {
                Self::And(_) | Self::Or(_) => write!(f, "NOT ({rule})"),
                _ => write!(f, "NOT {rule}"),
            },
            Self::And(rules) => list(f, rules, " AND "),
            Self::Or(rules) => list(f, rules, " OR "),
        }
    }
}
