//! `poison`: messages that no consumer of the first version can process.

use super::context::{Context, Dispatch, StepError};
use super::message::poisoned;
use crate::scenario::Poison;

pub(super) async fn run(step: &Poison, context: &Context<'_>) -> Result<(), StepError> {
    for n in 1..=step.count {
        let marker = context.marker(&step.label, n);
        let body = poisoned(step.form, &marker, context.recorder.clock().now());
        context
            .dispatch(Dispatch {
                queue: &step.to,
                label: &step.label,
                marker,
                body,
                copy: 1,
                poison: Some(step.form.name()),
                delay: None,
                group: step.group.as_deref(),
            })
            .await;
    }
    Ok(())
}
