//! Every armed fault fired. One that never did makes the scenario inconclusive: what it was meant
//! to show was not shown (design section 5).

use super::{Failed, Precondition, Spoils};
use crate::check::index::{Fault, Index};
use crate::history::Phase;
use crate::scenario::Action;

pub(super) const PRECONDITION: Precondition =
    Precondition { name: "every_fault_fired", text: "every fault took hold", look };

fn look(index: &Index) -> Option<Failed> {
    let never: Vec<&Fault> = index.faults.iter().filter(|fault| !has_fired(fault)).collect();
    if let Some(first) = never.first() {
        let evidence = never.iter().filter_map(|fault| fault.armed.map(|when| when.seq)).collect();
        let why = first.ended.as_ref().and_then(|(_, _, reason)| reason.as_deref());
        let why = why.map_or_else(String::new, |why| format!(": {why}"));
        let others = match never.len() - 1 {
            0 => String::new(),
            others => format!("; nor did {others} more"),
        };
        let named =
            if first.description.is_empty() { String::new() } else { format!(" ({})", first.description) };
        let reason = format!("the fault {}{named} never fired{why}{others}", first.id);
        return Some(Failed::inconclusive(reason, evidence, Spoils::Nothing));
    }
    let (asked, seen) = (asked_for(index), index.faults.len());
    (seen < asked).then(|| {
        let reason = format!("the scenario arms {asked} faults, the history knows of {seen}");
        Failed::inconclusive(reason, Vec::new(), Spoils::Nothing)
    })
}

/// A fault that says at its end that it never took hold is believed over an event that it did.
fn has_fired(fault: &Fault) -> bool {
    let denied = fault.ended.as_ref().is_some_and(|(_, fired, _)| !fired);
    !fault.fired.is_empty() && !denied
}

/// The armed kills and faults whose step is over: each must have left its trace.
fn asked_for(index: &Index) -> usize {
    let steps = index.scenario.inject.iter().enumerate();
    let armed = steps.map(|(at, step)| {
        let over = index
            .run
            .step(Phase::Inject, at)
            .is_some_and(|step| step.ended.as_ref().is_some_and(|end| end.ok));
        match &step.action {
            Action::Kill(kill) if over && kill.at.is_some() => 1,
            Action::Fault(faults) if over => faults.len(),
            _ => 0,
        }
    });
    armed.sum::<usize>() + usize::from(sweeps(index))
}

/// Whether a sweep's kill is to be armed by now.
fn sweeps(index: &Index) -> bool {
    let kill = index.scenario.swept_in();
    kill.is_some_and(|kill| index.run.step(Phase::Inject, kill.before).is_some())
}
