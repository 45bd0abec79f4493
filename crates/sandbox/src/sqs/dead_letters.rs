//! How messages leave a queue by themselves: to the dead-letter queue in the course of a receive
//! attempt (semantics 1.10), and when their retention is over (semantics 1.2, 1.5).

use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;

use super::{QueueId, Seq};
use crate::core::Core;
use crate::fact::Fact;

impl Core {
    /// Where a queue's dead letters go and after how many receives. None when that queue does not
    /// exist any more, or does not allow it any more: what happens then is not documented
    /// (semantics 1.9), and a message that stays and goes on being delivered is the outcome that
    /// loses nothing.
    pub(crate) fn dead_letter_target(&self, id: QueueId) -> Result<Option<(QueueId, u32)>, ServiceError> {
        let source = self.queues.get(id)?;
        let Some(policy) = &source.attributes.redrive else { return Ok(None) };
        let allows = |target: &QueueId| {
            let allow =
                self.queues.get(*target).ok().and_then(|queue| queue.attributes.redrive_allow.as_ref());
            allow.is_none_or(|allow| allow.allows(&source.arn))
        };
        let target = self.find_queue(&policy.target_arn).filter(|target| *target != id && allows(target));
        Ok(target.map(|target| (target, policy.max_receive_count)))
    }

    /// The message keeps its id, its content, its count and in a standard queue the time it was
    /// sent. In a FIFO queue that time, and with it its retention, begins anew, it has a new place
    /// among the sequence numbers, and its own id is its deduplication id (semantics 1.10).
    pub(crate) fn dead_letter(
        &mut self,
        now: StackTime,
        id: QueueId,
        seq: Seq,
        target: QueueId,
    ) -> Result<(), ServiceError> {
        let queue = self.queues.get_mut(id)?;
        let (from, source_arn) = (queue.name.to_string(), queue.arn.clone());
        let Some(mut message) = queue.remove(now, seq, &mut self.timers) else { return Ok(()) };
        message.dead_letter_source = Some(source_arn);
        message.arrived = now;
        if queue.is_fifo() {
            message.sent = now;
            message.dedup_id = Some(Arc::from(message.id.as_str()));
        }
        let (message_id, receives) = (message.id.clone(), message.receives);
        let queue = self.queues.get_mut(target)?;
        let to = queue.name.to_string();
        queue.put(message, StackDuration::ZERO, &mut self.timers);
        self.touch(id);
        self.touch(target);
        self.emit(now, Fact::Moved { queue: from, to, message_id, receives });
        Ok(())
    }

    /// Retention is over for the oldest messages, in flight or not (semantics 1.2).
    pub(crate) fn expire(&mut self, now: StackTime, id: QueueId) {
        let Ok(queue) = self.queues.get_mut(id) else { return };
        queue.disarm_retention(&mut self.timers);
        let name = queue.name.to_string();
        let outdated: Vec<_> = queue
            .outdated(now)
            .into_iter()
            .filter_map(|seq| queue.remove(now, seq, &mut self.timers))
            .collect();
        for message in outdated {
            self.emit(now, Fact::Expired { queue: name.clone(), message_id: message.id });
        }
        self.touch(id);
    }
}
