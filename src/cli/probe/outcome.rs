//! What a probe came to, as a whole and as JSON.

use serde::Serialize;

use crate::report::Exit;
use crate::stack::probe::{Check, Finding, Outcome};

/// Grows when a member changes its meaning.
const SCHEMA: u32 = 1;

/// A probe's outcome; its JSON is what `--format json` prints.
#[derive(Debug, Serialize)]
pub(super) struct Probed {
    schema: u32,
    havoq: &'static str,
    pub(super) stack: String,
    pub(super) exit: Exit,
    pub(super) totals: Totals,
    pub(super) checks: Vec<Row>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Totals {
    pub(super) right: usize,
    pub(super) wrong: usize,
    pub(super) absent: usize,
    pub(super) unclear: usize,
    /// Slow ones that were not asked for.
    pub(super) left_out: usize,
}

/// A check and what was found.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) id: &'static str,
    service: &'static str,
    pub(super) section: &'static str,
    pub(super) claim: &'static str,
    pub(super) outcome: Outcome,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) expected: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) seen: String,
}

impl Probed {
    pub(super) fn new(
        stack: String,
        found: Vec<(&'static Check, Finding)>,
        left_out: usize,
        is_interrupted: bool,
    ) -> Self {
        let rows: Vec<Row> = found.into_iter().map(|(check, finding)| row(check, finding)).collect();
        let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count();
        let totals = Totals {
            right: count(Outcome::Right),
            wrong: count(Outcome::Wrong),
            absent: count(Outcome::Absent),
            unclear: count(Outcome::Unclear),
            left_out,
        };
        let exit = if is_interrupted { Exit::Interrupted } else { totals.exit() };
        Self { schema: SCHEMA, havoq: env!("CARGO_PKG_VERSION"), stack, exit, totals, checks: rows }
    }
}

fn row(check: &'static Check, finding: Finding) -> Row {
    let Finding { outcome, expected, seen, .. } = finding;
    let (id, section, claim) = (check.id, check.section, check.claim);
    Row { id, service: check.service.name(), section, claim, outcome, expected, seen }
}

impl Totals {
    /// A finding against the stack goes before what could not be looked at, and where nothing was
    /// looked at, nothing is right.
    fn exit(self) -> Exit {
        match self {
            Self { wrong: 1.., .. } => Exit::Fail,
            Self { absent: 0, unclear: 0, right: 1.., .. } => Exit::Pass,
            _ => Exit::Inconclusive,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_says_what_is_worst() {
        let nothing = Totals::default();
        for (totals, code) in [
            (Totals { right: 2, ..nothing }, 0),
            (Totals { right: 2, wrong: 1, absent: 1, ..nothing }, 1),
            (Totals { right: 2, absent: 1, ..nothing }, 3),
            (Totals { right: 2, unclear: 1, ..nothing }, 3),
            (Totals { right: 2, left_out: 3, ..nothing }, 0),
            (Totals { left_out: 3, ..nothing }, 3),
            (nothing, 3),
        ] {
            assert_eq!(totals.exit().code(), code, "{totals:?}");
        }
    }
}
