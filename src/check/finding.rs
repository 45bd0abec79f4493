//! What a checker found, before the state of the run decides what may be concluded from it.

use havoq_base::StackTime;
use havoq_base::ids::Marker;

/// What a checker found. It speaks of the history so far; `judge` and `standing` conclude.
#[derive(Clone, Debug)]
pub(crate) enum Finding {
    /// True so far.
    Holds { reason: String, evidence: Vec<u64> },
    /// False, and an event shows it: nothing that comes later can mend it.
    Broken(Breach),
    /// What was claimed has not come yet, and must by `deadline`.
    Missing(Breach, Wait),
    /// Cannot be judged, whatever comes.
    Unclear { reason: String, evidence: Vec<u64> },
    /// The history contradicts itself: a fault of havoq or of the stack.
    Faulty { reason: String, evidence: Vec<u64> },
}

/// How a claim is false.
#[derive(Clone, Debug, Default)]
pub(crate) struct Breach {
    /// One sentence with the actual values.
    pub(crate) reason: String,
    pub(crate) evidence: Vec<u64>,
    /// Whose story it is.
    pub(crate) marker: Option<Marker>,
    /// The first event that broke the claim; 0 when it is an absence.
    pub(crate) seq: u64,
    /// Others that broke the claim in the same way.
    pub(crate) also: Vec<Marker>,
    /// What a live but idle consumer left undelivered and this rests on.
    pub(crate) idle: Option<String>,
}

/// How long a missing thing may still come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    pub(crate) deadline: Option<StackTime>,
    /// Whether a complete horizon means that it will not come: true for what only messages can
    /// bring about, false for alarms, which the clock alone can change.
    pub(crate) ends_with_horizon: bool,
}

impl Finding {
    pub(crate) fn holds(reason: impl Into<String>, evidence: Vec<u64>) -> Self {
        Self::Holds { reason: reason.into(), evidence }
    }

    pub(crate) fn unclear(reason: impl Into<String>) -> Self {
        Self::Unclear { reason: reason.into(), evidence: Vec::new() }
    }
}

/// What one marker contributes to a claim on a label.
#[derive(Debug)]
pub(crate) enum Outcome {
    Held(Vec<u64>),
    Broken(Breach),
    Missing(Breach),
    Faulty(Breach),
}

/// The finding on a set of markers: a contradiction, else the earliest counterexample, else the
/// first absence, else all hold.
pub(crate) fn gather(outcomes: Vec<Outcome>, wait: Wait, all_hold: String) -> Finding {
    let (mut evidence, mut broken, mut missing, mut faulty) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Outcome::Held(seqs) => evidence.extend(seqs),
            Outcome::Broken(breach) => broken.push(breach),
            Outcome::Missing(breach) => missing.push(breach),
            Outcome::Faulty(breach) => faulty.push(breach),
        }
    }
    if let Some(breach) = first(faulty) {
        return Finding::Faulty { reason: breach.reason, evidence: breach.evidence };
    }
    if let Some(breach) = first(broken) {
        return Finding::Broken(breach);
    }
    match first(missing) {
        Some(breach) => Finding::Missing(breach, wait),
        None => Finding::Holds { reason: all_hold, evidence },
    }
}

/// The earliest, with a count of the others. An absence that no idle consumer explains comes
/// before one that it does, since it stands on its own.
fn first(mut breaches: Vec<Breach>) -> Option<Breach> {
    breaches.sort_by_key(|breach| (breach.idle.is_some(), breach.seq));
    let mut breaches = breaches.into_iter();
    let mut breach = breaches.next()?;
    breach.also = breaches.filter_map(|other| other.marker).collect();
    if !breach.also.is_empty() {
        breach.reason = format!("{}; the same holds for {} more", breach.reason, breach.also.len());
    }
    Some(breach)
}
