//! Purging and deleting queues (semantics 1.12).

use super::check::checks;
use super::finding::{Shown, same};
use super::lab::Lab;
use super::queue::Counts;
use super::refusal::{refused, unrefused};

checks! { Sqs:
    Seconds "sqs-purge-empties" "1.12" "a purge removes what is visible, hidden and delayed" empties;
    Seconds "sqs-purge-twice" "1.12" "a second purge within 60 s is refused" twice;
    Minutes "sqs-purge-later" "1.12" "a purge 60 s after the last one is taken" later;
    Seconds "sqs-delete-queue" "1.12" "a deleted queue is not there any more" gone;
    Seconds "sqs-delete-recreate" "1.12" "a queue of the same name within 60 s of its deletion is refused" recreate;
    Minutes "sqs-delete-recreate-later" "1.12" "a queue of the same name 60 s after its deletion is new and empty" recreate_later;
}

async fn empties(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "600")]).await?;
    queue.send("hidden").await?;
    queue.one("the message that was sent").await?;
    queue.send("visible").await?;
    queue.sending("delayed").delay_seconds(600).send().await?;
    lab.sqs().purge_queue().queue_url(&queue.url).send().await?;
    let nothing = Counts { visible: 0, in_flight: 0, delayed: 0 };
    let empty = lab.until(10, || async { Ok((queue.counts().await? == nothing).then_some(())) }).await?;
    if empty.is_some() { Ok(()) } else { same("the counts", queue.counts().await?, nothing) }
}

async fn twice(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    lab.sqs().purge_queue().queue_url(&queue.url).send().await?;
    let again = lab.sqs().purge_queue().queue_url(&queue.url).send().await;
    refused(again, &["PurgeQueueInProgress"])
}

async fn later(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    lab.sqs().purge_queue().queue_url(&queue.url).send().await?;
    lab.pass(61).await;
    queue.send("a").await?;
    lab.sqs().purge_queue().queue_url(&queue.url).send().await?;
    queue.none("no message after the second purge").await
}

async fn gone(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    lab.sqs().delete_queue().queue_url(&queue.url).send().await?;
    let found = lab.sqs().get_queue_url().queue_name(&queue.name).send().await;
    refused(found, &["QueueDoesNotExist", "NonExistentQueue"])
}

async fn recreate(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    lab.sqs().delete_queue().queue_url(&queue.url).send().await?;
    refused(lab.create_queue(&queue.name, &[]).await, &["QueueDeletedRecently"])
}

async fn recreate_later(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    lab.sqs().delete_queue().queue_url(&queue.url).send().await?;
    lab.pass(61).await;
    let again = lab.queue_named(queue.name.clone(), &[]).await;
    let again = unrefused(again, || "the creation after 61 s to succeed".to_owned())?;
    again.none("no message of the queue that was deleted").await
}
