//! From what a checker found to what may be concluded, given how the run went.

use havoq_base::StackTime;

use super::finding::{Breach, Finding, Wait};
use super::index::Index;
use super::preconditions::{Failed, Spoils};
use super::verdict::Verdict;
use super::view::late_as_scaled;

/// Longer lists of evidence are cut: enough to find the events, not the whole history again.
const EVIDENCE: usize = 256;

/// What the run allows to be concluded.
pub(crate) struct Ground<'a> {
    /// Stack time of the last event.
    now: StackTime,
    /// Why the history is not whole, when it is not.
    open_end: Option<String>,
    /// Why a deadline that is over proves nothing, where durations were scaled.
    scaled: Option<String>,
    /// The precondition that keeps this claim from being judged.
    spoiled: Option<&'a Failed>,
}

impl<'a> Ground<'a> {
    /// `spoilable` claims also need the whole injection; waits are judged by themselves.
    pub(crate) fn new(index: &Index, failed: impl Iterator<Item = &'a Failed>, spoilable: bool) -> Self {
        let least = if spoilable { Spoils::Absences } else { Spoils::Everything };
        let spoiled = failed.filter(|failed| failed.spoils >= least).max_by_key(|failed| failed.spoils);
        let open_end = (!index.run.is_complete()).then(|| index.run.why_incomplete());
        Self { now: index.now(), open_end, scaled: late_as_scaled(index), spoiled }
    }
}

/// A verdict and what it rests on.
#[derive(Clone, Debug)]
pub(crate) struct Conclusion {
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    pub(crate) evidence: Vec<u64>,
    /// How the claim is false, when it is.
    pub(crate) breach: Option<Breach>,
}

pub(crate) fn conclude(finding: Finding, judged_at_end: bool, ground: &Ground<'_>) -> Conclusion {
    let counterexample = matches!(finding, Finding::Broken(_));
    let mut conclusion = match finding {
        Finding::Holds { reason, evidence } => match &ground.open_end {
            Some(why) if judged_at_end => {
                plain(Verdict::Inconclusive, format!("{reason} so far, but {why}"), evidence)
            }
            _ => plain(Verdict::Pass, reason, evidence),
        },
        Finding::Broken(breach) => failed(breach),
        Finding::Missing(breach, wait) => missing(breach, wait, ground),
        Finding::Unclear { reason, evidence } => plain(Verdict::Inconclusive, reason, evidence),
        Finding::Faulty { reason, evidence } => plain(Verdict::Error, reason, evidence),
    };
    conclusion.evidence.truncate(EVIDENCE);
    match ground.spoiled {
        Some(spoiler) => spoil(conclusion, spoiler, counterexample),
        None => conclusion,
    }
}

fn plain(verdict: Verdict, reason: String, evidence: Vec<u64>) -> Conclusion {
    Conclusion { verdict, reason, evidence, breach: None }
}

fn failed(breach: Breach) -> Conclusion {
    let (reason, evidence) = (breach.reason.clone(), breach.evidence.clone());
    Conclusion { verdict: Verdict::Fail, reason, evidence, breach: Some(breach) }
}

/// What has not come is missing for good once its deadline is over, or once nothing can happen.
fn missing(breach: Breach, wait: Wait, ground: &Ground<'_>) -> Conclusion {
    let late = wait.deadline.is_some_and(|deadline| ground.now > deadline);
    let over = wait.ends_with_horizon && ground.open_end.is_none();
    if !late && !over {
        let why = ground.open_end.clone().unwrap_or_else(|| "the run ended before its deadline".to_owned());
        return plain(Verdict::Inconclusive, format!("{}, but {why}", breach.reason), breach.evidence);
    }
    match breach.idle.as_ref().or(ground.scaled.as_ref().filter(|_| !over)) {
        Some(idle) => plain(Verdict::Inconclusive, format!("{}, but {idle}", breach.reason), breach.evidence),
        None => failed(breach),
    }
}

fn spoil(conclusion: Conclusion, spoiler: &Failed, counterexample: bool) -> Conclusion {
    let judged = matches!(conclusion.verdict, Verdict::Pass | Verdict::Fail);
    let stands = counterexample && spoiler.spoils < Spoils::Everything;
    if !judged || stands {
        return conclusion;
    }
    let word = if conclusion.verdict == Verdict::Pass { "true" } else { "false" };
    let reason = format!("not judged: {} (it would be {word}: {})", spoiler.reason, conclusion.reason);
    plain(Verdict::Inconclusive, reason, conclusion.evidence)
}
