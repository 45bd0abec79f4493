//! Queues: names, attributes, counts (semantics 1.5).

use super::check::checks;
use super::finding::{Shown, same};
use super::lab::Lab;
use super::queue::Counts;
use super::refusal::refused;

checks! { Sqs:
    Seconds "sqs-create-again" "1.5" "a queue that is created again as it is keeps its URL and its messages" again;
    Seconds "sqs-create-different" "1.5" "a queue that is created again with other attributes is refused" different;
    Seconds "sqs-name-invalid" "1.5" "a name with characters that none may have is refused" name_invalid;
    Seconds "sqs-name-too-long" "1.5" "a name of 81 characters is refused" name_too_long;
    Seconds "sqs-counts" "1.5" "the counts tell visible, hidden and delayed messages apart" counts;
    Seconds "sqs-missing-queue" "1.15" "a call on a queue that is not there is refused with QueueDoesNotExist" missing;
    Seconds "sqs-attribute-unknown" "1.5" "an attribute that does not exist is refused" unknown_attribute;
}

async fn again(lab: Lab) -> Shown {
    let attributes = [("VisibilityTimeout", "45")];
    let queue = lab.queue(&attributes).await?;
    queue.send("a").await?;
    let again = lab.create_queue(&queue.name, &attributes).await?;
    same("the QueueUrl", again.queue_url.unwrap_or_default(), queue.url.clone())?;
    queue.one("the message that was sent before").await?;
    Ok(())
}

async fn different(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "45")]).await?;
    let again = lab.create_queue(&queue.name, &[("VisibilityTimeout", "46")]).await;
    refused(again, &["QueueNameExists", "QueueAlreadyExists"])
}

async fn name_invalid(lab: Lab) -> Shown {
    let made = lab.create_queue(&format!("{}!", lab.name("")?), &[]).await;
    refused(made, &["InvalidParameterValue"])
}

async fn name_too_long(lab: Lab) -> Shown {
    let name = lab.name("")?;
    let made = lab.create_queue(&format!("{name}{}", "x".repeat(81 - name.len())), &[]).await;
    refused(made, &["InvalidParameterValue"])
}

async fn counts(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "600")]).await?;
    for body in ["a", "b", "c"] {
        queue.send(body).await?;
    }
    queue.sending("d").delay_seconds(600).send().await?;
    queue.one("a message").await?;
    // They are eventually consistent: a few seconds will do for a stack that is not AWS.
    let expected = Counts { visible: 2, in_flight: 1, delayed: 1 };
    let seen = lab.until(10, || async {
        let counts = queue.counts().await?;
        Ok((counts == expected).then_some(counts))
    });
    if seen.await?.is_some() { Ok(()) } else { same("the counts", queue.counts().await?, expected) }
}

async fn missing(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let url = queue.url.replace(&queue.name, &lab.name("")?);
    let sent = lab.sqs().send_message().queue_url(url).message_body("a").send().await;
    refused(sent, &["QueueDoesNotExist", "NonExistentQueue"])
}

async fn unknown_attribute(lab: Lab) -> Shown {
    let made = lab.create_queue(&lab.name("")?, &[("Colour", "red")]).await;
    refused(made, &["InvalidAttributeName"])
}
