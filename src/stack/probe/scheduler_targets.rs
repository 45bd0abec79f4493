//! What schedules are taken, what their targets get, and what becomes of a target that fails
//! (semantics 3.8).

use aws_sdk_scheduler::operation::create_schedule::builders::CreateScheduleFluentBuilder as Create;
use aws_sdk_scheduler::types::{DeadLetterConfig, FlexibleTimeWindowMode, RetryPolicy, SqsParameters};
use aws_sdk_sqs::types::{Message, MessageSystemAttributeName as System};
use serde_json::json;

use super::check::checks;
use super::finding::{Shown, ensure, same, wrong};
use super::function::record_within;
use super::lab::Lab;
use super::queue::{Queue, body, system};
use super::refusal::{not_accepted, refused};
use super::schedule::{target, window};
use super::script::Script;

checks! { Scheduler:
    Minutes "scheduler-input" "3.8" "a target gets the schedule's input" input;
    Minutes "scheduler-input-context" "3.8" "context attributes in the input are filled in" context;
    Minutes "scheduler-fifo" "3.8" "a FIFO queue gets the group that the target names" fifo;
    Minutes "scheduler-function" "3.8" "a function is invoked with the input" function;
    Minutes "scheduler-dlq" "3.8" "what a deleted queue cannot take goes to the dead-letter queue as it is" dlq;
    Minutes "scheduler-dlq-attributes" "3.8" "the dead letter names its schedule, its target and the error" dlq_attributes;
    Seconds "scheduler-again" "3.8" "a schedule that is created again is refused with ConflictException" again;
    Seconds "scheduler-missing" "3.8" "a schedule that is not there is refused with ResourceNotFoundException" missing;
    Seconds "scheduler-group-missing" "3.8" "a group that is not there is refused with ResourceNotFoundException" group_missing;
    Seconds "scheduler-expression" "3.8" "an expression that is none is refused" expression;
    Seconds "scheduler-zone" "3.8" "a time zone that is none is refused" zone;
    Seconds "scheduler-window" "3.8" "a flexible window without its length is refused" window_length;
    Seconds "scheduler-retries-range" "3.8" "more than 185 retries are refused" retries_range;
    Seconds "scheduler-dlq-fifo" "3.8" "a FIFO queue cannot be a dead-letter queue" dlq_fifo;
}

/// How long a run may take that is due in a minute.
const DUE: u64 = 180;

async fn came(queue: &Queue) -> Shown<Message> {
    let look = || async { Ok(queue.receiving().send().await?.messages.unwrap_or_default().pop()) };
    match queue.lab.until(DUE, look).await? {
        Some(message) => Ok(message),
        None => wrong(format!("a message within {DUE} s"), "none"),
    }
}

async fn input(lab: Lab) -> Shown {
    let (name, queue) = (lab.short_name()?, lab.queue(&[]).await?);
    let input = r#"{"a": [1, "b"]}"#;
    lab.scheduling(&name, &lab.at_time(60, 0), target(&queue.arn).input(input)).send().await?;
    same("the body", body(&came(&queue).await?), input)
}

async fn context(lab: Lab) -> Shown {
    let (name, queue) = (lab.short_name()?, lab.queue(&[]).await?);
    let input = "<aws.scheduler.schedule-arn> <aws.scheduler.attempt-number>";
    let create = lab.scheduling(&name, &lab.at_time(60, 0), target(&queue.arn).input(input));
    let arn = create.send().await?.schedule_arn;
    same("the body", body(&came(&queue).await?), format!("{arn} 1").as_str())
}

async fn fifo(lab: Lab) -> Shown {
    let (name, queue) = (lab.short_name()?, lab.fifo(&[]).await?);
    let group = SqsParameters::builder().message_group_id("g").build();
    let target = target(&queue.arn).input("tick").sqs_parameters(group);
    lab.scheduling(&name, &lab.at_time(60, 0), target).send().await?;
    same("the group", system(&came(&queue).await?, System::MessageGroupId), Some("g"))
}

async fn function(lab: Lab) -> Shown {
    let (function, told) = lab.function_with_destination(Script::Echo).await?;
    let target = target(&function.arn).input(r#"{"a":1}"#);
    lab.scheduling(&lab.short_name()?, &lab.at_time(60, 0), target).send().await?;
    let record = record_within(&told, DUE).await?;
    same("requestPayload", &record["requestPayload"], &json!({ "a": 1 }))
}

/// The dead letter of a schedule whose target is gone, and the schedule's ARN.
async fn letter(lab: &Lab) -> Shown<(Message, String)> {
    let (queue, dead) = (lab.queue(&[]).await?, lab.queue(&[]).await?);
    let config = DeadLetterConfig::builder().arn(&dead.arn).build();
    let target = target(&queue.arn).input("tick").dead_letter_config(config);
    let create = lab.scheduling(&lab.short_name()?, &lab.at_time(60, 0), target);
    let arn = create.send().await?.schedule_arn;
    lab.sqs().delete_queue().queue_url(&queue.url).send().await?;
    Ok((came(&dead).await?, arn))
}

async fn dlq(lab: Lab) -> Shown {
    let (letter, ..) = letter(&lab).await?;
    same("the dead letter", body(&letter), "tick")
}

async fn dlq_attributes(lab: Lab) -> Shown {
    let (letter, schedule) = letter(&lab).await?;
    let attribute =
        |name: &str| letter.message_attributes.as_ref()?.get(name)?.string_value().map(str::to_owned);
    same("SCHEDULE_ARN", attribute("SCHEDULE_ARN"), Some(schedule))?;
    for name in ["TARGET_ARN", "ERROR_CODE", "ERROR_MESSAGE", "SCHEDULED_TIME", "EXECUTION_ID"] {
        let seen = attribute(name);
        ensure(seen.is_some_and(|text| !text.is_empty()), name, "nothing")?;
    }
    Ok(())
}

async fn again(lab: Lab) -> Shown {
    let (name, queue) = lab.scheduled("rate(1 hour)", |create| create).await?;
    let again = lab.scheduling(&name, "rate(1 hour)", target(&queue.arn).input("tick"));
    refused(again.send().await, &["ConflictException"])
}

async fn missing(lab: Lab) -> Shown {
    lab.scheduled("rate(1 hour)", |create| create).await?;
    let get = lab.scheduler().get_schedule().name(lab.short_name()?);
    refused(get.send().await, &["ResourceNotFoundException"])
}

async fn group_missing(lab: Lab) -> Shown {
    let (_, queue) = lab.scheduled("rate(1 hour)", |create| create).await?;
    let create = lab.scheduling(&lab.short_name()?, "rate(1 hour)", target(&queue.arn).input("tick"));
    refused(create.group_name(lab.short_name()?).send().await, &["ResourceNotFoundException"])
}

/// A sound schedule on its way, after another, without which a refusal shows nothing.
async fn sound(lab: &Lab, expression: &str) -> Shown<Create> {
    let (_, queue) = lab.scheduled("rate(1 hour)", |create| create).await?;
    Ok(lab.scheduling(&lab.short_name()?, expression, target(&queue.arn).input("tick")))
}

async fn expression(lab: Lab) -> Shown {
    refused(sound(&lab, "every minute").await?.send().await, &["ValidationException"])
}

async fn zone(lab: Lab) -> Shown {
    let create = sound(&lab, "rate(1 hour)").await?.schedule_expression_timezone("Nowhere/Else");
    refused(create.send().await, &["ValidationException"])
}

async fn window_length(lab: Lab) -> Shown {
    let create = sound(&lab, "rate(1 hour)").await?;
    let create = create.flexible_time_window(window(FlexibleTimeWindowMode::Flexible, None));
    refused(create.send().await, &["ValidationException"])
}

async fn retries_range(lab: Lab) -> Shown {
    let (_, queue) = lab.scheduled("rate(1 hour)", |create| create).await?;
    let policy = RetryPolicy::builder().maximum_retry_attempts(186).build();
    let target = target(&queue.arn).input("tick").retry_policy(policy);
    let create = lab.scheduling(&lab.short_name()?, "rate(1 hour)", target);
    refused(create.send().await, &["ValidationException"])
}

async fn dlq_fifo(lab: Lab) -> Shown {
    let (_, queue) = lab.scheduled("rate(1 hour)", |create| create).await?;
    let config = DeadLetterConfig::builder().arn(lab.fifo(&[]).await?.arn).build();
    let target = target(&queue.arn).input("tick").dead_letter_config(config);
    let create = lab.scheduling(&lab.short_name()?, "rate(1 hour)", target);
    not_accepted(create.send().await, "its dead-letter queue is a FIFO queue")
}
