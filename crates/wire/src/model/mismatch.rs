//! A value that is not of its shape, and where it stands.

use std::fmt;

#[derive(Debug)]
pub(crate) struct Mismatch {
    /// Innermost step first.
    path: Vec<String>,
    problem: String,
}

impl Mismatch {
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self { path: Vec::new(), problem: problem.into() }
    }

    /// One more step around what did not fit.
    pub(crate) fn within(mut self, step: impl ToString) -> Self {
        self.path.push(step.to_string());
        self
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.path.iter().rev().enumerate() {
            write!(f, "{}{step}", if index == 0 { "" } else { "." })?;
        }
        write!(f, "{}{}", if self.path.is_empty() { "" } else { ": " }, self.problem)
    }
}
