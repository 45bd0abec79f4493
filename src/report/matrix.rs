//! A proof in plain text: expectations by the mutations that caught them, vacuous ones first.

use tabled::builder::Builder;
use tabled::settings::Style as TableStyle;

use super::exit::Exit;
use super::explain::verdict_word;
use super::style::{Style, printable, wrap};
use crate::check::{Outcome, Proof, ProvedScenario, Standing, Tested, Verdict};

/// How wide a list of mutations may be.
const LIST: usize = 50;

/// The parts of it, from the table to what was not run.
pub(super) fn parts(proof: &Proof, style: Style) -> Vec<String> {
    let mut rows: Vec<_> = proof.expectations().collect();
    rows.sort_by_key(|(_, tested)| tested.standing);
    let mut parts = Vec::new();
    if !rows.is_empty() {
        parts.push(table(&rows, style));
    }
    let unproven = rows.iter().filter(|(_, tested)| tested.standing != Standing::Proven);
    parts.extend(unproven.map(|(scenario, tested)| block(scenario, tested, style)));
    parts.extend(beside(proof, style));
    parts
}

/// `27 expectations: 25 proven, 1 vacuous, 1 not proven`.
pub(super) fn coverage(proof: &Proof) -> String {
    let all = proof.expectations().count();
    let plural = if all == 1 { "" } else { "s" };
    let mut text = format!("{all} expectation{plural}: {} proven", proof.count(Standing::Proven));
    for standing in [Standing::Vacuous, Standing::NotProven] {
        match proof.count(standing) {
            0 => {}
            count => text.push_str(&format!(", {count} {}", word(standing))),
        }
    }
    text
}

/// What ends the line of the outcome: the expectations that were not proven.
pub(super) fn outcome(proof: &Proof, style: Style) -> String {
    let mut text = String::new();
    for standing in [Standing::Vacuous, Standing::NotProven] {
        let unproven = proof.expectations().filter(|(scenario, tested)| {
            // Why nothing of a scenario was proven is told of the scenario.
            tested.standing == standing && scenario.baseline == Verdict::Pass
        });
        let names = unproven.map(|(scenario, tested)| {
            printable(&format!("{} {}", scenario.scenario, tested.id)).replace(['\n', '\t'], " ")
        });
        let names: Vec<String> = names.collect();
        if !names.is_empty() {
            text.push_str(&format!(
                "; {}: {}",
                style.verdict(verdict(standing), word(standing)),
                names.join(", ")
            ));
        }
    }
    text
}

/// Why it stands as it does, in one sentence.
pub(super) fn why(scenario: &ProvedScenario, tested: &Tested) -> String {
    match tested.standing {
        Standing::Proven => format!("false with {}", tested.caught.join(", ")),
        Standing::Vacuous => "it held with every mutation with which it could be told".to_owned(),
        Standing::NotProven if scenario.baseline != Verdict::Pass => {
            "the scenario does not pass as it is, so it was not run with mutations".to_owned()
        }
        Standing::NotProven if scenario.mutations.iter().any(|run| run.outcome == Outcome::NotRun) => {
            "the proof ended before all mutations were run".to_owned()
        }
        Standing::NotProven => "with no mutation could it be told".to_owned(),
    }
}

const fn word(standing: Standing) -> &'static str {
    match standing {
        Standing::Vacuous => "vacuous",
        Standing::NotProven => "not proven",
        Standing::Proven => "proven",
    }
}

const fn verdict(standing: Standing) -> Verdict {
    match standing {
        Standing::Vacuous => Verdict::Fail,
        Standing::NotProven => Verdict::Inconclusive,
        Standing::Proven => Verdict::Pass,
    }
}

fn place(scenario: &ProvedScenario, tested: &Tested) -> String {
    printable(&format!("{}:{}:{}", scenario.file, tested.line, tested.column))
}

fn table(rows: &[(&ProvedScenario, &Tested)], style: Style) -> String {
    let mut builder = Builder::default();
    builder.push_record(["", "expectation", "caught by"]);
    for (scenario, tested) in rows {
        let what = tested.id.split_whitespace().next_back().unwrap_or_default();
        let caught = match tested.caught.as_slice() {
            [] => "nothing".to_owned(),
            caught => wrap("", &caught.join(", "), LIST).join("\n"),
        };
        let expectation = format!("{} {}", place(scenario, tested), printable(what));
        builder.push_record([word(tested.standing).to_owned(), expectation, caught]);
    }
    let mut table = builder.build();
    table.with(TableStyle::psql());
    for (at, (_, tested)) in rows.iter().enumerate() {
        style.color_cell(&mut table, (at + 1, 0), verdict(tested.standing));
    }
    // The padding of the last column would end each line in spaces.
    table.to_string().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn block(scenario: &ProvedScenario, tested: &Tested, style: Style) -> String {
    let word = style.verdict(verdict(tested.standing), word(tested.standing));
    let name = printable(&format!("{} {}", scenario.scenario, tested.id));
    let mut lines = vec![format!("{}: {word}: {name}", style.strong(&place(scenario, tested)))];
    lines.extend(wrap("  claimed   ", &printable(&tested.text), style.width));
    lines.extend(wrap("  found     ", &why(scenario, tested), style.width));
    for (label, list) in [("  held      ", &tested.survived), ("  undecided ", &tested.undecided)] {
        if !list.is_empty() {
            lines.extend(wrap(label, &printable(&format!("with {}", list.join(", "))), style.width));
        }
    }
    lines.join("\n")
}

/// What was not run with mutations, and which mutations showed nothing.
fn beside(proof: &Proof, style: Style) -> Option<String> {
    let mut lines = Vec::new();
    for scenario in &proof.scenarios {
        let mut told = Vec::new();
        if scenario.baseline != Verdict::Pass {
            told.push(format!(
                "{} as it is (exit {}), and so was not run with mutations",
                verdict_word(scenario.baseline),
                Exit::of_run(false, false, [scenario.baseline]).code()
            ));
        } else {
            let skipped = scenario.skipped.iter();
            told.extend(skipped.map(|skipped| format!("{} skipped: {}", skipped.mutation, skipped.why)));
            let idle = scenario.mutations.iter().filter_map(|run| {
                let why = match run.outcome {
                    Outcome::TookHold => return None,
                    Outcome::NeverTookHold => "never took hold",
                    Outcome::Broke => "broke the run, which shows nothing",
                    Outcome::NotRun => "was not run",
                };
                Some(format!("{} {why}", run.mutation))
            });
            told.extend(idle);
        }
        if !told.is_empty() {
            let first = format!("  {}: ", printable(&scenario.scenario));
            lines.extend(wrap(&first, &printable(&told.join("; ")), style.width));
        }
    }
    (!lines.is_empty()).then(|| format!("{}\n{}", style.faint("beside"), lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::super::{Format, Report, Terminal, fixtures};
    use super::*;

    fn render(report: &Report) -> String {
        String::from_utf8(Terminal { style: Style::default() }.render(report).unwrap()).unwrap()
    }

    #[test]
    fn a_proof_with_a_vacuous_expectation() {
        let report = fixtures::proven();
        assert_eq!(report.exit.code(), 1);
        insta::assert_snapshot!(render(&report));
    }

    #[test]
    fn what_is_not_proven_is_inconclusive() {
        let mut proof = fixtures::proof();
        proof.scenarios[0].expectations.remove(0);
        assert_eq!(fixtures::passing().with_proof(Some(proof.clone())).exit.code(), 3);
        proof.scenarios[0].expectations.retain(|tested| tested.standing == Standing::Proven);
        assert_eq!(fixtures::passing().with_proof(Some(proof)).exit.code(), 0);
    }

    #[test]
    fn a_proof_of_nothing_has_not_passed() {
        assert_eq!(fixtures::passing().with_proof(Some(Proof::default())).exit.code(), 3);
        assert_eq!(fixtures::failing().with_proof(Some(Proof::default())).exit.code(), 1);
    }
}
