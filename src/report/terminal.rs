//! The report for people at a terminal. It ends with a line that states the outcome by itself.

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Style as TableStyle};

use super::exit::Exit;
use super::explain;
use super::format::{Format, RenderError};
use super::grid;
use super::ledger;
use super::model::{Counts, Report};
use super::style::{Style, printable, span, wrap};
use crate::check::{ClaimVerdict, Judgement, Verdict};

/// Text for people, in a given style.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terminal {
    pub style: Style,
}

impl Format for Terminal {
    fn name(&self) -> &'static str {
        "terminal"
    }

    fn file_name(&self) -> Option<&'static str> {
        None
    }

    fn render(&self, report: &Report) -> Result<Vec<u8>, RenderError> {
        let mut parts = Vec::new();
        match &report.sweep {
            Some(sweep) => parts.extend(grid::parts(sweep, self.style)),
            None if report.scenarios.is_empty() => {}
            None => parts.push(self.table(report)),
        }
        parts.extend(report.scenarios.iter().flat_map(|scenario| self.blocks(scenario)));
        if report.sweep.is_none() && !report.scenarios.is_empty() {
            parts.push(self.ledgers(report));
        }
        parts.push(self.outcome(report));
        Ok((parts.join("\n\n") + "\n").into_bytes())
    }
}

impl Terminal {
    fn table(&self, report: &Report) -> String {
        let mut builder = Builder::default();
        builder.push_record(["scenario", "verdict", "claims passed", "virtual time", "wall time"]);
        for scenario in &report.scenarios {
            builder.push_record(row(scenario));
        }
        let mut table = builder.build();
        table.with(TableStyle::psql());
        table.modify(Columns::new(2..).not(Rows::first()), Alignment::right());
        for (index, scenario) in report.scenarios.iter().enumerate() {
            self.style.color_cell(&mut table, (index + 1, 1), scenario.verdict);
        }
        // The padding of the last column would end each line in spaces.
        table.to_string().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// One block for each claim that did not pass.
    fn blocks(&self, scenario: &Judgement) -> Vec<String> {
        let claims = scenario.claims.iter().filter(|claim| claim.verdict != Verdict::Pass);
        let mut blocks: Vec<String> = claims.map(|claim| self.block(scenario, claim)).collect();
        if let Some(reason) = explain::unaccounted(scenario) {
            let word = self.style.verdict(scenario.verdict, explain::verdict_word(scenario.verdict));
            blocks.push(format!("{}: {word}: {reason}", self.style.strong(&printable(&scenario.file))));
        }
        blocks
    }

    fn block(&self, scenario: &Judgement, claim: &ClaimVerdict) -> String {
        let place = self.style.strong(&explain::place(scenario, claim));
        let word = self.style.verdict(claim.verdict, explain::verdict_word(claim.verdict));
        let mut lines = vec![format!("{place}: {word}: {}", claim_name(scenario, claim))];
        lines.extend(explain::lines(claim, self.style.width));
        lines.join("\n")
    }

    fn ledgers(&self, report: &Report) -> String {
        let mut lines = vec![self.style.faint("messages")];
        for scenario in &report.scenarios {
            let name = format!("  {}: ", printable(&scenario.name));
            lines.extend(wrap(&name, &ledger::line(&scenario.ledger.totals), self.style.width));
        }
        lines.join("\n")
    }

    /// The last line. It is complete in itself: a log that keeps only its end still tells what failed.
    fn outcome(&self, report: &Report) -> String {
        let counts = report.totals.scenarios;
        let mut line = match report.exit {
            Exit::Interrupted => "interrupted; ".to_owned(),
            Exit::Refused => "refused by a guard; ".to_owned(),
            _ => String::new(),
        };
        if let Some(sweep) = &report.sweep {
            line.push_str(&format!("{}; ", grid::coverage(sweep)));
        }
        line.push_str(&summary(counts));
        let virtual_time = match report.clock.as_str() {
            "virtual" => format!("{} of virtual time in ", span(report.virtual_s)),
            _ => String::new(),
        };
        line.push_str(&format!(" (seed {}, {virtual_time}{})", report.seed, span(report.wall_s)));
        for verdict in [Verdict::Error, Verdict::Fail, Verdict::Inconclusive] {
            let named = named(report, verdict);
            if !named.is_empty() {
                let word = self.style.verdict(verdict, explain::verdict_word(verdict));
                line.push_str(&format!("; {word}: {}", named.join(", ")));
            }
        }
        line
    }
}

fn row(scenario: &Judgement) -> [String; 5] {
    let passed = scenario.claims.iter().filter(|claim| claim.verdict == Verdict::Pass).count();
    let verdict = match scenario.attempts {
        0 | 1 => explain::verdict_word(scenario.verdict).to_owned(),
        attempts => format!("{}, attempt {attempts}", explain::verdict_word(scenario.verdict)),
    };
    [
        printable(&scenario.name).replace(['\n', '\t'], " "),
        verdict,
        format!("{passed}/{}", scenario.claims.len()),
        span(scenario.virtual_s),
        span(scenario.wall_s),
    ]
}

/// `4 scenarios: 3 passed, 1 failed`.
fn summary(counts: Counts) -> String {
    let plural = if counts.total() == 1 { "" } else { "s" };
    let others =
        [(counts.fail, "failed"), (counts.inconclusive, "inconclusive"), (counts.error, "with an error")];
    let mut text = format!("{} scenario{plural}: {} passed", counts.total(), counts.pass);
    for (count, word) in others.into_iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {count} {word}"));
    }
    text
}

/// The claims that ended with this verdict, by scenario and id. Claims that could not be judged
/// are named only where nothing worse happened: after a failure they are its consequence.
fn named(report: &Report, verdict: Verdict) -> Vec<String> {
    let concerned = report.scenarios.iter().filter(|scenario| match verdict {
        Verdict::Inconclusive => scenario.verdict == Verdict::Inconclusive,
        _ => true,
    });
    let mut names = Vec::new();
    for scenario in concerned {
        let claims = scenario.claims.iter().filter(|claim| claim.verdict == verdict);
        names.extend(claims.map(|claim| claim_name(scenario, claim).replace(['\n', '\t'], " ")));
        if scenario.verdict == verdict && explain::unaccounted(scenario).is_some() {
            names.push(printable(&scenario.name).replace(['\n', '\t'], " "));
        }
    }
    names
}

fn claim_name(scenario: &Judgement, claim: &ClaimVerdict) -> String {
    format!("{} {}", printable(&scenario.name), printable(&claim.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{RunFacts, fixtures};

    fn render(report: &Report, style: Style) -> String {
        String::from_utf8(Terminal { style }.render(report).unwrap()).unwrap()
    }

    fn last_line(report: &Report) -> String {
        let text = render(report, Style::default());
        text.lines().last().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_passing_run() {
        insta::assert_snapshot!(render(&fixtures::passing(), Style::default()));
    }

    #[test]
    fn a_failing_run() {
        insta::assert_snapshot!(render(&fixtures::failing(), Style::default()));
    }

    #[test]
    fn a_failing_run_on_a_narrow_terminal() {
        insta::assert_snapshot!(render(&fixtures::failing(), Style { color: false, width: 50 }));
    }

    #[test]
    fn an_inconclusive_run() {
        insta::assert_snapshot!(render(&fixtures::inconclusive(), Style::default()));
    }

    #[test]
    fn colour_comes_only_when_asked_for_and_changes_no_text() {
        let plain = render(&fixtures::failing(), Style::default());
        let colored = render(&fixtures::failing(), Style { color: true, ..Style::default() });
        assert!(!plain.contains('\u{1b}'));
        assert!(colored.contains('\u{1b}'));
        assert_eq!(without_sgr(&colored), plain);
    }

    #[test]
    fn the_last_line_states_the_outcome_whatever_the_exit() {
        let failed = "failed: poison-message expect[0] dead_lettered";
        let failing = fixtures::failing();
        let line = last_line(&failing);
        let expected = "2 scenarios: 1 passed, 1 failed (seed 123, 20m 35s of virtual time in 7.9s)";
        assert_eq!(line, format!("{expected}; {failed}"));

        let facts = RunFacts { interrupted: true, ..fixtures::facts() };
        let line = last_line(&Report::new(facts, failing.scenarios.clone()));
        assert!(line.starts_with("interrupted; 2 scenarios: ") && line.ends_with(failed), "{line}");

        let facts = RunFacts { refused: true, clock: "real".to_owned(), ..fixtures::facts() };
        assert_eq!(
            last_line(&Report::new(facts, Vec::new())),
            "refused by a guard; 0 scenarios: 0 passed (seed 123, 7.9s)"
        );

        let line = last_line(&fixtures::broken());
        assert!(line.ends_with("; error: sent-twice"), "{line}");
    }

    #[test]
    fn what_a_message_says_cannot_drive_the_terminal() {
        let mut report = fixtures::failing();
        report.scenarios[1].claims[0].reason = "the body was \u{1b}[2J\u{9b}1A".to_owned();
        report.scenarios[1].name = "a\nb".to_owned();
        let text = render(&report, Style::default());
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text}");
        assert!(text.lines().last().is_some_and(|line| line.contains("failed: a b expect[0]")), "{text}");
    }

    /// Takes the colour sequences out.
    fn without_sgr(text: &str) -> String {
        let mut pieces = text.split('\u{1b}');
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |plain, piece| plain + piece.split_once('m').map_or("", |(_, rest)| rest))
    }
}
