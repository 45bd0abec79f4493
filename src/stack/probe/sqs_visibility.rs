//! Visibility timeouts (semantics 1.1).

use super::check::checks;
use super::finding::{Shown, ensure, same, wrong};
use super::lab::Lab;
use super::queue::{bodies, receives};
use super::refusal::{refused, succeeds};

checks! { Sqs:
    Seconds "sqs-visibility-hides" "1.1" "a received message is hidden from others" hides;
    Seconds "sqs-visibility-returns" "1.1" "a message that is not deleted comes back after its timeout" returns;
    Seconds "sqs-visibility-per-receive" "1.1" "a receive can ask for a timeout of its own" per_receive;
    Seconds "sqs-visibility-zero-receive" "1.1" "a receive with timeout 0 leaves the message visible and counts" zero_receive;
    Seconds "sqs-visibility-zero-change" "1.1" "a change to 0 shows the message at once" zero_change;
    Seconds "sqs-visibility-replaces" "1.1" "a change replaces the time that is left and does not add to it" replaces;
    Seconds "sqs-visibility-extends" "1.1" "a change to more keeps the message hidden past its first timeout" extends;
    Seconds "sqs-visibility-one-receive" "1.1" "a change is for one receive; the next has the queue's timeout" one_receive;
    Seconds "sqs-visibility-cap" "1.1" "a change that goes beyond 12 h in all is refused" cap;
    Seconds "sqs-visibility-range" "1.1" "a timeout of more than 43,200 s is refused" range;
    Seconds "sqs-visibility-deleted" "1.1" "the timeout of a deleted message cannot be changed" deleted;
    Seconds "sqs-visibility-old-handle" "1.1" "a handle whose timeout is over still changes it, if nobody received since" old_handle;
}

async fn hides(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "30")]).await?;
    queue.send("a").await?;
    queue.one("the message that was sent").await?;
    queue.none("no message while it is hidden for 30 s").await
}

async fn returns(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "1")]).await?;
    let sent = queue.send("a").await?;
    queue.one("the message that was sent").await?;
    lab.pass(1).await;
    let again = queue.one("the message again after its timeout of 1 s").await?;
    same("the MessageId", super::queue::id(&again), &sent)
}

async fn per_receive(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "600")]).await?;
    queue.send("a").await?;
    let first = queue.take_with(1, |receive| receive.visibility_timeout(1)).await?;
    ensure(first.len() == 1, "the message that was sent", bodies(&first))?;
    lab.pass(1).await;
    queue.one("the message again after the 1 s that the receive asked for, not the queue's 600 s").await?;
    Ok(())
}

async fn zero_receive(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    for count in ["1", "2"] {
        let seen = queue.take_with(1, |receive| receive.visibility_timeout(0)).await?;
        let Some(message) = seen.first() else {
            return wrong("the message at each receive with timeout 0", "no message");
        };
        same("a receive count of", receives(message), count)?;
    }
    Ok(())
}

async fn zero_change(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "600")]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    queue.hide(&message, 0).await?;
    queue.one("the message at once after a change to 0").await?;
    Ok(())
}

async fn replaces(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "600")]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    queue.hide(&message, 1).await?;
    lab.pass(1).await;
    queue.one("the message 1 s after a change to 1 s").await?;
    Ok(())
}

async fn extends(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "1")]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    queue.hide(&message, 600).await?;
    lab.pass(1).await;
    queue.none("no message after the first timeout of 1 s, which was changed to 600 s").await
}

async fn one_receive(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "1")]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    queue.hide(&message, 600).await?;
    queue.hide(&message, 0).await?;
    queue.one("the message at once after a change to 0").await?;
    lab.pass(1).await;
    queue.one("the message again after the queue's own timeout of 1 s").await?;
    Ok(())
}

async fn cap(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    lab.pass(1).await;
    refused(queue.hiding(&message, 43_200).send().await, &["InvalidParameterValue"])
}

async fn range(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    refused(queue.hiding(&message, 43_201).send().await, &["InvalidParameterValue"])
}

async fn deleted(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    queue.delete(&message).await?;
    let changed = queue.hiding(&message, 10).send().await;
    refused(changed, &["InvalidParameterValue", "MessageNotInflight"])
}

async fn old_handle(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "1")]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    lab.pass(1).await;
    succeeds("a change after the timeout", queue.hide(&message, 600).await)
}
