//! A probe's outcome for people.

use super::outcome::{Probed, Row, Totals};
use crate::check::Verdict;
use crate::report::{Style, printable, wrap};
use crate::stack::probe::Outcome;

/// A line a check; below it, where it is not right, what was expected and what was seen.
pub(super) fn table(probed: &Probed, style: Style) -> String {
    let widest = probed.checks.iter().map(|row| row.id.len()).max().unwrap_or_default();
    let mut text = String::new();
    for row in &probed.checks {
        let outcome = style.verdict(verdict(row.outcome), &format!("{:<7}", row.outcome.name()));
        text += &format!("{outcome}  {:<widest$}  {:<4}  {}\n", row.id, row.section, row.claim);
        for line in details(row, style.width) {
            text += &line;
            text.push('\n');
        }
    }
    if !probed.checks.is_empty() {
        text.push('\n');
    }
    text + &summary(&probed.stack, probed.totals) + "\n"
}

fn details(row: &Row, width: usize) -> Vec<String> {
    let parts = [("expected", &row.expected), ("saw", &row.seen)];
    let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
    parts
        .flat_map(|(label, text)| wrap(&format!("           {label:<8}  "), &printable(text), width))
        .collect()
}

fn summary(stack: &str, totals: Totals) -> String {
    let Totals { right, wrong, absent, unclear, left_out } = totals;
    let counts = format!("{stack}: {right} right, {wrong} wrong, {absent} absent, {unclear} unclear");
    match left_out {
        0 => counts,
        1 => format!("{counts}; 1 slow check left out, which --slow runs"),
        _ => format!("{counts}; {left_out} slow checks left out, which --slow runs"),
    }
}

fn verdict(outcome: Outcome) -> Verdict {
    match outcome {
        Outcome::Right => Verdict::Pass,
        Outcome::Wrong => Verdict::Fail,
        Outcome::Absent => Verdict::Inconclusive,
        Outcome::Unclear => Verdict::Error,
    }
}
