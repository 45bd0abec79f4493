//! Mappings of queues: which are taken, and what they consume (semantics 5.1, 5.2).

use aws_sdk_lambda::types::{Filter, FilterCriteria, ScalingConfig};

use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::mapped::Mapped;
use super::queue::Queue;
use super::refusal::{not_accepted, refused};
use super::script::Script;

checks! { Lambda:
    Seconds "lambda-mapping-consumes" "5.1" "a mapping hands the queue's messages to the function, and deletes them" consumes;
    Seconds "lambda-mapping-later" "5.1" "it does so with messages that come later" later;
    Seconds "lambda-mapping-disabled" "5.1" "a mapping that is not enabled consumes nothing" disabled;
    Seconds "lambda-mapping-enabled" "5.1" "it consumes once it is enabled" enabled;
    Seconds "lambda-mapping-deleted" "5.1" "a deleted mapping consumes nothing" deleted;
    Seconds "lambda-mapping-missing-queue" "5.1" "a queue that is not there is refused" missing_queue;
    Seconds "lambda-mapping-missing-function" "5.1" "a function that is not there is refused" missing_function;
    Seconds "lambda-mapping-visibility" "5.1" "a queue that hides messages shorter than the function may run is refused" visibility;
    Seconds "lambda-mapping-again" "5.1" "a second mapping of the same queue and function is refused" again;
    Seconds "lambda-mapping-batch-window" "5.1" "a batch size above 10 needs a batching window" batch_window;
    Seconds "lambda-mapping-batch-fifo" "5.1" "a batch size above 10 is refused for a FIFO queue" batch_fifo;
    Seconds "lambda-mapping-concurrency" "5.3" "a maximum concurrency of less than 2 is refused" concurrency;
    Seconds "lambda-mapping-filter" "5.2" "a message that the filter does not take is deleted, and not handed over" filter;
    Seconds "lambda-mapping-filter-form" "5.2" "a text is deleted where the filter asks for JSON" filter_form;
}

async fn consumes(lab: Lab) -> Shown {
    same("dead-lettered:", lab.dead_lettered(Script::Echo, false, &["a", "b", "c"]).await?, Vec::new())
}

async fn later(lab: Lab) -> Shown {
    let mapped = lab.unmapped(Script::Echo, false).await?;
    mapped.function.mapping(&mapped.queue, false).send().await?;
    lab.pass(2).await;
    mapped.queue.send("a").await?;
    mapped.drained().await?;
    same("dead-lettered:", mapped.dead_letters(1).await?, Vec::new())
}

/// A mapping that is not enabled, its id, and a message in its queue.
async fn not_enabled(lab: &Lab) -> Shown<(Mapped, String)> {
    let mapped = lab.unmapped(Script::Echo, false).await?;
    let made = mapped.function.mapping(&mapped.queue, false).enabled(false).send().await?;
    mapped.queue.send("a").await?;
    Ok((mapped, made.uuid.unwrap_or_default()))
}

/// The message must stay where it is.
async fn untouched(queue: &Queue) -> Shown {
    queue.lab.pass(8).await;
    let seen = queue.counts().await?;
    ensure(seen.visible == 1, "the message in the queue", format!("{seen:?}"))
}

async fn disabled(lab: Lab) -> Shown {
    let (mapped, _) = not_enabled(&lab).await?;
    untouched(&mapped.queue).await
}

async fn enabled(lab: Lab) -> Shown {
    let (mapped, uuid) = not_enabled(&lab).await?;
    lab.lambda().update_event_source_mapping().uuid(uuid).enabled(true).send().await?;
    mapped.drained().await?;
    same("dead-lettered:", mapped.dead_letters(1).await?, Vec::new())
}

async fn deleted(lab: Lab) -> Shown {
    let (mapped, uuid) = not_enabled(&lab).await?;
    let update = lab.lambda().update_event_source_mapping().uuid(&uuid).enabled(true);
    update.send().await?;
    mapped.drained().await?;
    lab.lambda().delete_event_source_mapping().uuid(uuid).send().await?;
    // Its last long poll may be under way.
    lab.pass(20).await;
    mapped.queue.send("b").await?;
    untouched(&mapped.queue).await
}

async fn missing_queue(lab: Lab) -> Shown {
    let mapped = lab.unmapped(Script::Echo, false).await?;
    let missing = Queue { arn: format!("{}-no", mapped.queue.arn), ..mapped.queue };
    let create = mapped.function.mapping(&missing, false).send().await;
    refused(create, &["InvalidParameterValueException"])
}

async fn missing_function(lab: Lab) -> Shown {
    let mapped = lab.unmapped(Script::Echo, false).await?;
    let create = mapped.function.mapping(&mapped.queue, false).function_name(lab.short_name()?);
    not_accepted(create.send().await, "the function is not there")
}

async fn visibility(lab: Lab) -> Shown {
    let (function, queue) =
        (lab.function(Script::Echo).await?, lab.queue(&[("VisibilityTimeout", "2")]).await?);
    refused(function.mapping(&queue, false).send().await, &["InvalidParameterValueException"])
}

async fn again(lab: Lab) -> Shown {
    let mapped = lab.unmapped(Script::Echo, false).await?;
    mapped.function.mapping(&mapped.queue, false).send().await?;
    let again = mapped.function.mapping(&mapped.queue, false).send().await;
    refused(again, &["ResourceConflictException"])
}

async fn batch_window(lab: Lab) -> Shown {
    let mapped = lab.unmapped(Script::Echo, false).await?;
    let create = mapped.function.mapping(&mapped.queue, false).batch_size(11);
    refused(create.send().await, &["InvalidParameterValueException"])?;
    let create = mapped.function.mapping(&mapped.queue, false).batch_size(11);
    let create = create.maximum_batching_window_in_seconds(1).send().await;
    super::refusal::succeeds("a batch size of 11 with a window", create.map_err(Into::into))
}

async fn batch_fifo(lab: Lab) -> Shown {
    let mapped = lab.unmapped(Script::Echo, true).await?;
    let create = mapped.function.mapping(&mapped.queue, false).batch_size(11);
    not_accepted(create.send().await, "the queue is a FIFO queue")
}

async fn concurrency(lab: Lab) -> Shown {
    let mapped = lab.unmapped(Script::Echo, false).await?;
    let scaling = ScalingConfig::builder().maximum_concurrency(1).build();
    let create = mapped.function.mapping(&mapped.queue, false).scaling_config(scaling);
    not_accepted(create.send().await, "the least is 2")
}

/// What is dead-lettered of these messages where the filter takes the kind x, and the function fails
/// with whatever it gets.
async fn filtered(lab: &Lab, messages: &[&str]) -> Shown<Vec<String>> {
    let mapped = lab.unmapped(Script::Raise, false).await?;
    for message in messages {
        mapped.queue.send(message).await?;
    }
    let filter = Filter::builder().pattern(r#"{"body":{"kind":["x"]}}"#).build();
    let criteria = FilterCriteria::builder().filters(filter).build();
    mapped.function.mapping(&mapped.queue, false).filter_criteria(criteria).send().await?;
    mapped.drained().await?;
    mapped.dead_letters(messages.len()).await
}

async fn filter(lab: Lab) -> Shown {
    let (taken, other) = (r#"{"kind":"x"}"#, r#"{"kind":"y"}"#);
    same("handed over:", filtered(&lab, &[taken, other]).await?, vec![taken.to_owned()])
}

async fn filter_form(lab: Lab) -> Shown {
    let taken = r#"{"kind":"x"}"#;
    same("handed over:", filtered(&lab, &["text", taken]).await?, vec![taken.to_owned()])
}
