//! `duplicate`: the same message several times, as a producer's retry makes it.

use super::context::{Context, Dispatch, StepError};
use super::message::{envelope, text};
use crate::scenario::Duplicate;

pub(super) async fn run(step: &Duplicate, context: &Context<'_>) -> Result<(), StepError> {
    let now = context.recorder.clock().now();
    let messages: Vec<_> = (1..=step.count)
        .map(|n| {
            let marker = context.marker(&step.label, n);
            let body = text(&envelope(&marker, now));
            (marker, body)
        })
        .collect();
    for copy in 1..=step.copies {
        if copy > 1 {
            context.wait_until(context.recorder.clock().now() + step.gap).await;
        }
        for (marker, body) in &messages {
            context
                .dispatch(Dispatch {
                    queue: &step.to,
                    label: &step.label,
                    marker: marker.clone(),
                    body: body.clone(),
                    copy,
                    poison: None,
                    delay: None,
                    group: None,
                })
                .await;
        }
    }
    Ok(())
}
