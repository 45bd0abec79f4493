//! Several attempts at one scenario, and the verdict of all of them.
//!
//! ```text
//!   attempt ──overran, or gave a consumer up too early?──yes──> again at 4 x the bounds,
//!      │no                                       at most twice more; the last one counts
//!   a red in doubt? ──yes, the first time──> again at 4 x the bounds, to confirm it
//!      │no
//!    settled
//! ```
//! A red verdict is in doubt when it rests on messages that only their bound had closed: their
//! holder lived and may have been at work. Confirmed means red again. One that is not red again
//! passes only where the confirming attempt shows what went wrong, a holder that was silent for
//! longer than the doubted attempt's bound; else the two contradict each other, and neither is
//! believed. A pass of a claim that was red for certain would hide what was seen, so that red stays.

use std::collections::BTreeMap;

use havoq_base::RealDuration;

use super::doubt::Doubt;
use super::verdict::{ClaimVerdict, Ledger, Verdict};

/// Attempts after an overrun.
const RERUNS: usize = 2;

/// A claim of one attempt.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub(crate) claim: ClaimVerdict,
    /// For a red one: why the clock may have made it so.
    pub(crate) doubt: Option<Doubt>,
}

/// One attempt, judged by itself.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) attempt: u32,
    pub(crate) claims: Vec<Judged>,
    pub(crate) ledger: Ledger,
    pub(crate) overran: bool,
    /// A consumer was found idle and polled after all.
    pub(crate) hurried: bool,
    /// The processing bounds at its end, by consumer.
    pub(crate) bounds: BTreeMap<String, RealDuration>,
    /// The longest that a consumer was silent on a message that it then acted on.
    pub(crate) silences: BTreeMap<String, RealDuration>,
}

/// Where a scenario stands after the attempts so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Settled,
    Overran,
    Hurried,
    /// In this attempt, by position, a claim is red and in doubt.
    InDoubt(usize),
}

/// Whether the attempts so far are enough, and which of them was doubted on the way.
pub(crate) fn standing(trials: &[Trial]) -> (Standing, Option<usize>) {
    let (mut reruns, mut doubted, mut standing) = (0, None, Standing::Settled);
    for (at, trial) in trials.iter().enumerate() {
        standing = Standing::Settled;
        if trial.overran || trial.was_hurried() {
            if reruns < RERUNS {
                standing = if trial.overran { Standing::Overran } else { Standing::Hurried };
            }
            reruns += 1;
        } else if doubted.is_none() && trial.in_doubt() {
            doubted = Some(at);
            standing = Standing::InDoubt(at);
        }
    }
    (standing, doubted)
}

impl Trial {
    /// It could not be judged, and a consumer that was given up too early may be why.
    fn was_hurried(&self) -> bool {
        let worst = self.claims.iter().map(|judged| judged.claim.verdict).max();
        self.hurried && worst == Some(Verdict::Inconclusive)
    }

    fn in_doubt(&self) -> bool {
        self.claims.iter().any(|judged| judged.doubt.is_some())
    }

    fn claim(&self, id: &str) -> Option<&Judged> {
        self.claims.iter().find(|judged| judged.claim.id == id)
    }

    /// Whether this attempt shows that a bound of `doubted` was too short for its consumer.
    fn explains(&self, doubted: &Trial, doubt: &Doubt) -> bool {
        let silence = self.silences.get(&doubt.consumer);
        let bound = doubted.bounds.get(&doubt.consumer);
        matches!((silence, bound), (Some(silence), Some(bound)) if silence > bound)
    }
}

/// The claims that all attempts together leave.
pub(crate) fn settle(mut trials: Vec<Trial>) -> (Vec<ClaimVerdict>, Ledger) {
    let (_, doubted) = standing(&trials);
    let Some(last) = trials.pop() else { return (Vec::new(), Ledger::default()) };
    let doubted = doubted.and_then(|at| trials.get(at));
    let claims = last.claims.iter().map(|judged| match doubted {
        Some(doubted) => confirmed(doubted, &last, judged),
        None => unconfirmed(judged),
    });
    (claims.collect(), last.ledger.clone())
}

/// Without a further attempt, a red in doubt is not told.
fn unconfirmed(judged: &Judged) -> ClaimVerdict {
    match &judged.doubt {
        Some(doubt) => {
            let reason = format!("{}, but this was not confirmed: {}", judged.claim.reason, doubt.reason);
            inconclusive(&judged.claim, reason)
        }
        None => judged.claim.clone(),
    }
}

/// A claim as the doubted attempt and the one that was to confirm it leave it.
fn confirmed(doubted: &Trial, last: &Trial, now: &Judged) -> ClaimVerdict {
    let Some(before) = doubted.claim(&now.claim.id) else { return unconfirmed(now) };
    let was_red = before.claim.verdict == Verdict::Fail;
    let is_red = now.claim.verdict == Verdict::Fail;
    match (&before.doubt, was_red, is_red) {
        (None, true, false) => {
            let note = format!("so in attempt {}, not again in attempt {}", doubted.attempt, last.attempt);
            ClaimVerdict { reason: format!("{} ({note})", before.claim.reason), ..before.claim.clone() }
        }
        (Some(_), _, true) => noted(&now.claim, &format!("confirmed by attempt {}", last.attempt)),
        (Some(doubt), _, false) => not_again(doubted, last, before, doubt, &now.claim),
        (None, false, true) if now.doubt.is_some() => unconfirmed(now),
        _ => now.claim.clone(),
    }
}

/// It was red and in doubt, and is not red again.
fn not_again(
    doubted: &Trial,
    last: &Trial,
    before: &Judged,
    doubt: &Doubt,
    now: &ClaimVerdict,
) -> ClaimVerdict {
    let (first, second) = (doubted.attempt, last.attempt);
    match now.verdict {
        Verdict::Pass if last.explains(doubted, doubt) => {
            noted(now, &format!("attempt {first} was too quick for {}", doubt.consumer))
        }
        Verdict::Pass => inconclusive(
            now,
            format!(
                "attempts {first} and {second} contradict each other: first {}, then {}",
                before.claim.reason, now.reason
            ),
        ),
        Verdict::Inconclusive => inconclusive(
            now,
            format!("{} (attempt {first}, not confirmed: {})", now.reason, before.claim.reason),
        ),
        Verdict::Fail | Verdict::Error => now.clone(),
    }
}

fn noted(claim: &ClaimVerdict, note: &str) -> ClaimVerdict {
    ClaimVerdict { reason: format!("{} ({note})", claim.reason), ..claim.clone() }
}

fn inconclusive(claim: &ClaimVerdict, reason: String) -> ClaimVerdict {
    ClaimVerdict {
        verdict: Verdict::Inconclusive,
        reason,
        diagnosis: None,
        story: Vec::new(),
        ..claim.clone()
    }
}
