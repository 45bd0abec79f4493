//! `redrive`: StartMessageMoveTask, and wait until it is through (semantics 1.11).

use super::context::{Context, StepError};
use crate::scenario::RedriveStep;
use crate::stack::RedriveState;

pub(super) async fn run(step: &RedriveStep, context: &Context<'_>) -> Result<(), StepError> {
    let task = context.stack.start_redrive(context.permit, &step.from, step.to.as_deref(), step.rate).await?;
    loop {
        match context.stack.redrive_state(&task).await? {
            RedriveState::Completed { .. } => return Ok(()),
            RedriveState::Failed(reason) => {
                return Err(StepError::Redrive { queue: step.from.clone(), reason });
            }
            RedriveState::Running { look_again } => {
                let until = look_again.map(|pause| context.recorder.clock().now() + pause);
                context.patience.event_or(until).await;
            }
        }
    }
}
