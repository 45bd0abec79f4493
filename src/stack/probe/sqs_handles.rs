//! Receipt handles and deletes (semantics 1.2).

use super::check::checks;
use super::finding::{Shown, ensure};
use super::lab::Lab;
use super::refusal::{refused, succeeds};

checks! { Sqs:
    Seconds "sqs-handle-new" "1.2" "each receive gives a handle of its own" new_handle;
    Seconds "sqs-delete-final" "1.2" "a deleted message does not come back after its timeout" final_delete;
    Seconds "sqs-delete-twice" "1.2" "a second delete with the same handle succeeds" twice;
    Seconds "sqs-delete-expired" "1.2" "a handle whose timeout is over still deletes on a standard queue" expired;
    Seconds "sqs-delete-of-another" "1.2" "a delete works while the message is in flight again" of_another;
    Seconds "sqs-handle-garbage" "1.2" "a handle that is none is refused with ReceiptHandleIsInvalid" garbage;
}

async fn new_handle(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    let first = queue.one("the message that was sent").await?;
    queue.hide(&first, 0).await?;
    let second = queue.one("the message again").await?;
    ensure(first.receipt_handle != second.receipt_handle, "two handles", "one and the same handle twice")
}

async fn final_delete(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "1")]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    queue.delete(&message).await?;
    lab.pass(1).await;
    queue.none("no message after it was deleted").await
}

async fn twice(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    queue.delete(&message).await?;
    succeeds("the second delete", queue.delete(&message).await)
}

async fn expired(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "1")]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    lab.pass(1).await;
    succeeds("a delete after the timeout", queue.delete(&message).await)?;
    queue.none("no message after the delete").await
}

async fn of_another(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "2")]).await?;
    queue.send("a").await?;
    let first = queue.one("the message that was sent").await?;
    queue.hide(&first, 0).await?;
    let second = queue.one("the message again").await?;
    queue.delete(&second).await?;
    lab.pass(2).await;
    queue.none("no message after it was deleted with its last handle").await
}

async fn garbage(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let delete = lab.sqs().delete_message().queue_url(&queue.url).receipt_handle("garbage");
    refused(delete.send().await, &["ReceiptHandleIsInvalid"])
}
