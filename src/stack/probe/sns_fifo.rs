//! FIFO topics (semantics 2.4).

use aws_sdk_sqs::types::MessageSystemAttributeName as System;

use super::check::checks;
use super::finding::{Shown, same};
use super::lab::Lab;
use super::queue::{Queue, body, system};
use super::refusal::refused;
use super::topic::Topic;

checks! { Sns:
    Seconds "sns-fifo-order" "2.4" "a FIFO queue gets a group's messages in their order, with their group" order;
    Seconds "sns-fifo-dedup" "2.4" "a second publish with the same deduplication id is not delivered" duplicate;
    Seconds "sns-fifo-standard-queue" "2.1" "a standard queue can subscribe to a FIFO topic" standard_queue;
    Seconds "sns-fifo-group-required" "2.4" "a publish without a group is refused" group_required;
}

const RAW: &[(&str, &str)] = &[("RawMessageDelivery", "true")];

async fn subscribed(lab: &Lab) -> Shown<(Topic, Queue)> {
    let (topic, queue) = (lab.fifo_topic().await?, lab.fifo(&[]).await?);
    topic.subscribe(&queue, RAW).await?;
    Ok((topic, queue))
}

async fn order(lab: Lab) -> Shown {
    let (topic, queue) = subscribed(&lab).await?;
    for message in ["a", "b", "c"] {
        topic.publishing(message).message_group_id("g").send().await?;
    }
    let seen = queue.take(3).await?;
    let bodies: Vec<&str> = seen.iter().map(body).collect();
    same("the order", bodies, vec!["a", "b", "c"])?;
    same("the group", seen.first().and_then(|first| system(first, System::MessageGroupId)), Some("g"))
}

async fn duplicate(lab: Lab) -> Shown {
    let (topic, queue) = subscribed(&lab).await?;
    for message in ["a", "b"] {
        topic.publishing(message).message_group_id("g").message_deduplication_id("one").send().await?;
    }
    let seen = queue.take(2).await?;
    same("delivered:", seen.iter().map(body).collect::<Vec<_>>(), vec!["a"])
}

async fn standard_queue(lab: Lab) -> Shown {
    let (topic, queue) = (lab.fifo_topic().await?, lab.queue(&[]).await?);
    topic.subscribe(&queue, RAW).await?;
    topic.publishing("a").message_group_id("g").send().await?;
    same("the body", body(&queue.one("the message in the standard queue").await?), "a")
}

async fn group_required(lab: Lab) -> Shown {
    let (topic, _) = subscribed(&lab).await?;
    refused(topic.publishing("a").send().await, &["InvalidParameter"])
}
