//! Move tasks: the redrive of a dead-letter queue, one message a timer (semantics 1.11).

use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};

use super::QueueId;
use crate::core::Core;
use crate::fact::Fact;
use crate::timers::{Timer, TimerKey};

/// One move task of a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TaskId(pub(crate) usize);

/// How a move task stands. Cancelling takes no time here, so it is never seen under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveStatus {
    Running,
    Completed,
    Cancelled,
    Failed,
}

impl MoveStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "RUNNING",
            Self::Completed => "COMPLETED",
            Self::Cancelled => "CANCELLED",
            Self::Failed => "FAILED",
        }
    }
}

/// A move task as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTask {
    pub status: MoveStatus,
    /// Messages moved so far.
    pub moved: u64,
    /// Why, when it failed.
    pub failure: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) handle: String,
    pub(crate) source: QueueId,
    pub(crate) source_arn: String,
    /// Each message's own source queue when absent.
    pub(crate) destination_arn: Option<String>,
    /// As it was asked for.
    pub(crate) rate: Option<u32>,
    pub(crate) started: StackTime,
    /// How many there were at the start.
    pub(crate) to_move: u64,
    pub(crate) state: MoveTask,
    pub(crate) timer: Option<TimerKey>,
}

/// The pace of a task that was not given one: AWS chooses it by itself; this is the fastest that
/// can be asked for.
const OWN_RATE: u32 = 500;

impl Task {
    /// When the next message is due: no rounding adds up.
    pub(crate) fn next_step(&self) -> StackTime {
        let rate = u64::from(self.rate.unwrap_or(OWN_RATE));
        self.started + StackDuration::from_micros((self.state.moved + 1) * 1_000_000 / rate)
    }
}

/// All tasks there ever were, oldest first.
#[derive(Debug, Default)]
pub(crate) struct MoveTasks(pub(crate) Vec<Task>);

impl MoveTasks {
    pub(crate) fn find(&self, handle: &str) -> Option<TaskId> {
        self.0.iter().position(|task| task.handle == handle).map(TaskId)
    }

    pub(crate) fn any_running(&self) -> bool {
        self.0.iter().any(|task| task.state.status == MoveStatus::Running)
    }
}

/// The destination, or the source itself, has been deleted (semantics 1.11).
const GONE: &str = "AWS.SimpleQueueService.NonExistentQueue";
/// A message that no queue dead-lettered has no source to go back to. The fact sheet does not cover
/// this; the reason is the one of AWS's own page on troubleshooting redrives.
const NO_SOURCE: &str = "CouldNotDetermineMessageSource";

impl Core {
    /// Moves the oldest visible message. The task is over when none is left.
    pub(crate) fn move_step(&mut self, now: StackTime, id: TaskId) {
        if let Some(task) = self.move_tasks.0.get_mut(id.0) {
            task.timer = None;
        }
        match self.move_oldest(now, id) {
            Err(reason) => self.end_task(now, id, MoveStatus::Failed, Some(reason)),
            Ok(Moved::Nothing | Moved::Last) => {
                self.settle(now);
                self.end_task(now, id, MoveStatus::Completed, None);
            }
            Ok(Moved::OneOfMore) => self.arm_step(id),
        }
    }

    pub(crate) fn arm_step(&mut self, id: TaskId) {
        if let Some(task) = self.move_tasks.0.get_mut(id.0) {
            task.timer = Some(self.timers.set(task.next_step(), Timer::MoveStep { task: id }));
        }
    }

    pub(crate) fn end_task(
        &mut self,
        now: StackTime,
        id: TaskId,
        status: MoveStatus,
        failure: Option<String>,
    ) {
        let Some(task) = self.move_tasks.0.get_mut(id.0) else { return };
        task.state.status = status;
        task.state.failure = failure;
        if let Some(timer) = task.timer.take() {
            self.timers.cancel(timer);
        }
        let ended = Fact::MoveTaskEnded { task: task.handle.clone(), status };
        self.emit(now, ended);
    }

    /// The copy is a new message: new id, new time, its receives count from nought. It is delayed
    /// as its queue delays.
    fn move_oldest(&mut self, now: StackTime, id: TaskId) -> Result<Moved, String> {
        let gone = |_| GONE.to_owned();
        let Some(task) = self.move_tasks.0.get(id.0) else { return Ok(Moved::Nothing) };
        let (source, destination_arn) = (task.source, task.destination_arn.clone());
        let queue = self.queues.get(source).map_err(gone)?;
        let Some(seq) = queue.first_visible() else { return Ok(Moved::Nothing) };
        let own_source = queue.get(seq).and_then(|message| message.dead_letter_source.as_deref());
        let arn = destination_arn.as_deref().or(own_source).ok_or(NO_SOURCE)?;
        let destination = self.find_queue(arn).ok_or(GONE)?;

        let queue = self.queues.get_mut(source).map_err(gone)?;
        let from = queue.name.to_string();
        let Some(message) = queue.remove(now, seq, &mut self.timers) else { return Ok(Moved::Nothing) };
        let is_last = queue.first_visible().is_none();
        let message_id = self.new_message_id();
        let to = self.queues.get(destination).map_err(gone)?;
        let (to, delay) = (to.name.to_string(), to.attributes.delay);
        // In a FIFO queue it is deduplicated no more: it is new, and must not be lost.
        let dedup_id = message.dedup_id.map(|_| Arc::from(message_id.as_str()));
        self.store(now, destination, message_id.clone(), message.content, dedup_id, delay).map_err(gone)?;
        self.touch(source);
        self.emit(now, Fact::Redriven { from, to, old_message_id: message.id, message_id });
        if let Some(task) = self.move_tasks.0.get_mut(id.0) {
            task.state.moved += 1;
        }
        Ok(if is_last { Moved::Last } else { Moved::OneOfMore })
    }
}

/// What one step of a task did.
enum Moved {
    Nothing,
    OneOfMore,
    Last,
}
