//! FIFO queues: deduplication (semantics 1.13).

use super::check::checks;
use super::finding::{Not, Shown, ensure, listed, same, wrong};
use super::lab::Lab;
use super::queue::{Queue, bodies};
use super::refusal::refused;

checks! { Sqs:
    Seconds "sqs-fifo-dedup-id" "1.13" "a second message with the same deduplication id is swallowed" by_id;
    Seconds "sqs-fifo-dedup-answer" "1.13" "the answer to a swallowed send looks like any other" answer;
    Seconds "sqs-fifo-dedup-deleted" "1.13" "it is swallowed also when the first was received and deleted" deleted;
    Seconds "sqs-fifo-dedup-content" "1.13" "content-based deduplication goes by the body, an explicit id before it" content;
    Seconds "sqs-fifo-dedup-groups" "1.13" "by default the id counts in the whole queue, whatever the group" groups;
    Seconds "sqs-fifo-dedup-scope" "1.13" "with the scope messageGroup each group has ids of its own" scope;
    Seconds "sqs-fifo-dedup-required" "1.7" "a message without a deduplication id is refused where content does not count" required;
    Minutes "sqs-fifo-dedup-window" "1.13" "after 5 min the id is free again" window;
    Seconds "sqs-fifo-dedup-purge" "1.12" "a purge forgets the ids" purge;
    Seconds "sqs-fifo-sequence" "1.13" "sequence numbers rise within a group" sequence;
}

/// Sends with an explicit deduplication id.
async fn send(queue: &Queue, group: &str, id: &str, body: &str) -> Shown<Option<String>> {
    let send = queue.sending(body).message_group_id(group).message_deduplication_id(id);
    Ok(send.send().await?.message_id)
}

async fn by_id(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    send(&queue, "g", "one", "a").await?;
    send(&queue, "g", "one", "b").await?;
    listed("the messages", bodies(&queue.take(2).await?), r#"["a"]"#)
}

async fn answer(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    send(&queue, "g", "one", "a").await?;
    let swallowed = send(&queue, "g", "one", "b").await?;
    ensure(swallowed.is_some(), "an answer with a MessageId", "one without")
}

async fn deleted(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    send(&queue, "g", "one", "a").await?;
    let first = queue.one("the first message").await?;
    queue.delete(&first).await?;
    send(&queue, "g", "one", "a").await?;
    queue.none("no message with an id that was used a moment ago").await
}

async fn content(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    queue.send_in("g", "same").await?;
    queue.send_in("g", "same").await?;
    send(&queue, "g", "explicit", "same").await?;
    queue.send_in("g", "other").await?;
    listed("the messages", bodies(&queue.take(4).await?), r#"["same", "same", "other"]"#)
}

async fn groups(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    send(&queue, "g", "one", "a").await?;
    send(&queue, "h", "one", "b").await?;
    listed("the messages", bodies(&queue.take(2).await?), r#"["a"]"#)
}

async fn scope(lab: Lab) -> Shown {
    let queue = lab.fifo(&[("DeduplicationScope", "messageGroup")]).await?;
    send(&queue, "g", "one", "a").await?;
    send(&queue, "h", "one", "b").await?;
    same("messages:", queue.take(2).await?.len(), 2)
}

async fn required(lab: Lab) -> Shown {
    let queue = lab.queue_named(lab.name(".fifo")?, &[("FifoQueue", "true")]).await?;
    refused(queue.sending("a").message_group_id("g").send().await, &["InvalidParameterValue"])
}

async fn window(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    send(&queue, "g", "one", "a").await?;
    let first = queue.one("the first message").await?;
    queue.delete(&first).await?;
    lab.pass(290).await;
    send(&queue, "g", "one", "within").await?;
    queue.none("no message with the same id within 5 min").await?;
    lab.pass(15).await;
    send(&queue, "g", "one", "after").await?;
    listed("the message", bodies(&queue.take(1).await?), r#"["after"]"#)
}

async fn purge(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    send(&queue, "g", "one", "a").await?;
    lab.sqs().purge_queue().queue_url(&queue.url).send().await?;
    send(&queue, "g", "one", "b").await?;
    listed("the message", bodies(&queue.take(1).await?), r#"["b"]"#)
}

async fn sequence(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    let mut numbers = Vec::new();
    for body in ["a", "b", "c"] {
        let sent = queue.sending(body).message_group_id("g").send().await?.sequence_number;
        let number = sent.and_then(|number| number.parse::<u128>().ok());
        numbers.push(number.ok_or_else(|| Not::Absent("SendMessage gave no SequenceNumber".to_owned()))?);
    }
    if numbers.is_sorted_by(|a, b| a < b) { Ok(()) } else { wrong("rising numbers", format!("{numbers:?}")) }
}
