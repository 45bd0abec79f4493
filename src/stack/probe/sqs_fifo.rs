//! FIFO queues: order and groups (semantics 1.13).

use super::check::checks;
use super::finding::{Shown, ensure, listed, same};
use super::lab::Lab;
use super::queue::{Queue, bodies, body};
use super::refusal::refused;

checks! { Sqs:
    Seconds "sqs-fifo-order" "1.13" "messages of a group come in the order in which they were sent" order;
    Seconds "sqs-fifo-batch-of-group" "1.13" "a receive takes as many of one group as it can, then of others" batch_of_group;
    Seconds "sqs-fifo-group-locks" "1.13" "while a message is held, no later one of its group comes" group_locks;
    Seconds "sqs-fifo-other-groups" "1.13" "other groups go on meanwhile" other_groups;
    Seconds "sqs-fifo-delete-unlocks" "1.13" "deleting what is held frees the group at once" delete_unlocks;
    Seconds "sqs-fifo-back-in-order" "1.13" "a message that comes back comes before the later ones of its group" back_in_order;
    Seconds "sqs-fifo-early-again" "1.13" "a held message that was shown again can be received while a later one is held" early_again;
    Seconds "sqs-fifo-delete-expired" "1.2" "a handle whose timeout is over deletes nothing on a FIFO queue" delete_expired;
    Seconds "sqs-fifo-group-required" "1.7" "a message without a group is refused" group_required;
    Seconds "sqs-fifo-own-delay" "1.5" "a message cannot have a delay of its own" own_delay;
    Seconds "sqs-fifo-name" "1.5" "a FIFO queue's name must end in .fifo" name;
    Seconds "sqs-fifo-attempt-id" "1.4" "a receive with the same attempt id gets the same messages again" attempt_id;
}

/// Sends bodies `g1 g2 ...` to the groups that they begin with.
async fn send_all(queue: &Queue, all: &[&str]) -> Shown {
    for body in all {
        queue.send_in(&body[..1], body).await?;
    }
    Ok(())
}

async fn order(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    send_all(&queue, &["a1", "a2", "a3", "a4", "a5"]).await?;
    let seen = queue.take(5).await?;
    listed("the order", bodies(&seen), r#"["a1", "a2", "a3", "a4", "a5"]"#)
}

async fn batch_of_group(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    send_all(&queue, &["a1", "b1", "a2"]).await?;
    let seen = queue.receiving().wait_time_seconds(2).send().await?.messages.unwrap_or_default();
    listed("the batch", bodies(&seen), r#"["a1", "a2", "b1"]"#)
}

async fn group_locks(lab: Lab) -> Shown {
    let queue = lab.fifo(&[("VisibilityTimeout", "600")]).await?;
    send_all(&queue, &["a1", "a2"]).await?;
    queue.one("the first message").await?;
    queue.none("no message of a group of which one is held").await
}

async fn other_groups(lab: Lab) -> Shown {
    let queue = lab.fifo(&[("VisibilityTimeout", "600")]).await?;
    send_all(&queue, &["a1", "a2"]).await?;
    queue.one("the first message").await?;
    queue.send_in("b", "b1").await?;
    same("the other group's message", body(&queue.one("the other group's message").await?), "b1")
}

async fn delete_unlocks(lab: Lab) -> Shown {
    let queue = lab.fifo(&[("VisibilityTimeout", "600")]).await?;
    send_all(&queue, &["a1", "a2"]).await?;
    let first = queue.one("the first message").await?;
    queue.delete(&first).await?;
    same("the next message", body(&queue.one("the next message after the delete").await?), "a2")
}

async fn back_in_order(lab: Lab) -> Shown {
    let queue = lab.fifo(&[("VisibilityTimeout", "1")]).await?;
    send_all(&queue, &["a1", "a2"]).await?;
    queue.one("the first message").await?;
    lab.pass(1).await;
    let again = queue.take_with(2, |receive| receive.visibility_timeout(600)).await?;
    listed("the order", bodies(&again), r#"["a1", "a2"]"#)
}

async fn early_again(lab: Lab) -> Shown {
    let queue = lab.fifo(&[("VisibilityTimeout", "600")]).await?;
    send_all(&queue, &["a1", "a2", "a3"]).await?;
    let held = queue.receiving().max_number_of_messages(2).wait_time_seconds(2).send().await?;
    let held = held.messages.unwrap_or_default();
    listed("the first two", bodies(&held), r#"["a1", "a2"]"#)?;
    queue.hide(&held[0], 0).await?;
    let seen = queue.take(2).await?;
    listed("only the one that was shown again", bodies(&seen), r#"["a1"]"#)
}

async fn delete_expired(lab: Lab) -> Shown {
    let queue = lab.fifo(&[("VisibilityTimeout", "1")]).await?;
    send_all(&queue, &["a1"]).await?;
    let message = queue.one("the message that was sent").await?;
    lab.pass(1).await;
    let delete = lab.sqs().delete_message().queue_url(&queue.url);
    let deleted = delete.set_receipt_handle(message.receipt_handle).send().await;
    refused(deleted, &["InvalidParameterValue", "ReceiptHandleIsInvalid"])?;
    queue.one("the message, which was not deleted").await?;
    Ok(())
}

async fn group_required(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    refused(queue.sending("a").send().await, &["MissingParameter", "MissingRequiredParameter"])
}

async fn own_delay(lab: Lab) -> Shown {
    let queue = lab.fifo(&[]).await?;
    let sent = queue.sending("a").message_group_id("g").delay_seconds(2).send().await;
    refused(sent, &["InvalidParameterValue"])
}

async fn name(lab: Lab) -> Shown {
    lab.fifo(&[]).await?;
    let made = lab.create_queue(&lab.name("")?, &[("FifoQueue", "true")]).await;
    refused(made, &["InvalidParameterValue"])
}

async fn attempt_id(lab: Lab) -> Shown {
    let queue = lab.fifo(&[("VisibilityTimeout", "600")]).await?;
    send_all(&queue, &["a1", "a2"]).await?;
    let ask = || queue.receiving().max_number_of_messages(1).receive_request_attempt_id("attempt-1");
    let first = ask().wait_time_seconds(2).send().await?.messages.unwrap_or_default();
    let again = ask().send().await?.messages.unwrap_or_default();
    listed("the same message again:", bodies(&again), &bodies(&first))?;
    ensure(
        !again.is_empty() && again[0].receipt_handle == first[0].receipt_handle,
        "the same handle",
        "another",
    )
}
