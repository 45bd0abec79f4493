//! Which dead-letter queues can be set, and by whom (semantics 1.9).

use aws_sdk_sqs::error::SdkError;
use aws_sdk_sqs::operation::create_queue::{CreateQueueError, CreateQueueOutput};
use serde_json::json;

use super::check::checks;
use super::finding::{Shown, same, wrong};
use super::lab::Lab;
use super::queue::{Queue, id};
use super::refusal::{not_accepted, refused};
use super::sqs_dead_letters::{dead_letter, fail};

checks! { Sqs:
    Seconds "sqs-redrive-count-as-text" "1.9" "maxReceiveCount works as text too" as_text;
    Seconds "sqs-redrive-missing-queue" "1.9" "a dead-letter queue that is not there is refused" missing;
    Seconds "sqs-redrive-other-type" "1.9" "a standard dead-letter queue of a FIFO queue is refused" other_type;
    Seconds "sqs-redrive-incomplete" "1.9" "a policy without maxReceiveCount is refused" incomplete;
    Seconds "sqs-redrive-range" "1.9" "a maxReceiveCount above 1,000 is refused" range;
    Seconds "sqs-redrive-cleared" "1.9" "a policy that was set to nothing moves nothing any more" cleared;
    Seconds "sqs-redrive-set-later" "1.9" "a policy that is set later counts for messages already there" set_later;
    Seconds "sqs-redrive-denied" "1.9" "a queue whose RedriveAllowPolicy denies all cannot be a dead-letter queue" denied;
    Seconds "sqs-redrive-by-queue" "1.9" "a RedriveAllowPolicy by queue lets in the queues that it names, and no others" by_queue;
    Seconds "sqs-redrive-sources" "1.9" "the sources of a dead-letter queue are listed" sources;
}

/// An attempt to make a queue with this RedrivePolicy.
async fn create(lab: &Lab, policy: &str) -> Shown<Result<CreateQueueOutput, SdkError<CreateQueueError>>> {
    Ok(lab.create_queue(&lab.name("")?, &[("RedrivePolicy", policy)]).await)
}

async fn as_text(lab: Lab) -> Shown {
    let dead = lab.queue(&[]).await?;
    let policy = json!({ "deadLetterTargetArn": dead.arn, "maxReceiveCount": "1" }).to_string();
    let queue = lab.queue(&[("RedrivePolicy", &policy)]).await?;
    let sent = dead_letter(&queue, 1).await?;
    same("the MessageId", id(&dead.one("the message in the dead-letter queue").await?), &sent)
}

async fn missing(lab: Lab) -> Shown {
    let dead = lab.queue(&[]).await?;
    let policy = dead.redrive_policy(1).replace(&dead.name, &lab.name("")?);
    not_accepted(create(&lab, &policy).await?, "its dead-letter queue is not there")
}

async fn other_type(lab: Lab) -> Shown {
    let dead = lab.queue(&[]).await?;
    // FIFO queues must be there at all, or a refusal shows nothing.
    lab.fifo(&[]).await?;
    let attributes = [("FifoQueue", "true"), ("RedrivePolicy", &*dead.redrive_policy(1))];
    let made = lab.create_queue(&lab.name(".fifo")?, &attributes).await;
    not_accepted(made, "a FIFO queue's dead-letter queue must be FIFO")
}

async fn incomplete(lab: Lab) -> Shown {
    let dead = lab.queue(&[]).await?;
    let policy = json!({ "deadLetterTargetArn": dead.arn }).to_string();
    refused(create(&lab, &policy).await?, &["InvalidParameterValue", "InvalidAttributeValue"])
}

async fn range(lab: Lab) -> Shown {
    let dead = lab.queue(&[]).await?;
    let made = create(&lab, &dead.redrive_policy(1_001)).await?;
    refused(made, &["InvalidParameterValue", "InvalidAttributeValue"])
}

async fn cleared(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    queue.set("RedrivePolicy", "").await?;
    fail(&queue, 3).await?;
    dead.none("nothing in the former dead-letter queue").await
}

async fn set_later(lab: Lab) -> Shown {
    let (queue, dead) = (lab.queue(&[]).await?, lab.queue(&[]).await?);
    fail(&queue, 2).await?;
    queue.set("RedrivePolicy", &dead.redrive_policy(2)).await?;
    queue.none("no message once a policy with its count of receives is set").await?;
    dead.one("the message in the dead-letter queue").await?;
    Ok(())
}

async fn allowing(lab: &Lab, policy: serde_json::Value) -> Shown<Queue> {
    lab.queue(&[("RedriveAllowPolicy", &policy.to_string())]).await
}

async fn denied(lab: Lab) -> Shown {
    let dead = allowing(&lab, json!({ "redrivePermission": "denyAll" })).await?;
    not_accepted(create(&lab, &dead.redrive_policy(1)).await?, "its dead-letter queue denies all")
}

async fn by_queue(lab: Lab) -> Shown {
    let named = lab.queue(&[]).await?;
    let policy = json!({ "redrivePermission": "byQueue", "sourceQueueArns": [named.arn] });
    let dead = allowing(&lab, policy).await?;
    named.set("RedrivePolicy", &dead.redrive_policy(1)).await?;
    not_accepted(create(&lab, &dead.redrive_policy(1)).await?, "its dead-letter queue names another source")
}

async fn sources(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    let listed = lab.sqs().list_dead_letter_source_queues().queue_url(&dead.url).send().await?;
    let urls = listed.queue_urls;
    if urls == [queue.url.clone()] { Ok(()) } else { wrong("its one source", format!("{urls:?}")) }
}
