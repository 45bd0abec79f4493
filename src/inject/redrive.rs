//! `redrive`: StartMessageMoveTask, and wait until it is through (semantics 1.11).

use super::context::{Context, StepError};
use crate::scenario::RedriveStep;
use crate::stack::RedriveState;

pub(super) async fn run(step: &RedriveStep, context: &Context<'_>) -> Result<(), StepError> {
    let task = context.stack.start_redrive(context.permit, &step.from, step.to.as_deref(), step.rate)?;
    loop {
        match context.stack.redrive_state(&task)? {
            RedriveState::Completed { .. } => return Ok(()),
            RedriveState::Failed(reason) => {
                return Err(StepError::Redrive { queue: step.from.clone(), reason });
            }
            RedriveState::Running => context.patience.event_or(None).await,
        }
    }
}
