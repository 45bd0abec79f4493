//! `restart` and `swap`: the consumer anew, as it was or fixed.

use super::context::{Context, StepError};

pub(super) async fn restart(consumer: &str, context: &Context<'_>) -> Result<(), StepError> {
    Ok(context.fleet.restart(consumer).await?)
}

pub(super) async fn swap(consumer: &str, context: &Context<'_>) -> Result<(), StepError> {
    Ok(context.fleet.swap(consumer).await?)
}
