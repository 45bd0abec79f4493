//! Move tasks: redrive out of a dead-letter queue (semantics 1.11).

use aws_sdk_sqs::types::ListMessageMoveTasksResultEntry as Task;

use super::check::checks;
use super::finding::{Not, Shown, ensure, same, wrong};
use super::lab::Lab;
use super::queue::{Queue, body, id};
use super::refusal::refused;
use super::sqs_dead_letters::dead_letter;

checks! { Sqs:
    Seconds "sqs-move-to-source" "1.11" "a task without a destination takes each message back to its source" to_source;
    Seconds "sqs-move-to-destination" "1.11" "a task takes the messages to the destination that it names" to_destination;
    Seconds "sqs-move-new-id" "1.11" "a redriven message is a new one, with another MessageId" new_id;
    Seconds "sqs-move-listed" "1.11" "a finished task is listed as COMPLETED, with what it moved" listed;
    Seconds "sqs-move-not-a-dlq" "1.11" "a queue that is nobody's dead-letter queue is refused" not_a_dlq;
    Seconds "sqs-move-destination-missing" "1.11" "a destination that is not there is refused with ResourceNotFoundException" destination_missing;
    Seconds "sqs-move-one-at-a-time" "1.11" "a second task of the same source is refused while the first runs" one_at_a_time;
    Seconds "sqs-move-cancel" "1.11" "a cancelled task leaves the rest where it is" cancel;
}

/// How many messages a slow task is given: at one a second, it runs while others look at it.
const SLOW: usize = 30;

async fn start(lab: &Lab, dead: &Queue, to: Option<&Queue>) -> Shown<Option<String>> {
    let start = lab.sqs().start_message_move_task().source_arn(&dead.arn);
    let start = start.set_destination_arn(to.map(|queue| queue.arn.clone()));
    Ok(start.send().await?.task_handle)
}

async fn newest(lab: &Lab, dead: &Queue) -> Shown<Option<Task>> {
    let listed = lab.sqs().list_message_move_tasks().source_arn(&dead.arn).send().await?;
    Ok(listed.results.unwrap_or_default().into_iter().next())
}

/// Waits for the newest task's end.
async fn ended(lab: &Lab, dead: &Queue) -> Shown<Task> {
    let look =
        || async { Ok(newest(lab, dead).await?.filter(|task| task.status.as_deref() != Some("RUNNING"))) };
    match lab.until(20, look).await? {
        Some(task) => Ok(task),
        None => wrong("the task to end within 20 s", "it still runs, or is not listed"),
    }
}

async fn to_source(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    dead_letter(&queue, 1).await?;
    start(&lab, &dead, None).await?;
    ended(&lab, &dead).await?;
    queue.one("the message in its source queue again").await?;
    dead.none("nothing in the dead-letter queue after the task").await
}

async fn to_destination(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    let other = lab.queue(&[]).await?;
    dead_letter(&queue, 1).await?;
    start(&lab, &dead, Some(&other)).await?;
    ended(&lab, &dead).await?;
    other.one("the message in the destination").await?;
    queue.none("nothing in the source queue").await
}

async fn new_id(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    let sent = dead_letter(&queue, 1).await?;
    start(&lab, &dead, None).await?;
    ended(&lab, &dead).await?;
    let message = queue.one("the message in its source queue again").await?;
    same("the body", body(&message), "a")?;
    ensure(id(&message) != sent, "another MessageId", "the old one")
}

async fn listed(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    for _ in 0..2 {
        dead_letter(&queue, 1).await?;
    }
    start(&lab, &dead, None).await?;
    let task = ended(&lab, &dead).await?;
    same("a status of", task.status.as_deref(), Some("COMPLETED"))?;
    same("ApproximateNumberOfMessagesMoved", task.approximate_number_of_messages_moved, 2)
}

async fn not_a_dlq(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let started = lab.sqs().start_message_move_task().source_arn(&queue.arn).send().await;
    refused(started, &["InvalidParameterValue"])
}

async fn destination_missing(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    let missing = queue.arn.replace(&queue.name, &lab.name("")?);
    let start = lab.sqs().start_message_move_task().source_arn(&dead.arn).destination_arn(missing);
    refused(start.send().await, &["ResourceNotFound"])
}

/// A dead-letter queue with much in it, and a task of one message a second; its handle.
async fn slow_task(lab: &Lab) -> Shown<(Queue, Queue, Option<String>)> {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    for n in 0..SLOW {
        dead.send(&n.to_string()).await?;
    }
    let start = lab.sqs().start_message_move_task().source_arn(&dead.arn).destination_arn(&queue.arn);
    let started = start.max_number_of_messages_per_second(1).send().await?;
    Ok((queue, dead, started.task_handle))
}

async fn one_at_a_time(lab: Lab) -> Shown {
    let (queue, dead, _) = slow_task(&lab).await?;
    let again = lab.sqs().start_message_move_task().source_arn(&dead.arn).destination_arn(&queue.arn);
    refused(again.send().await, &["InvalidParameterValue"])
}

async fn cancel(lab: Lab) -> Shown {
    let (queue, dead, handle) = slow_task(&lab).await?;
    let handle = handle.ok_or_else(|| Not::Absent("StartMessageMoveTask gave no TaskHandle".to_owned()))?;
    lab.sqs().cancel_message_move_task().task_handle(handle).send().await?;
    let task = ended(&lab, &dead).await?;
    let is_over = matches!(task.status.as_deref(), Some("CANCELLED" | "CANCELLING"));
    ensure(is_over, "a status of CANCELLED", format!("{:?}", task.status))?;
    lab.pass(3).await;
    let (left, moved) = (dead.counts().await?.visible, queue.counts().await?.visible);
    let is_right = left > 0 && left + moved == SLOW as u64;
    ensure(
        is_right,
        format!("some of the {SLOW} messages left, none lost"),
        format!("{left} left, {moved} moved"),
    )
}
