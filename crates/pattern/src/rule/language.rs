//! Whose rules are read. Their operators, their numbers and some of their words differ.

/// A service's own version of the language of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Filter policies of SNS.
    Filter,
    /// Event patterns of EventBridge, which have all operators.
    Bus,
    /// Filters of EventBridge Pipes.
    Pipe,
    /// Filters of Lambda's event source mappings.
    Mapping,
}

/// How exactly numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// Five digits after the point, within a billion (semantics 2.2).
    FiveDigits,
    /// As far as a binary64 is exact (semantics 3.2).
    Exact,
}

impl Language {
    pub(crate) fn precision(self) -> Precision {
        match self {
            Self::Filter => Precision::FiveDigits,
            Self::Bus | Self::Pipe | Self::Mapping => Precision::Exact,
        }
    }

    /// Whether an operator may be written. Pipes have no `wildcard` (semantics 3.9). Lambda's documentation names
    /// the operators that mappings have, and neither `wildcard` nor `cidr` is among them.
    pub(super) fn has(self, operator: &str) -> bool {
        match self {
            Self::Filter | Self::Bus => true,
            Self::Pipe => operator != "wildcard",
            Self::Mapping => !matches!(operator, "wildcard" | "cidr"),
        }
    }

    /// Whether `anything-but` takes operators. Neither in pipes (semantics 3.9) nor among what Lambda documents.
    pub(super) fn has_operators_in_anything_but(self) -> bool {
        matches!(self, Self::Filter | Self::Bus)
    }

    /// What is said of a value inside `anything-but` that an operator there cannot use.
    pub(super) fn no_text_in_anything_but(self, operator: &str) -> String {
        match (self, operator) {
            (Self::Filter, operator) => format!("{operator} match pattern must be a string"),
            (_, "prefix" | "suffix") => "prefix/suffix match pattern must be a string".to_owned(),
            (_, "wildcard") => "wildcard match pattern must be a string".to_owned(),
            _ => "Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported."
                .to_owned(),
        }
    }
}
