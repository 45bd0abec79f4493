//! ReceiveMessage and the parking of long polls (semantics 1.3, 1.4, 1.13).

use havoq_base::{StackDuration, StackTime};
use havoq_wire::{ServiceError, SqsError};
use serde::Deserialize;
use tokio::sync::oneshot;

use super::content::fifo_id;
use super::errors::{invalid_value, unknown_attribute, wrong_type};
use super::message::Delivery;
use super::params::seconds;
use super::poll::{Ask, Parked, PollId, Polled};
use super::{QueueId, Seq};
use crate::core::Core;

/// How many messages of a queue may be in flight (semantics 1.3).
pub(crate) const IN_FLIGHT_LIMIT: u64 = 120_000;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ReceiveMessage {
    max_number_of_messages: Option<i64>,
    visibility_timeout: Option<i64>,
    wait_time_seconds: Option<i64>,
    attribute_names: Vec<String>,
    message_system_attribute_names: Vec<String>,
    pub(crate) message_attribute_names: Vec<String>,
    receive_request_attempt_id: Option<String>,
}

const SYSTEM_ATTRIBUTES: [&str; 10] = [
    "All",
    "SenderId",
    "SentTimestamp",
    "ApproximateReceiveCount",
    "ApproximateFirstReceiveTimestamp",
    "SequenceNumber",
    "MessageDeduplicationId",
    "MessageGroupId",
    "AWSTraceHeader",
    "DeadLetterQueueSourceArn",
];

impl ReceiveMessage {
    /// The checked limits, and the wait that was asked for.
    pub(crate) fn ask(&self) -> Result<(Ask, Option<StackDuration>), ServiceError> {
        let max = self.max_number_of_messages.unwrap_or(1);
        let max = usize::try_from(max).ok().filter(|max| (1..=10).contains(max)).ok_or_else(|| {
            invalid_value(max, "MaxNumberOfMessages", "Must be between 1 and 10, if provided.")
        })?;
        let visibility = self.visibility_timeout.map(|timeout| {
            seconds(timeout, "VisibilityTimeout", 0..=43_200, "Must be >= 0 and <= 43200, if provided.")
        });
        let wait = self
            .wait_time_seconds
            .map(|wait| seconds(wait, "WaitTimeSeconds", 0..=20, "Must be >= 0 and <= 20, if provided."));
        if let Some(unknown) = self.system_names().find(|name| !SYSTEM_ATTRIBUTES.contains(name)) {
            return Err(unknown_attribute(unknown));
        }
        let attempt = self.receive_request_attempt_id.as_deref();
        let attempt = attempt.map(|id| fifo_id("ReceiveRequestAttemptId", id)).transpose()?;
        Ok((Ask { max, visibility: visibility.transpose()?, attempt }, wait.transpose()?))
    }

    /// Both lists of names count (semantics 1.4).
    pub(crate) fn system_names(&self) -> impl Iterator<Item = &str> {
        self.attribute_names.iter().chain(&self.message_system_attribute_names).map(String::as_str)
    }
}

impl Core {
    /// One receive: at once when something is there, else parked if it may wait.
    pub(crate) fn receive_message(
        &mut self,
        now: StackTime,
        id: QueueId,
        ask: Ask,
        wait: Option<StackDuration>,
    ) -> Result<Polled, ServiceError> {
        let queue = self.queues.get(id)?;
        let wait = wait.unwrap_or(queue.attributes.receive_wait);
        if !queue.is_fifo() && ask.attempt.is_some() {
            return Err(wrong_type("ReceiveRequestAttemptId"));
        }
        if let Some(messages) = self.replay(now, id, &ask)? {
            return Ok(Polled::Done(messages));
        }
        let queue = self.queues.get(id)?;
        // A FIFO queue says nothing (semantics 1.3).
        let tells = wait == StackDuration::ZERO && !queue.is_fifo();
        if tells && queue.depth().in_flight >= IN_FLIGHT_LIMIT {
            return Err(SqsError::OverLimit.with(format!(
                "Too many messages in flight. The limit of inflight messages is {IN_FLIGHT_LIMIT}."
            )));
        }
        let messages = self.take(now, id, &ask)?;
        if !messages.is_empty() {
            return Ok(Polled::Done(messages));
        }
        let queue = self.queues.get_mut(id)?;
        if wait == StackDuration::ZERO {
            queue.counters.empty_receives += 1;
            return Ok(Polled::Done(Vec::new()));
        }
        self.polls_so_far += 1;
        let poll = PollId { queue: id, order: self.polls_so_far };
        let (sender, answer) = oneshot::channel();
        queue.polls.push_back(Parked { id: poll, ask, answer: sender });
        Ok(Polled::Parked { id: poll, answer, wait })
    }

    /// Takes a parked poll back. An empty one that ran its time counts as an empty receive; one
    /// whose caller went away does not. False when it is not parked any more.
    pub(crate) fn unpark(&mut self, poll: PollId, counts: bool) -> bool {
        let Ok(queue) = self.queues.get_mut(poll.queue) else { return false };
        let Some(index) = queue.polls.iter().position(|parked| parked.id == poll) else { return false };
        queue.polls.remove(index);
        queue.counters.empty_receives += u64::from(counts);
        true
    }

    /// Gives messages to the polls that wait for them, first come first served.
    pub(crate) fn serve_polls(&mut self, now: StackTime, id: QueueId) {
        while let Ok(queue) = self.queues.get_mut(id)
            && queue.first_visible().is_some()
            && let Some(poll) = queue.polls.pop_front()
        {
            let messages = self.take(now, id, &poll.ask).unwrap_or_default();
            if messages.is_empty() {
                // All that was there went to the dead-letter queue, or too much is in flight.
                if let Ok(queue) = self.queues.get_mut(id) {
                    queue.polls.push_front(poll);
                }
                return;
            }
            // A caller that has just gone away loses its messages to their visibility timeout.
            let _ = poll.answer.send(Ok(messages));
        }
    }

    /// A receive attempt: hands out the first messages of the line, and dead-letters those among
    /// them that were received often enough. In a FIFO queue it goes on with a group as long as it
    /// can (semantics 1.13).
    pub(crate) fn take(
        &mut self,
        now: StackTime,
        id: QueueId,
        ask: &Ask,
    ) -> Result<Vec<Delivery>, ServiceError> {
        let mut taken: Vec<(Seq, Delivery)> = Vec::new();
        let dead_letters = self.dead_letter_target(id)?;
        let queue = self.queues.get_mut(id)?;
        queue.calm(now);
        let visibility = ask.visibility.unwrap_or(queue.attributes.visibility_timeout);
        let mut following = None;
        while taken.len() < ask.max {
            let queue = self.queues.get_mut(id)?;
            let Some(seq) = following.or_else(|| queue.first_visible()) else { break };
            following = queue.next_of_group(seq);
            let receives = queue.get(seq).map_or(0, |message| message.receives);
            if let Some((target, limit)) = dead_letters
                && receives >= limit
            {
                self.dead_letter(now, id, seq, target)?;
                continue;
            }
            if queue.depth().in_flight >= IN_FLIGHT_LIMIT {
                break;
            }
            let Some(delivery) = queue.hand_out(seq, now, visibility, &mut self.timers, &self.handles) else {
                break;
            };
            queue.counters.received += 1;
            taken.push((seq, delivery));
        }
        if visibility == StackDuration::ZERO {
            let queue = self.queues.get_mut(id)?;
            taken.iter().for_each(|(seq, _)| queue.reveal(now, *seq, &mut self.timers));
        }
        self.remember(now, id, ask, &taken)?;
        if !taken.is_empty() {
            self.touch(id);
        }
        Ok(taken.into_iter().map(|(_, delivery)| delivery).collect())
    }

    /// A visibility timeout or a delay is over.
    pub(crate) fn reveal(&mut self, now: StackTime, id: QueueId, seq: Seq) {
        if let Ok(queue) = self.queues.get_mut(id) {
            queue.reveal(now, seq, &mut self.timers);
            self.touch(id);
        }
    }
}
