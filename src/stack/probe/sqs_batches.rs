//! Batches: what fails whole, what fails by the entry (semantics 1.7).

use aws_sdk_sqs::types::{DeleteMessageBatchRequestEntry, SendMessageBatchRequestEntry as Entry};

use super::check::checks;
use super::finding::{Not, Shown, same};
use super::lab::Lab;
use super::queue::{Queue, body};
use super::refusal::{refused, unrefused};

checks! { Sqs:
    Seconds "sqs-batch-empty" "1.7" "a batch without entries is refused" empty;
    Seconds "sqs-batch-eleven" "1.7" "a batch of eleven entries is refused" eleven;
    Seconds "sqs-batch-ids-distinct" "1.7" "a batch with one id twice is refused whole" distinct;
    Seconds "sqs-batch-id-invalid" "1.7" "a batch with an id that none may be is refused whole" invalid;
    Seconds "sqs-batch-too-long" "1.7" "a batch of more than 1 MiB in all is refused whole" too_long;
    Seconds "sqs-batch-partial" "1.7" "a bad entry fails alone, and the others are sent" partial;
    Seconds "sqs-batch-delete-partial" "1.7" "a bad handle fails alone, and the others are deleted" delete_partial;
    Seconds "sqs-batch-queue-maximum" "1.6" "an entry above the queue's own maximum fails alone" above_maximum;
}

fn entry(id: &str, body: &str) -> Shown<Entry> {
    let built = Entry::builder().id(id).message_body(body).build();
    built.map_err(|error| Not::Unclear(error.to_string()))
}

fn batch(
    queue: &Queue,
    entries: Vec<Entry>,
) -> aws_sdk_sqs::operation::send_message_batch::builders::SendMessageBatchFluentBuilder {
    queue.lab.sqs().send_message_batch().queue_url(&queue.url).set_entries(Some(entries))
}

/// The whole batch must be refused, and nothing of it sent.
async fn whole(lab: Lab, entries: Vec<Entry>, code: &str) -> Shown {
    let queue = lab.queue(&[]).await?;
    refused(batch(&queue, entries).send().await, &[code])?;
    queue.none("no message of a batch that was refused").await
}

async fn empty(lab: Lab) -> Shown {
    whole(lab, vec![], "EmptyBatchRequest").await
}

async fn eleven(lab: Lab) -> Shown {
    let entries: Shown<Vec<Entry>> = (0..11).map(|n| entry(&format!("e{n}"), "a")).collect();
    whole(lab, entries?, "TooManyEntriesInBatchRequest").await
}

async fn distinct(lab: Lab) -> Shown {
    whole(lab, vec![entry("one", "a")?, entry("one", "b")?], "BatchEntryIdsNotDistinct").await
}

async fn invalid(lab: Lab) -> Shown {
    whole(lab, vec![entry("one", "a")?, entry("no.id", "b")?], "InvalidBatchEntryId").await
}

async fn too_long(lab: Lab) -> Shown {
    let half = "x".repeat(524_289);
    whole(lab, vec![entry("one", &half)?, entry("two", &half)?], "BatchRequestTooLong").await
}

async fn partial(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let entries = vec![entry("good", "a")?, entry("bad", "a\u{b}b")?];
    fails_alone(&queue, entries, "InvalidMessageContents").await
}

async fn above_maximum(lab: Lab) -> Shown {
    let queue = lab.queue(&[("MaximumMessageSize", "1024")]).await?;
    let entries = vec![entry("good", "a")?, entry("bad", &"x".repeat(1_025))?];
    fails_alone(&queue, entries, "InvalidParameterValue").await
}

/// The entry `bad` must fail with this code, and `good` be sent.
async fn fails_alone(queue: &Queue, entries: Vec<Entry>, code: &str) -> Shown {
    let sent = batch(queue, entries).send().await.map_err(Not::from);
    let sent = unrefused(sent, || "the bad entry to fail alone".to_owned())?;
    let failed: Vec<(&str, &str)> =
        sent.failed.iter().map(|failed| (failed.id.as_str(), failed.code.as_str())).collect();
    let failed: Vec<(&str, &str)> =
        failed.into_iter().map(|(id, code)| (id, code.rsplit('.').next().unwrap_or(code))).collect();
    same("to have failed:", failed, vec![("bad", code)])?;
    let good = queue.one("the good entry's message").await?;
    same("its body", body(&good), "a")
}

async fn delete_partial(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "1")]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    let delete = |id: &str, handle: Option<String>| {
        let built = DeleteMessageBatchRequestEntry::builder().id(id).set_receipt_handle(handle).build();
        built.map_err(|error| Not::Unclear(error.to_string()))
    };
    let entries = vec![delete("good", message.receipt_handle)?, delete("bad", Some("garbage".to_owned()))?];
    let batch = lab.sqs().delete_message_batch().queue_url(&queue.url).set_entries(Some(entries));
    let deleted = batch.send().await?;
    let failed: Vec<&str> = deleted.failed.iter().map(|failed| failed.id.as_str()).collect();
    same("to have failed:", failed, vec!["bad"])?;
    lab.pass(1).await;
    queue.none("no message after its entry was deleted").await
}
