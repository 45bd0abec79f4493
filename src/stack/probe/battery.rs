//! Runs checks side by side, on one stack or each on a sandbox of its own, and takes away what
//! they made.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::RealDuration;
use havoq_base::clock::sleep;
use thiserror::Error;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::check::Check;
use super::finding::{Finding, Not, Shown};
use super::lab::Lab;
use crate::aws::Clients;
use crate::guard::{Permit, Target};
use crate::stack::errors::told;

/// How many run side by side: enough to wait together, and few enough for a slow stack.
const SIDE_BY_SIDE: usize = 8;
/// Real time for a check.
const SECONDS: RealDuration = RealDuration::from_secs(60);
const MINUTES: RealDuration = RealDuration::from_secs(900);

/// Checks that are to be run on a stack.
pub struct Battery {
    pub on: Target,
    pub permit: Permit,
    pub checks: Vec<&'static Check>,
    /// Turns true when the user asks to stop.
    pub interrupt: watch::Receiver<bool>,
}

#[derive(Debug, Error)]
pub enum ProbeError {
    #[error("the stack at {url} did not answer: {reason}\nhint: see that it runs there")]
    NoAnswer { url: String, reason: String },
}

/// What a battery came to.
pub struct Probing {
    /// In the order of the checks. Those that were not begun when the user asked to stop are left
    /// out.
    pub findings: Vec<Finding>,
    /// What could not be removed, in words.
    pub left_behind: Option<String>,
}

/// What one check came to.
struct Came {
    finding: Finding,
    left: Vec<String>,
}

impl Battery {
    pub async fn run(self, mut told: impl FnMut(&'static Check, &Finding)) -> Result<Probing, ProbeError> {
        if self.checks.is_empty() {
            return Ok(Probing { findings: Vec::new(), left_behind: None });
        }
        let clients = match &self.on {
            Target::Url(url) => Some((url.clone(), answering(url).await?)),
            Target::Sandbox | Target::Aws => None,
        };
        let slots = Arc::new(Semaphore::new(SIDE_BY_SIDE));
        let mut running = JoinSet::new();
        for (number, check) in self.checks.iter().copied().enumerate() {
            let (clients, permit) = (clients.clone(), self.permit.clone());
            let (slots, interrupt) = (Arc::clone(&slots), self.interrupt.clone());
            running.spawn(async move {
                // The semaphore is never closed.
                let _slot = slots.acquire_owned().await;
                if *interrupt.borrow() {
                    return (number, None);
                }
                (number, Some(run(check, clients, &permit, interrupt).await))
            });
        }
        let (mut findings, mut left) = (BTreeMap::new(), Vec::new());
        while let Some(ended) = running.join_next().await {
            match ended {
                Ok((number, Some(came))) => {
                    told(self.checks[number], &came.finding);
                    findings.insert(number, came.finding);
                    left.extend(came.left);
                }
                Ok((_, None)) => {}
                Err(panic) => std::panic::resume_unwind(panic.into_panic()),
            }
        }
        left.sort();
        let left_behind = (!left.is_empty()).then(|| left_behind(&self.on, &left));
        Ok(Probing { findings: findings.into_values().collect(), left_behind })
    }
}

/// More names than these say no more.
const NAMED: usize = 5;

fn left_behind(on: &Target, names: &[String]) -> String {
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    format!("left behind on {on}: {named}{more}\nhint: delete it by hand")
}

/// Clients of a stack that is there.
async fn answering(url: &str) -> Result<Clients, ProbeError> {
    let clients = Clients::once(url);
    match clients.sqs.list_queues().send().await {
        // Whatever it says, it says something.
        Err(error) if error.raw_response().is_none() => {
            Err(ProbeError::NoAnswer { url: url.to_owned(), reason: told(&error) })
        }
        _ => Ok(clients),
    }
}

async fn run(
    check: &'static Check,
    clients: Option<(String, Clients)>,
    permit: &Permit,
    mut interrupt: watch::Receiver<bool>,
) -> Came {
    let is_own = clients.is_none();
    let lab = match clients {
        Some((url, clients)) => Ok(Lab::at(&url, clients, check.id, permit)),
        None => Lab::own(check.id, permit).await,
    };
    let lab = match lab {
        Ok(lab) => lab,
        Err(error) => {
            let shown = Err(Not::Unclear(format!("no sandbox could be made: {error}")));
            return Came { finding: Finding::of(check.id, shown), left: Vec::new() };
        }
    };
    let limit = if check.is_slow() { MINUTES } else { SECONDS };
    let shown: Shown = tokio::select! {
        shown = (check.run)(lab.clone()) => shown,
        () = sleep(limit) => Err(Not::Unclear(format!("it was not through after {limit}"))),
        _ = interrupt.wait_for(|interrupted| *interrupted) => Err(Not::Unclear("it was interrupted".to_owned())),
    };
    // A sandbox goes as a whole.
    let left = if is_own { Vec::new() } else { lab.clean_up().await };
    Came { finding: Finding::of(check.id, shown), left }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::admit;

    #[tokio::test]
    async fn without_checks_the_stack_is_not_called() {
        let on = Target::Url("http://127.0.0.1:1".to_owned());
        let permit = admit(&on).expect("loopback");
        let (_interrupted, interrupt) = watch::channel(false);
        let battery = Battery { on, permit, checks: Vec::new(), interrupt };
        let probing = battery.run(|_, _| {}).await.expect("nobody had to answer");
        assert!(probing.findings.is_empty() && probing.left_behind.is_none());
    }
}
