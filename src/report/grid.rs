//! The grid of a sweep in plain text: boundaries by claims, worst first.

use tabled::builder::Builder;
use tabled::settings::Style as TableStyle;

use super::explain::verdict_word;
use super::style::{Style, printable, wrap};
use crate::check::{Column, Row, Sweep, Untried, Verdict, Why};

/// The parts of it, from what was left out to what was not tried.
pub(super) fn parts(sweep: &Sweep, style: Style) -> Vec<String> {
    let mut parts = vec![head(sweep, style)];
    if !sweep.rows.is_empty() {
        parts.push(table(sweep, style));
    }
    parts.extend(untried(sweep, style));
    parts
}

/// `5 boundaries, 4 tried`.
pub(super) fn coverage(sweep: &Sweep) -> String {
    let plural = if sweep.boundaries == 1 { "boundary" } else { "boundaries" };
    format!("{} {plural}, {} tried", sweep.boundaries, sweep.tried)
}

/// Why a boundary was not tried, in plain words.
pub(super) const fn why(why: Why) -> &'static str {
    match why {
        Why::CleanRunNotGreen => "the run without a kill did not pass",
        Why::NotRun => "the sweep ended before",
    }
}

fn head(sweep: &Sweep, style: Style) -> String {
    let name = printable(&sweep.scenario);
    let clean = style.verdict(sweep.clean, verdict_word(sweep.clean));
    let mut lines = vec![format!("sweep of {name}: without a kill: {clean}; {}", coverage(sweep))];
    if !sweep.left_out.is_empty() {
        let left: Vec<String> =
            sweep.left_out.iter().map(|left| format!("{} (line {})", left.id, left.line)).collect();
        lines.extend(wrap("  left out: ", &left.join(", "), style.width));
    }
    let told = match sweep.clean {
        Verdict::Pass if sweep.boundaries == 0 => {
            "no consumer crossed a boundary with an injected message, so there was nothing to sweep"
        }
        Verdict::Pass => return lines.join("\n"),
        _ if sweep.left_out.is_empty() => {
            "nothing was swept: what a kill breaks cannot be told from what was broken before"
        }
        _ => {
            "nothing was swept: the scenario does not pass without its own kills, so what a kill breaks \
             cannot be told from what was broken before"
        }
    };
    lines.extend(wrap("  ", told, style.width));
    lines.join("\n")
}

fn table(sweep: &Sweep, style: Style) -> String {
    let shown: Vec<usize> = (0..sweep.columns.len()).filter(|at| is_shown(sweep, *at)).collect();
    let mut builder = Builder::default();
    let claims = shown.iter().map(|at| column(&sweep.columns[*at]));
    builder.push_record(["kill at", "message", "verdict"].map(str::to_owned).into_iter().chain(claims));
    for row in &sweep.rows {
        let cells = shown.iter().filter_map(|at| row.cells.get(*at)).map(|cell| word(*cell).to_owned());
        let first = [boundary(row), message(row), verdict_word(row.verdict).to_owned()];
        builder.push_record(first.into_iter().chain(cells));
    }
    let mut table = builder.build();
    table.with(TableStyle::psql());
    for (at, row) in sweep.rows.iter().enumerate() {
        let cells = shown.iter().filter_map(|column| row.cells.get(*column));
        for (column, verdict) in std::iter::once(&row.verdict).chain(cells).enumerate() {
            style.color_cell(&mut table, (at + 1, column + 2), *verdict);
        }
    }
    // The padding of the last column would end each line in spaces.
    let mut lines: Vec<String> = table.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
    let hidden = sweep.columns.len() - shown.len();
    if hidden > 0 {
        lines.push(format!(" and {hidden} that are always on, which passed at every boundary"));
    }
    lines.join("\n")
}

/// What is always on is worth a column only where it says something.
fn is_shown(sweep: &Sweep, at: usize) -> bool {
    sweep.columns[at].line > 0
        || sweep.rows.iter().any(|row| row.cells.get(at).is_none_or(|cell| *cell != Verdict::Pass))
}

/// `line 26`, and below it what is claimed there.
fn column(column: &Column) -> String {
    let what = column.id.split_whitespace().next_back().unwrap_or_default();
    let from = if column.line == 0 { "always".to_owned() } else { format!("line {}", column.line) };
    format!("{from}\n{}", printable(what))
}

fn boundary(row: &Row) -> String {
    let effect = row.effect.as_ref().map_or_else(String::new, |effect| format!(" ({effect})"));
    printable(&format!("{} {} #{}{effect}", row.consumer, row.point, row.nth))
}

fn message(row: &Row) -> String {
    let of = printable(&row.of);
    match (row.collateral, row.in_hand) {
        (0, 0 | 1) => of,
        (0, batch) => format!("{of}, alone of up to {batch}"),
        (others, _) => format!("{of}, {others} more in hand"),
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Fail => "fail",
        Verdict::Error => "error",
    }
}

fn untried(sweep: &Sweep, style: Style) -> Option<String> {
    let line = |untried: &Untried| {
        let Untried { consumer, point, nth, .. } = untried;
        let text = printable(&format!("{consumer} {point} #{nth}: {}", why(untried.why)));
        wrap("  ", &text, style.width)
    };
    // Why nothing at all was swept is said at the top.
    let untried = sweep.untried.iter().filter(|untried| untried.why != Why::CleanRunNotGreen);
    let lines: Vec<String> = untried.flat_map(line).collect();
    (!lines.is_empty()).then(|| format!("not tried\n{}", lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::super::{Format, Report, Terminal, fixtures};
    use super::*;

    fn render(report: &Report) -> String {
        String::from_utf8(Terminal { style: Style::default() }.render(report).unwrap()).unwrap()
    }

    #[test]
    fn a_sweep_with_a_red_boundary() {
        insta::assert_snapshot!(render(&fixtures::swept()));
    }

    #[test]
    fn a_sweep_whose_clean_run_failed() {
        let text = render(&fixtures::unswept());
        assert!(text.contains("without a kill: failed; 1 boundary, 0 tried"), "{text}");
        assert!(text.contains("nothing was swept"), "{text}");
    }

    #[test]
    fn a_sweep_that_found_nothing_says_so_and_has_not_passed() {
        let sweep = Sweep { boundaries: 0, tried: 0, rows: Vec::new(), ..fixtures::sweep() };
        let sweep = Sweep { untried: Vec::new(), ..sweep };
        let report = fixtures::passing().with_sweep(Some(sweep));
        assert_eq!(report.exit.code(), 3);
        assert!(render(&report).contains("nothing to sweep"));
    }
}
