//! Topics, and what is refused (semantics 2.1).

use aws_sdk_sns::types::PublishBatchRequestEntry as Entry;

use super::check::checks;
use super::finding::{Not, Shown, same};
use super::lab::Lab;
use super::refusal::{not_accepted, refused};
use super::topic::{Topic, published};

checks! { Sns:
    Seconds "sns-create-again" "2.1" "a topic that is created again is the same" again;
    Seconds "sns-missing-topic" "2.1" "a publish to a topic that is not there is refused with NotFound" missing;
    Seconds "sns-size" "2.1" "256 KiB are taken, and more is refused" size;
    Seconds "sns-message-empty" "2.1" "an empty message is refused" empty;
    Seconds "sns-subscribe-fifo-queue" "2.1" "a FIFO queue cannot subscribe to a standard topic" fifo_queue;
    Seconds "sns-batch" "2.1" "every entry of a batch is delivered" batch;
    Seconds "sns-batch-ids-distinct" "2.1" "a batch with one id twice is refused whole" batch_distinct;
    Seconds "sns-batch-eleven" "2.1" "a batch of eleven entries is refused" batch_eleven;
}

async fn again(lab: Lab) -> Shown {
    let topic = lab.topic().await?;
    let again = lab.sns().create_topic().name(&topic.name).send().await?;
    same("the TopicArn", again.topic_arn, Some(topic.arn))
}

async fn missing(lab: Lab) -> Shown {
    let topic = lab.topic().await?;
    let arn = topic.arn.replace(&topic.name, &lab.name("")?);
    refused(lab.sns().publish().topic_arn(arn).message("a").send().await, &["NotFound"])
}

async fn size(lab: Lab) -> Shown {
    let topic = lab.topic().await?;
    topic.publish(&"x".repeat(262_144)).await?;
    refused(topic.publishing(&"x".repeat(262_145)).send().await, &["InvalidParameter"])
}

async fn empty(lab: Lab) -> Shown {
    let topic = lab.topic().await?;
    refused(
        topic.publishing("").send().await,
        &["InvalidParameter", "InvalidParameterValue", "ValidationError"],
    )
}

async fn fifo_queue(lab: Lab) -> Shown {
    let (topic, queue) = (lab.topic().await?, lab.fifo(&[]).await?);
    let subscribe = lab.sns().subscribe().topic_arn(&topic.arn).protocol("sqs").endpoint(&queue.arn);
    not_accepted(subscribe.send().await, "the queue is FIFO and the topic is not")
}

fn entry(id: &str, message: &str) -> Shown<Entry> {
    Entry::builder().id(id).message(message).build().map_err(|error| Not::Unclear(error.to_string()))
}

fn batching(
    topic: &Topic,
    entries: Vec<Entry>,
) -> aws_sdk_sns::operation::publish_batch::builders::PublishBatchFluentBuilder {
    topic.lab.sns().publish_batch().topic_arn(&topic.arn).set_publish_batch_request_entries(Some(entries))
}

async fn batch(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[]).await?;
    let sent = batching(&topic, vec![entry("one", "a")?, entry("two", "b")?]).send().await?;
    same("successful entries:", sent.successful.map_or(0, |all| all.len()), 2)?;
    same("delivered:", published(&queue.take(2).await?)?, vec!["a".to_owned(), "b".to_owned()])
}

async fn batch_distinct(lab: Lab) -> Shown {
    let topic = lab.topic().await?;
    let sent = batching(&topic, vec![entry("one", "a")?, entry("one", "b")?]).send().await;
    refused(sent, &["BatchEntryIdsNotDistinct"])
}

async fn batch_eleven(lab: Lab) -> Shown {
    let topic = lab.topic().await?;
    let entries: Shown<Vec<Entry>> = (0..11).map(|n| entry(&format!("e{n}"), "a")).collect();
    refused(batching(&topic, entries?).send().await, &["TooManyEntriesInBatchRequest"])
}
