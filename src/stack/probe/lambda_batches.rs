//! What becomes of a batch's messages (semantics 5.2), and how the function sees them (5.4).

use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::queue::{id, receives, text};
use super::script::{Part, Script};

checks! { Lambda:
    Seconds "lambda-batch-fails-whole" "5.2" "an error of the function leaves the whole batch, what was good in it too" fails_whole;
    Seconds "lambda-batch-timeout" "5.2" "a timeout leaves the batch" timeout;
    Seconds "lambda-batch-exit" "5.2" "the exit of the process leaves the batch" exit;
    Seconds "lambda-batch-waits" "5.2" "what failed comes back after the visibility timeout, and not before" waits;
    Seconds "lambda-batch-receives" "5.2" "it is handed over as often as the queue's maximum, and moves with its MessageId" receives_counted;
    Seconds "lambda-report-some" "5.2" "what is reported comes back, and the rest is deleted" some;
    Seconds "lambda-report-unasked" "5.2" "without ReportBatchItemFailures a report is ignored" unasked;
    Seconds "lambda-report-none" "5.2" "an empty list is a success" none;
    Seconds "lambda-report-no-list" "5.2" "an answer without the list is a success" no_list;
    Seconds "lambda-report-null" "5.2" "an answer of null is a success" null;
    Seconds "lambda-report-unknown" "5.2" "an id that is not of the batch voids the report: all come back" unknown;
    Seconds "lambda-report-empty-id" "5.2" "so does an empty id" empty_id;
    Seconds "lambda-report-null-id" "5.2" "so does an id that is null" null_id;
    Seconds "lambda-report-wrong-key" "5.2" "so does an item with another key" wrong_key;
    Seconds "lambda-fifo-blocks" "5.3" "a message that failed keeps back its group until it is gone" fifo_blocks;
    Seconds "lambda-event-source" "5.4" "a record tells its queue, its region and its message" event_source;
    Seconds "lambda-event-attributes" "5.4" "a record has the system attributes as texts" event_attributes;
    Seconds "lambda-event-own" "5.4" "a record has message attributes in lower case, with empty lists" event_own;
}

/// What comes back of these messages.
async fn come_back(lab: &Lab, script: Script, reports: bool, messages: &[&str], expected: &[&str]) -> Shown {
    let seen = lab.dead_lettered(script, reports, messages).await?;
    same("came back, and dead-lettered:", seen, expected.iter().map(|one| (*one).to_owned()).collect())
}

async fn fails_whole(lab: Lab) -> Shown {
    come_back(&lab, Script::RaiseOnBad, false, &["a", "bad", "c"], &["a", "bad", "c"]).await
}

async fn timeout(lab: Lab) -> Shown {
    come_back(&lab, Script::Sleep, false, &["a"], &["a"]).await
}

async fn exit(lab: Lab) -> Shown {
    come_back(&lab, Script::Exit, false, &["a"], &["a"]).await
}

async fn waits(lab: Lab) -> Shown {
    let mapped = lab.unmapped(Script::Raise, false).await?;
    mapped.queue.set("VisibilityTimeout", "20").await?;
    mapped.queue.send("a").await?;
    mapped.function.mapping(&mapped.queue, false).send().await?;
    lab.pass(10).await;
    let (seen, dead) = (mapped.queue.counts().await?, mapped.dead.counts().await?);
    ensure(
        (seen.in_flight, dead.visible) == (1, 0),
        "the message hidden after 10 s of a visibility timeout of 20 s",
        format!("{seen:?} and {} dead-lettered", dead.visible),
    )?;
    mapped.drained().await?;
    same("dead-lettered:", mapped.dead_letters(1).await?, vec!["a".to_owned()])
}

async fn receives_counted(lab: Lab) -> Shown {
    let mapped = lab.unmapped(Script::Raise, false).await?;
    mapped.queue.set("RedrivePolicy", &mapped.dead.redrive_policy(3)).await?;
    let sent = mapped.queue.send("a").await?;
    mapped.function.mapping(&mapped.queue, false).send().await?;
    mapped.drained().await?;
    let letter = mapped.dead.one("the message in the dead-letter queue").await?;
    same("the MessageId", id(&letter), sent.as_str())?;
    // The receive here counts too.
    same("ApproximateReceiveCount", receives(&letter), "4")
}

async fn some(lab: Lab) -> Shown {
    come_back(&lab, Script::ReportBad, true, &["a", "bad", "c"], &["bad"]).await
}

async fn unasked(lab: Lab) -> Shown {
    come_back(&lab, Script::ReportBad, false, &["a", "bad", "c"], &[]).await
}

async fn none(lab: Lab) -> Shown {
    come_back(&lab, Script::Says(r#"{"batchItemFailures":[]}"#), true, &["a", "b"], &[]).await
}

async fn no_list(lab: Lab) -> Shown {
    come_back(&lab, Script::Says("{}"), true, &["a", "b"], &[]).await
}

async fn null(lab: Lab) -> Shown {
    come_back(&lab, Script::Says("null"), true, &["a", "b"], &[]).await
}

/// A report that is void: all come back.
async fn void(lab: &Lab, report: &'static str) -> Shown {
    come_back(lab, Script::Says(report), true, &["a", "b"], &["a", "b"]).await
}

async fn unknown(lab: Lab) -> Shown {
    void(&lab, r#"{"batchItemFailures":[{"itemIdentifier":"nobody"}]}"#).await
}

async fn empty_id(lab: Lab) -> Shown {
    void(&lab, r#"{"batchItemFailures":[{"itemIdentifier":""}]}"#).await
}

async fn null_id(lab: Lab) -> Shown {
    void(&lab, r#"{"batchItemFailures":[{"itemIdentifier":null}]}"#).await
}

async fn wrong_key(lab: Lab) -> Shown {
    void(&lab, r#"{"batchItemFailures":[{"messageId":"nobody"}]}"#).await
}

async fn fifo_blocks(lab: Lab) -> Shown {
    let mapped = lab.unmapped(Script::RaiseOnBad, true).await?;
    mapped.queue.set("VisibilityTimeout", "12").await?;
    for message in ["bad", "good"] {
        mapped.queue.send_in("g", message).await?;
    }
    mapped.function.mapping(&mapped.queue, false).batch_size(1).send().await?;
    lab.pass(6).await;
    let seen = mapped.queue.counts().await?;
    ensure(seen.visible + seen.in_flight == 2, "both messages while the first is held", format!("{seen:?}"))?;
    mapped.drained().await?;
    same("dead-lettered:", mapped.dead_letters(2).await?, vec!["bad".to_owned()])
}

/// The function takes what is as it should be, and fails else.
async fn judged(lab: &Lab, part: Part) -> Shown {
    let mapped = lab.unmapped(Script::Judge(part), false).await?;
    mapped.queue.sending("a").message_attributes("colour", text("red")).send().await?;
    mapped.function.mapping(&mapped.queue, false).send().await?;
    mapped.drained().await?;
    let seen = mapped.dead_letters(1).await?;
    ensure(seen.is_empty(), "a record that the function finds sound", "it found it unsound")
}

async fn event_source(lab: Lab) -> Shown {
    judged(&lab, Part::Source).await
}

async fn event_attributes(lab: Lab) -> Shown {
    judged(&lab, Part::Attributes).await
}

async fn event_own(lab: Lab) -> Shown {
    judged(&lab, Part::MessageAttributes).await
}
