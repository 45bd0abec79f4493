//! When schedules run (semantics 3.8). AWS promises the minute, and no second of it.

use aws_sdk_scheduler::primitives::DateTime;
use aws_sdk_scheduler::types::{ActionAfterCompletion, ScheduleState};

use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::queue::{Queue, body};
use super::refusal::refused;

checks! { Scheduler:
    Minutes "scheduler-at" "3.8" "a schedule at a time runs then, and not before" at;
    Minutes "scheduler-at-once" "3.8" "it runs once" at_once;
    Minutes "scheduler-at-zone" "3.8" "the time is of the schedule's time zone" at_zone;
    Minutes "scheduler-rate" "3.8" "a schedule with a rate runs each time" rate;
    Minutes "scheduler-cron" "3.8" "a schedule with a cron expression runs at its minutes" cron;
    Minutes "scheduler-disabled" "3.8" "a disabled schedule does not run" disabled;
    Minutes "scheduler-deleted" "3.8" "a deleted schedule does not run" deleted;
    Minutes "scheduler-end" "3.8" "a schedule does not run after its end" end;
    Minutes "scheduler-start" "3.8" "a schedule does not run before its start" start;
    Minutes "scheduler-completed-deleted" "3.8" "a schedule that is to be deleted after its last run is gone then" completed_deleted;
    Minutes "scheduler-completed-stays" "3.8" "any other stays, and does not run again" completed_stays;
}

/// How long a run may be late.
const LATE: u64 = 90;

/// How often it ran until now.
async fn ran(queue: &Queue) -> Shown<usize> {
    Ok(queue.take(5).await?.len())
}

async fn expect_one(queue: &Queue) -> Shown {
    let look = || async { Ok(queue.receiving().send().await?.messages.unwrap_or_default().pop()) };
    let found = queue.lab.until(60 + LATE, look).await?;
    let seen = found.as_ref().map(body);
    same("the body of what the schedule sent", seen, Some("tick"))
}

async fn at(lab: Lab) -> Shown {
    let (_, queue) = lab.scheduled(&lab.at_time(120, 0), |create| create).await?;
    lab.pass(50).await;
    queue.none("nothing before the time").await?;
    lab.pass(10).await;
    expect_one(&queue).await
}

async fn at_once(lab: Lab) -> Shown {
    let (_, queue) = lab.scheduled(&lab.at_time(60, 0), |create| create).await?;
    lab.pass(60 + LATE + 60).await;
    same("how often it ran:", ran(&queue).await?, 1)
}

async fn at_zone(lab: Lab) -> Shown {
    // No summer time there.
    let (_, queue) = lab
        .scheduled(&lab.at_time(60, 9), |create| create.schedule_expression_timezone("Asia/Tokyo"))
        .await?;
    expect_one(&queue).await
}

async fn often(lab: &Lab, expression: &str) -> Shown {
    let (_, queue) = lab.scheduled(expression, |create| create).await?;
    lab.pass(180).await;
    let seen = ran(&queue).await?;
    ensure((2..=4).contains(&seen), "two to four runs in 180 s", format!("{seen}"))
}

async fn rate(lab: Lab) -> Shown {
    often(&lab, "rate(1 minute)").await
}

async fn cron(lab: Lab) -> Shown {
    often(&lab, "cron(* * * * ? *)").await
}

async fn disabled(lab: Lab) -> Shown {
    let at = lab.at_time(60, 0);
    let (_, queue) = lab.scheduled(&at, |create| create.state(ScheduleState::Disabled)).await?;
    let (_, other) = lab.scheduled(&at, |create| create).await?;
    expect_one(&other).await?;
    queue.none("nothing of a disabled schedule").await
}

async fn deleted(lab: Lab) -> Shown {
    let at = lab.at_time(60, 0);
    let (name, queue) = lab.scheduled(&at, |create| create).await?;
    let (_, other) = lab.scheduled(&at, |create| create).await?;
    lab.scheduler().delete_schedule().name(name).send().await?;
    expect_one(&other).await?;
    queue.none("nothing of a deleted schedule").await
}

async fn end(lab: Lab) -> Shown {
    let end = DateTime::from_secs(lab.now_seconds() + 150);
    let (_, queue) = lab.scheduled("rate(1 minute)", |create| create.end_date(end)).await?;
    lab.pass(150 + LATE).await;
    let seen = ran(&queue).await?;
    ensure(seen > 0, "runs before the end", "none")?;
    for message in queue.take(5).await? {
        queue.delete(&message).await?;
    }
    let before = queue.counts().await?;
    lab.pass(120).await;
    let after = queue.counts().await?;
    let all = |counts: super::queue::Counts| counts.visible + counts.in_flight;
    same("messages two minutes later:", all(after), all(before))
}

async fn start(lab: Lab) -> Shown {
    let start = DateTime::from_secs(lab.now_seconds() + 180);
    let (_, queue) = lab.scheduled("rate(1 minute)", |create| create.start_date(start)).await?;
    lab.pass(110).await;
    queue.none("nothing before the start").await?;
    lab.pass(60).await;
    expect_one(&queue).await
}

async fn completed_deleted(lab: Lab) -> Shown {
    let after = ActionAfterCompletion::Delete;
    let (name, queue) =
        lab.scheduled(&lab.at_time(60, 0), |create| create.action_after_completion(after)).await?;
    lab.scheduler().get_schedule().name(&name).send().await?;
    expect_one(&queue).await?;
    lab.pass(60).await;
    let get = lab.scheduler().get_schedule().name(&name).send().await;
    refused(get, &["ResourceNotFoundException"])
}

async fn completed_stays(lab: Lab) -> Shown {
    let (name, queue) = lab.scheduled(&lab.at_time(60, 0), |create| create).await?;
    expect_one(&queue).await?;
    lab.pass(90).await;
    lab.scheduler().get_schedule().name(&name).send().await?;
    let counts = queue.counts().await?;
    same("messages in all:", counts.visible + counts.in_flight, 1)
}
