//! StartMessageMoveTask, ListMessageMoveTasks and CancelMessageMoveTask (semantics 1.11).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_base::StackTime;
use havoq_wire::{ServiceError, SqsError};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::QueueId;
use super::errors::{invalid_parameter, missing};
use super::move_tasks::{MoveStatus, MoveTask, Task, TaskId};
use crate::core::Core;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct StartMessageMoveTask {
    pub(crate) source_arn: Option<String>,
    pub(crate) destination_arn: Option<String>,
    pub(crate) max_number_of_messages_per_second: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StartedTask {
    pub(crate) task_handle: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct CancelMessageMoveTask {
    task_handle: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct CancelledTask {
    approximate_number_of_messages_moved: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ListMessageMoveTasks {
    source_arn: Option<String>,
    max_results: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct TaskList {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    results: Vec<TaskOutput>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct TaskOutput {
    #[serde(skip_serializing_if = "Option::is_none")]
    task_handle: Option<String>,
    status: &'static str,
    source_arn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    destination_arn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_number_of_messages_per_second: Option<u32>,
    approximate_number_of_messages_moved: u64,
    approximate_number_of_messages_to_move: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure_reason: Option<String>,
    started_timestamp: u64,
}

impl Core {
    pub(crate) fn start_message_move_task(
        &mut self,
        now: StackTime,
        input: StartMessageMoveTask,
    ) -> Result<StartedTask, ServiceError> {
        let source_arn = input.source_arn.ok_or_else(|| missing("SourceArn"))?;
        let source = self.task_queue(now, &source_arn, "SourceArn")?;
        let rate = input.max_number_of_messages_per_second.map(rate).transpose()?;
        if let Some(arn) = &input.destination_arn {
            self.check_destination(now, source, arn)?;
        }
        if !self.queues.iter().any(|queue| queue.dead_letters_to(&source_arn)) {
            return Err(invalid_parameter("Source queue must be configured as a Dead Letter Queue."));
        }
        let runs = |task: &Task| task.source == source && task.state.status == MoveStatus::Running;
        if self.move_tasks.0.iter().any(runs) {
            return Err(invalid_parameter(
                "There is already a task running. Only one active task is allowed for a source queue arn at a given time.",
            ));
        }
        let task_handle = self.add_task(now, source, source_arn, input.destination_arn, rate)?;
        Ok(StartedTask { task_handle })
    }

    /// Another queue of the same type (semantics 1.11).
    fn check_destination(&mut self, now: StackTime, source: QueueId, arn: &str) -> Result<(), ServiceError> {
        let destination = self.task_queue(now, arn, "DestinationArn")?;
        if destination == source {
            return Err(invalid_parameter("Source queue arn and destination queue arn cannot be the same."));
        }
        if self.queues.get(destination)?.is_fifo() != self.queues.get(source)?.is_fifo() {
            return Err(invalid_parameter(
                "The source queue and destination queue must be of the same queue type.",
            ));
        }
        Ok(())
    }

    fn add_task(
        &mut self,
        now: StackTime,
        source: QueueId,
        source_arn: String,
        destination_arn: Option<String>,
        rate: Option<u32>,
    ) -> Result<String, ServiceError> {
        let handle = STANDARD.encode(json!({ "taskId": self.new_id(), "sourceArn": source_arn }).to_string());
        let id = TaskId(self.move_tasks.0.len());
        self.move_tasks.0.push(Task {
            handle: handle.clone(),
            source,
            source_arn,
            destination_arn,
            rate,
            started: now,
            to_move: self.queues.get(source)?.depth().visible,
            state: MoveTask { status: MoveStatus::Running, moved: 0, failure: None },
            timer: None,
        });
        self.arm_step(id);
        Ok(handle)
    }

    /// A queue that a task names; a call on it is an action of it (semantics 1.16).
    fn task_queue(&mut self, now: StackTime, arn: &str, parameter: &str) -> Result<QueueId, ServiceError> {
        if arn.split(':').count() != 6 {
            let format = "arn:<partition>:<service>:<region>:<account-id>:<resource-id>";
            let text = format!("You must use this format to specify the {parameter}: {format}");
            return Err(invalid_parameter(text));
        }
        let id = self.find_queue(arn).ok_or_else(|| no_resource(parameter))?;
        self.queues.get_mut(id)?.last_action = now;
        Ok(id)
    }

    pub(crate) fn cancel_message_move_task(
        &mut self,
        now: StackTime,
        input: CancelMessageMoveTask,
    ) -> Result<CancelledTask, ServiceError> {
        let handle = input.task_handle.ok_or_else(|| missing("TaskHandle"))?;
        let source_arn = source_of(&handle)
            .ok_or_else(|| invalid_parameter("Value for parameter TaskHandle is invalid."))?;
        self.find_queue(&source_arn).ok_or_else(|| no_resource("SourceArn"))?;
        let no_task = || SqsError::ResourceNotFound.with("Task does not exist.");
        let id = self.move_tasks.find(&handle).ok_or_else(no_task)?;
        let task = self.move_tasks.0.get(id.0).ok_or_else(no_task)?;
        let moved = task.state.moved;
        if task.state.status != MoveStatus::Running {
            return Err(invalid_parameter("Only active tasks can be cancelled."));
        }
        self.end_task(now, id, MoveStatus::Cancelled, None);
        Ok(CancelledTask { approximate_number_of_messages_moved: moved })
    }

    pub(crate) fn list_message_move_tasks(
        &mut self,
        now: StackTime,
        input: ListMessageMoveTasks,
    ) -> Result<TaskList, ServiceError> {
        let source_arn = input.source_arn.ok_or_else(|| missing("SourceArn"))?;
        self.task_queue(now, &source_arn, "SourceArn")?;
        let max = input.max_results.unwrap_or(1);
        let max = usize::try_from(max).ok().filter(|max| (1..=10).contains(max)).ok_or_else(|| {
            let reason = "You must enter a number that's between 1 and 10.";
            invalid_parameter(format!("Value for parameter MaxResults is invalid. Reason: {reason}"))
        })?;
        let newest_first = self.move_tasks.0.iter().rev().filter(|task| task.source_arn == source_arn);
        Ok(TaskList { results: newest_first.take(max).map(output).collect() })
    }

    pub(crate) fn move_task(&self, handle: &str) -> Option<MoveTask> {
        let id = self.move_tasks.find(handle)?;
        self.move_tasks.0.get(id.0).map(|task| task.state.clone())
    }
}

fn rate(rate: i64) -> Result<u32, ServiceError> {
    u32::try_from(rate).ok().filter(|rate| (1..=500).contains(rate)).ok_or_else(|| {
        let reason = "You must enter a number that's between 1 and 500.";
        invalid_parameter(format!(
            "Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: {reason}"
        ))
    })
}

fn no_resource(parameter: &str) -> ServiceError {
    SqsError::ResourceNotFound
        .with(format!("The resource that you specified for the {parameter} parameter doesn't exist."))
}

/// The source that a handle names: it is base64 of JSON with that and a task id.
fn source_of(handle: &str) -> Option<String> {
    let json: serde_json::Value = serde_json::from_slice(&STANDARD.decode(handle).ok()?).ok()?;
    json["taskId"].as_str()?;
    json["sourceArn"].as_str().map(str::to_owned)
}

/// The handle is shown only while the task runs.
fn output(task: &Task) -> TaskOutput {
    let running = task.state.status == MoveStatus::Running;
    TaskOutput {
        task_handle: running.then(|| task.handle.clone()),
        status: task.state.status.as_str(),
        source_arn: task.source_arn.clone(),
        destination_arn: task.destination_arn.clone(),
        max_number_of_messages_per_second: task.rate,
        approximate_number_of_messages_moved: task.state.moved,
        approximate_number_of_messages_to_move: task.to_move,
        failure_reason: task.state.failure.clone(),
        started_timestamp: task.started.as_millis(),
    }
}
