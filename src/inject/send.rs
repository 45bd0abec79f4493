//! `send`: healthy messages.

use havoq_base::ids::Marker;
use havoq_pattern::JsonPath;
use serde_json::Value;

use super::context::{Context, Dispatch, StepError};
use super::message::{Filling, envelope, fill, text};
use crate::scenario::Send;

pub(super) async fn run(step: &Send, context: &Context<'_>) -> Result<(), StepError> {
    for n in 1..=step.count {
        let (marker, body) = compose(step, n, context);
        context
            .dispatch(Dispatch {
                queue: &step.to,
                label: &step.label,
                marker,
                body,
                copy: 1,
                poison: None,
                delay: step.delay,
                group: step.group.as_deref(),
            })
            .await;
    }
    Ok(())
}

fn compose(step: &Send, n: u32, context: &Context<'_>) -> (Marker, String) {
    let (marker, now) = (context.marker(&step.label, n), context.recorder.clock().now());
    let Some(template) = &step.body else {
        let body = envelope(&marker, now);
        return (marker, text(&body));
    };
    let uuid = context.seed.fork(marker.as_str()).stream().uuid().to_string();
    let body = fill(template, &Filling { marker: marker.clone(), n, now, uuid });
    let marker = step.id.as_deref().and_then(|path| named_marker(path, &body)).unwrap_or(marker);
    (marker, text(&body))
}

/// The marker that the scenario's own field holds.
fn named_marker(path: &str, body: &Value) -> Option<Marker> {
    JsonPath::parse(path).ok()?.first(body).map(Marker::from)
}
