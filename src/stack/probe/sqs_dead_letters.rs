//! Dead-lettering: when a message is moved, and what of it stays (semantics 1.10).

use aws_sdk_sqs::types::MessageSystemAttributeName as System;

use super::check::checks;
use super::finding::{Shown, ensure, same, wrong};
use super::lab::Lab;
use super::queue::{Queue, body, id, receives, system, text};

checks! { Sqs:
    Seconds "sqs-dlq-after-maximum" "1.10" "a message is received maxReceiveCount times, and the next receive moves it" after_maximum;
    Seconds "sqs-dlq-no-mover" "1.10" "nothing is moved before somebody receives again" no_mover;
    Seconds "sqs-dlq-keeps-message" "1.10" "a moved message keeps its MessageId, body and attributes" keeps_message;
    Seconds "sqs-dlq-source" "1.10" "a moved message names its source queue" source;
    Seconds "sqs-dlq-count" "1.10" "the receive count goes on in the dead-letter queue" count;
    Seconds "sqs-dlq-fifo" "1.10" "FIFO: a message that failed moves, and frees its group" fifo;
    Minutes "sqs-dlq-retention" "1.10" "retention in the dead-letter queue counts from the first send" retention;
    Seconds "sqs-dlq-deleted-first" "1.10" "what is deleted at its last receive is not moved" deleted_first;
}

/// Sends a message and receives it `count` times, each time shown again at once; its MessageId.
pub(super) async fn fail(queue: &Queue, count: u32) -> Shown<String> {
    let sent = queue.send("a").await?;
    for n in 1..=count {
        let message = queue.one(&format!("the message at receive {n} of {count}")).await?;
        queue.hide(&message, 0).await?;
    }
    Ok(sent)
}

/// Sends a message and has it dead-lettered; its MessageId.
pub(super) async fn dead_letter(queue: &Queue, count: u32) -> Shown<String> {
    let sent = fail(queue, count).await?;
    queue.none(&format!("no message after {count} receives, which is maxReceiveCount")).await?;
    Ok(sent)
}

async fn after_maximum(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(2, &[]).await?;
    let sent = dead_letter(&queue, 2).await?;
    let moved = dead.one("the message in the dead-letter queue after the receive that follows").await?;
    same("its MessageId", id(&moved), &sent)
}

async fn no_mover(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[("VisibilityTimeout", "1")]).await?;
    queue.send("a").await?;
    queue.one("the message that was sent").await?;
    lab.pass(3).await;
    dead.none("nothing in the dead-letter queue before the next receive").await?;
    queue.none("no message after maxReceiveCount is used up").await?;
    dead.one("the message in the dead-letter queue after that receive").await?;
    Ok(())
}

async fn keeps_message(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    let sent = queue.sending("the body").message_attributes("colour", text("red")).send().await?;
    let message = queue.one("the message that was sent").await?;
    queue.hide(&message, 0).await?;
    queue.none("no message after maxReceiveCount is used up").await?;
    let moved = dead.one("the message in the dead-letter queue").await?;
    same("the MessageId", Some(id(&moved)), sent.message_id.as_deref())?;
    same("the body", body(&moved), "the body")?;
    let colour = moved.message_attributes.as_ref().and_then(|all| all.get("colour")?.string_value());
    same("the attribute", colour, Some("red"))
}

async fn source(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    dead_letter(&queue, 1).await?;
    let moved = dead.one("the message in the dead-letter queue").await?;
    let source = system(&moved, System::DeadLetterQueueSourceArn);
    same("DeadLetterQueueSourceArn", source, Some(queue.arn.as_str()))
}

async fn count(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    dead_letter(&queue, 1).await?;
    let moved = dead.one("the message in the dead-letter queue").await?;
    same("a receive count, one receive before the move, of", receives(&moved), "2")
}

async fn fifo(lab: Lab) -> Shown {
    let dead = lab.fifo(&[]).await?;
    let queue = lab.fifo(&[("RedrivePolicy", &dead.redrive_policy(1))]).await?;
    queue.send_in("g", "poison").await?;
    queue.send_in("g", "next").await?;
    let poison = queue.one("the first message").await?;
    same("the first message's body", body(&poison), "poison")?;
    queue.hide(&poison, 0).await?;
    let next = queue.one("the group's next message once the first is dead-lettered").await?;
    same("its body", body(&next), "next")?;
    let moved = dead.one("the failed message in the dead-letter queue").await?;
    same("its body", body(&moved), "poison")
}

async fn retention(lab: Lab) -> Shown {
    let dead = lab.queue(&[("MessageRetentionPeriod", "90")]).await?;
    let queue = lab.queue(&[("RedrivePolicy", &dead.redrive_policy(1))]).await?;
    let sent = queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    queue.hide(&message, 60).await?;
    lab.pass(60).await;
    queue.none("no message after maxReceiveCount is used up").await?;
    let moved = dead.take_with(1, |receive| receive.visibility_timeout(0)).await?;
    let Some(moved) = moved.first() else {
        return wrong("the message in the dead-letter queue 60 s after it was sent", "no message");
    };
    same("the MessageId", id(moved), &sent)?;
    lab.pass(35).await;
    let seen = dead.take(1).await?;
    ensure(
        seen.is_empty(),
        "no message 95 s after it was sent, with a retention of 90 s in the dead-letter queue",
        "the message, whose retention began anew at the move",
    )
}

async fn deleted_first(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[("VisibilityTimeout", "1")]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    queue.delete(&message).await?;
    lab.pass(1).await;
    queue.none("no message after the delete").await?;
    dead.none("nothing in the dead-letter queue either").await
}
