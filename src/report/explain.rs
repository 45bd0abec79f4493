//! How a claim explains itself in plain text: what was claimed, what was found, the story of the
//! message that broke it, the likely cause and its usual fix. Every format for people uses it.

use super::style::{printable, wrap};
use crate::check::{ClaimVerdict, Judgement, StoryLine, Verdict, known};

/// The words that stand before each part, as wide as the longest.
const LABEL_WIDTH: usize = 9;

/// A verdict in the words of a summary.
pub(super) const fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "passed",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Fail => "failed",
        Verdict::Error => "error",
    }
}

/// `file:line:column`, or the file alone for claims that no line of it makes.
pub(super) fn place(scenario: &Judgement, claim: &ClaimVerdict) -> String {
    let file = printable(&scenario.file);
    match claim.line {
        0 => file,
        line => format!("{file}:{line}:{}", claim.column),
    }
}

/// The parts of the explanation, one or more lines each, at most `width` columns wide.
pub(super) fn lines(claim: &ClaimVerdict, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut part = |label: &str, text: &str| lines.extend(wrap(&labelled(label), text, width));
    part("claimed", &printable(&claim.text));
    part("found", &printable(&claim.reason));
    lines.extend(story(&claim.story, width));
    let mut part = |label: &str, text: &str| lines.extend(wrap(&labelled(label), text, width));
    if let Some(id) = &claim.diagnosis {
        match known(id) {
            Some(diagnosis) => {
                part("cause", &format!("{} ({id})", diagnosis.title));
                part("fix", diagnosis.fix);
            }
            None => part("cause", &printable(id)),
        }
    }
    if !claim.evidence.is_empty() {
        part("events", &evidence(&claim.evidence));
    }
    lines
}

/// Why a scenario ended as it did, when none of its claims says so.
pub(super) fn unaccounted(scenario: &Judgement) -> Option<String> {
    let accounted = scenario.claims.iter().any(|claim| claim.verdict >= scenario.verdict);
    let passed = scenario.verdict == Verdict::Pass;
    (!accounted && !passed).then(|| {
        format!("the scenario ended as {} and no claim of it says why", verdict_word(scenario.verdict))
    })
}

fn labelled(label: &str) -> String {
    format!("  {label:<LABEL_WIDTH$}")
}

/// One line an event, each with the time since the message was first sent.
fn story(story: &[StoryLine], width: usize) -> Vec<String> {
    let times: Vec<String> = story.iter().map(|line| offset(line.since_sent)).collect();
    let time_width = times.iter().map(String::len).max().unwrap_or(0);
    let told = story.iter().zip(times).enumerate();
    told.flat_map(|(index, (line, time))| {
        let label = labelled(if index == 0 { "story" } else { "" });
        wrap(&format!("{label}{time:<time_width$}  "), &printable(&line.text), width)
    })
    .collect()
}

/// Seconds to three decimals at most, as the reasons of claims give them, so that the two compare.
fn offset(seconds: f64) -> String {
    let text = format!("{seconds:+.3}");
    format!("{}s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// The events that the claim rests on; of many, enough to find them by.
fn evidence(seqs: &[u64]) -> String {
    const SHOWN: usize = 12;
    let shown = seqs.iter().take(SHOWN).map(u64::to_string).collect::<Vec<_>>().join(", ");
    match (seqs.len() > SHOWN, seqs.last()) {
        (true, Some(last)) => format!("{shown} ... {last} ({} in all)", seqs.len()),
        _ => shown,
    }
}
