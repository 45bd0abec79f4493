//! A claim that explains itself in one paragraph (design section 11).

use super::diagnosis::known;
use super::verdict::{ClaimVerdict, Verdict};

/// What was claimed, what broke it, the ordered story, the likely anti-pattern, the usual fix.
pub fn explain(claim: &ClaimVerdict) -> String {
    let outcome = match claim.verdict {
        Verdict::Pass => "This held",
        Verdict::Inconclusive => "This could not be judged",
        Verdict::Fail => "This was false",
        Verdict::Error => "This could not be judged, because havoq or the stack broke",
    };
    let mut parts = vec![format!("Claimed: {}. {outcome}: {}.", claim.text, claim.reason)];
    if !claim.story.is_empty() {
        let story: Vec<String> =
            claim.story.iter().map(|line| format!("at {} {}", since(line.since_sent), line.text)).collect();
        parts.push(format!("What happened: {}.", story.join("; ")));
    }
    if let Some(diagnosis) = claim.diagnosis.as_deref().and_then(known) {
        parts.push(format!(
            "Likely cause: {} ({}). Usual fix: {}.",
            diagnosis.title, diagnosis.id, diagnosis.fix
        ));
    }
    parts.join(" ")
}

fn since(seconds: f64) -> String {
    let sign = if seconds < 0.0 { '-' } else { '+' };
    let text = format!("{:.3}", seconds.abs());
    format!("{sign}{}s", text.trim_end_matches('0').trim_end_matches('.'))
}
