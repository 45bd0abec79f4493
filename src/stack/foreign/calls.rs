//! What steps do there.

use aws_sdk_sqs::types::MessageAttributeValue;
use havoq_base::StackDuration;
use havoq_base::ids::MessageId;

use super::Foreign;
use super::errors::Failed;
use crate::guard::Permit;
use crate::stack::spec::{MARKER_ATTRIBUTE, Outgoing, RedriveState, StackError};

/// How often a move task is asked for.
const LOOK_AGAIN: StackDuration = StackDuration::from_millis(500);

impl Foreign {
    pub async fn send(
        &self,
        permit: &Permit,
        queue: &str,
        message: &Outgoing,
    ) -> Result<MessageId, StackError> {
        permit.covers(self.directory.name_of(queue))?;
        let marker = MessageAttributeValue::builder().data_type("String");
        let failed = Failed { call: "SendMessage", resource: queue };
        // Both of its members are given.
        let marker = marker.string_value(message.marker.as_str()).build().map_err(|error| {
            let reason = error.to_string();
            StackError::Refused { call: failed.call, resource: queue.to_owned(), reason }
        })?;
        let send = self.clients.sqs.send_message().queue_url(self.url_of(queue)).message_body(&message.body);
        let send = send.message_attributes(MARKER_ATTRIBUTE, marker);
        let sent = send.set_delay_seconds(message.delay.map(|delay| delay.as_secs() as i32)).send().await;
        let sent = sent.map_err(|error| self.failed(failed, &error))?;
        Ok(MessageId::new(sent.message_id.unwrap_or_default()))
    }

    /// The task is known by its source, since that is what the stack lists tasks by.
    pub async fn start_redrive(
        &self,
        permit: &Permit,
        from: &str,
        to: Option<&str>,
        rate: Option<u32>,
    ) -> Result<String, StackError> {
        for queue in std::iter::once(from).chain(to) {
            permit.covers(self.directory.name_of(queue))?;
        }
        let source = self.arn_of(from).unwrap_or(from);
        let start = self.clients.sqs.start_message_move_task().source_arn(source);
        let start = start.set_destination_arn(to.map(|to| self.arn_of(to).unwrap_or(to).to_owned()));
        let start = start.set_max_number_of_messages_per_second(rate.map(|rate| rate as i32));
        let started = start.send().await;
        let failed = Failed { call: "StartMessageMoveTask", resource: from };
        started.map_err(|error| cannot_move(self.failed(failed, &error)))?;
        Ok(source.to_owned())
    }

    pub async fn redrive_state(&self, task: &str) -> Result<RedriveState, StackError> {
        let listed = self.clients.sqs.list_message_move_tasks().source_arn(task).send().await;
        let failed = Failed { call: "ListMessageMoveTasks", resource: task };
        let listed = listed.map_err(|error| cannot_move(self.failed(failed, &error)))?;
        let task = listed.results.unwrap_or_default().into_iter().next();
        let task = task.ok_or_else(|| StackError::NoTask(failed.resource.to_owned()))?;
        Ok(match task.status.as_deref() {
            Some("COMPLETED") => RedriveState::Completed {
                moved: u64::try_from(task.approximate_number_of_messages_moved).unwrap_or_default(),
            },
            Some("FAILED") => {
                RedriveState::Failed(task.failure_reason.unwrap_or_else(|| "no reason given".to_owned()))
            }
            Some("CANCELLED") => RedriveState::Failed("it was cancelled".to_owned()),
            _ => RedriveState::Running { look_again: Some(LOOK_AGAIN) },
        })
    }
}

/// A stack that breaks on a move task of two good queues has no move tasks.
fn cannot_move(error: StackError) -> StackError {
    match error {
        StackError::Refused { call, reason, .. } if reason.starts_with("HTTP status 5") => {
            StackError::Unsupported { call, reason }
        }
        other => other,
    }
}
