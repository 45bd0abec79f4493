//! Every step of the scenario was done. Waits are claims and are judged as such; a wait that was
//! not met leaves the steps behind it undone, which shows here.

use super::consumers_ready::unready;
use super::{Failed, Precondition, Spoils};
use crate::check::afar;
use crate::check::index::{Index, StepFact};
use crate::history::Phase;
use crate::scenario::{Action, Step};

pub(super) const PRECONDITION: Precondition =
    Precondition { name: "steps_done", text: "every step was done", look };

fn look(index: &Index) -> Option<Failed> {
    let steady =
        index.scenario.steady_state.iter().enumerate().map(|(at, step)| (Phase::SteadyState, at, step));
    let inject = index.scenario.inject.iter().enumerate().map(|(at, step)| (Phase::Inject, at, step));
    let mut failed: Vec<Failed> =
        steady.chain(inject).filter_map(|(phase, at, step)| undone(index, phase, at, step)).collect();
    // A stack that refused outweighs the steps that were not reached because of it.
    failed.sort_by_key(|failed| std::cmp::Reverse(failed.verdict));
    failed.into_iter().next()
}

fn undone(index: &Index, phase: Phase, at: usize, step: &Step) -> Option<Failed> {
    let name = match phase {
        Phase::SteadyState => format!("steady_state[{at}] {}", kind(step)),
        Phase::Inject => format!("inject[{at}] {}", kind(step)),
    };
    let Some(fact) = index.run.step(phase, at) else {
        return Some(Failed::inconclusive(format!("{name} was never reached"), Vec::new(), Spoils::Absences));
    };
    let StepFact { ended: Some(end), .. } = fact else {
        let evidence = vec![fact.started.seq];
        return Some(Failed::inconclusive(format!("{name} was not finished"), evidence, Spoils::Absences));
    };
    if end.ok || matches!(step.action, Action::Await(_)) {
        return None;
    }
    let why = end.reason.as_deref().unwrap_or("no reason was given");
    let reason = format!("{name} failed: {why}");
    let evidence = vec![end.when.seq];
    Some(match &step.action {
        // There may have been nothing to end, or to wait for: a drill that was not held.
        Action::Kill(_) | Action::Wait(_) => Failed::inconclusive(reason, evidence, Spoils::Absences),
        // What went wrong with it is the consumer's own, and told as such.
        Action::Restart { consumer } | Action::Swap { consumer } if unready(index, consumer).is_some() => {
            Failed::inconclusive(reason, evidence, Spoils::Absences)
        }
        // Most stacks that are not AWS's have no move tasks.
        Action::Redrive(_) if index.is_foreign() => {
            let probed = afar::redrives(index).map_or_else(String::new, |why| format!("; {why}"));
            Failed::inconclusive(reason + &probed, evidence, Spoils::Absences)
        }
        _ => Failed::error(reason, evidence, Spoils::Absences),
    })
}

fn kind(step: &Step) -> &'static str {
    match &step.action {
        Action::Send(_) => "send",
        Action::Poison(_) => "poison",
        Action::Duplicate(_) => "duplicate",
        Action::Kill(_) => "kill",
        Action::Fault(_) => "fault",
        Action::Restart { .. } => "restart",
        Action::Swap { .. } => "swap",
        Action::Redrive(_) => "redrive",
        Action::Wait(_) => "wait",
        Action::Await(claim) => super::super::claims::checker(claim).kind(),
    }
}
