//! What is done to the system under test: one file a step kind. Waiting for a claim is the
//! engine's, since it needs the checkers.

mod context;
mod duplicate;
mod fault;
mod kill;
mod message;
mod poison;
mod redrive;
mod restart;
mod send;

pub use context::{Context, Patience, StepError};
pub use kill::policy;

use crate::scenario::Action;

/// Carries out a step. `fault` names it, should it be one. Waiting steps are not for here.
pub async fn run(action: &Action, fault: &str, context: &Context<'_>) -> Result<(), StepError> {
    match action {
        Action::Send(step) => send::run(step, context).await,
        Action::Poison(step) => poison::run(step, context).await,
        Action::Duplicate(step) => duplicate::run(step, context).await,
        Action::Fault(faults) => {
            fault::run(faults, fault, context);
            Ok(())
        }
        Action::Kill(step) => kill::run(step, fault, context).await,
        Action::Restart { consumer } => restart::restart(consumer, context).await,
        Action::Swap { consumer } => restart::swap(consumer, context).await,
        Action::Redrive(step) => redrive::run(step, context).await,
        Action::Wait(_) | Action::Await(_) => Ok(()),
    }
}
