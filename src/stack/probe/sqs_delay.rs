//! Delays and retention (semantics 1.5).

use super::check::checks;
use super::finding::Shown;
use super::lab::Lab;
use super::refusal::{refused, unrefused};

checks! { Sqs:
    Seconds "sqs-delay-of-queue" "1.5" "a message is hidden for the queue's delay, and there after it" of_queue;
    Seconds "sqs-delay-of-message" "1.5" "a message's own delay overrides the queue's" of_message;
    Seconds "sqs-delay-not-later" "1.5" "a change of the queue's delay does not reach messages already there" not_later;
    Seconds "sqs-delay-range" "1.5" "a delay of more than 900 s is refused" range;
    Minutes "sqs-retention-expires" "1.5" "a message is gone after the retention period" expires;
    Minutes "sqs-retention-later" "1.5" "a change of the retention period reaches messages already there" shortened;
    Seconds "sqs-retention-range" "1.5" "a retention of less than 60 s is refused" retention_range;
}

async fn of_queue(lab: Lab) -> Shown {
    let queue = lab.queue(&[("DelaySeconds", "3")]).await?;
    queue.send("a").await?;
    queue.none("no message before the delay of 3 s is over").await?;
    lab.pass(3).await;
    queue.one("the message after its delay of 3 s").await?;
    Ok(())
}

async fn of_message(lab: Lab) -> Shown {
    let queue = lab.queue(&[("DelaySeconds", "600")]).await?;
    queue.sending("now").delay_seconds(0).send().await?;
    queue.one("the message with a delay of 0 at once, on a queue with a delay of 600 s").await?;
    Ok(())
}

async fn not_later(lab: Lab) -> Shown {
    let queue = lab.queue(&[("DelaySeconds", "600")]).await?;
    queue.send("a").await?;
    queue.set("DelaySeconds", "0").await?;
    queue.none("no message before the delay with which it was sent is over").await
}

async fn range(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    refused(queue.sending("a").delay_seconds(901).send().await, &["InvalidParameterValue"])
}

async fn expires(lab: Lab) -> Shown {
    let queue = lab.queue(&[("MessageRetentionPeriod", "60")]).await?;
    queue.send("a").await?;
    lab.pass(61).await;
    queue.none("no message after the retention of 60 s").await
}

async fn shortened(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    queue.set("MessageRetentionPeriod", "60").await?;
    lab.pass(61).await;
    queue.none("no message after the retention that was shortened to 60 s").await
}

async fn retention_range(lab: Lab) -> Shown {
    let made = lab.create_queue(&lab.name("")?, &[("MessageRetentionPeriod", "59")]).await;
    refused(made, &["InvalidAttributeValue", "InvalidParameterValue"])?;
    let queue = lab.queue(&[("MessageRetentionPeriod", "60")]).await;
    unrefused(queue, || "a retention of 60 s to be taken".to_owned()).map(drop)
}
