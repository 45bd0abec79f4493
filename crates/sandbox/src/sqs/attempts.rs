//! ReceiveRequestAttemptId: a receive that is tried again gives the same messages with the same
//! handles (semantics 1.4).

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;

use super::dedup::Attempt;
use super::message::{Delivery, State};
use super::poll::Ask;
use super::queue::Queue;
use super::{QueueId, Seq};
use crate::core::Core;
use crate::timers::TimerKey;

impl Core {
    /// Notes what a receive handed out. Nothing is nothing to try again.
    pub(crate) fn remember(
        &mut self,
        now: StackTime,
        id: QueueId,
        ask: &Ask,
        taken: &[(Seq, Delivery)],
    ) -> Result<(), ServiceError> {
        let Some(attempt) = ask.attempt.clone().filter(|_| !taken.is_empty()) else { return Ok(()) };
        let queue = self.queues.get_mut(id)?;
        let held = taken.iter().filter_map(|(seq, delivery)| {
            queue.hidden_until(*seq).map(|until| (*seq, until, delivery.clone()))
        });
        let held = Attempt(held.collect());
        queue.attempts.note(now, attempt, held);
        Ok(())
    }

    /// What the receive with this id handed out, hidden anew. None when it is not to be had again:
    /// one of its messages was deleted, had its visibility changed or is visible again.
    pub(crate) fn replay(
        &mut self,
        now: StackTime,
        id: QueueId,
        ask: &Ask,
    ) -> Result<Option<Vec<Delivery>>, ServiceError> {
        let Some(key) = &ask.attempt else { return Ok(None) };
        let queue = self.queues.get_mut(id)?;
        let Some(Attempt(held)) = queue.attempts.get(now, key) else { return Ok(None) };
        let mut held = std::mem::take(held);
        if held.is_empty() || held.iter().any(|(seq, until, _)| queue.hidden_until(*seq) != Some(*until)) {
            queue.attempts.forget(key);
            return Ok(None);
        }
        let visibility = ask.visibility.unwrap_or(queue.attributes.visibility_timeout);
        for (seq, until, _) in &mut held {
            if visibility == StackDuration::ZERO {
                queue.reveal(now, *seq, &mut self.timers);
                continue;
            }
            queue.hide_until(*seq, now + visibility, &mut self.timers);
            *until = queue.hidden_until(*seq).unwrap_or(*until);
        }
        queue.counters.received += held.len() as u64;
        let deliveries = held.iter().map(|(_, _, delivery)| delivery.clone()).collect();
        if let Some(attempt) = queue.attempts.get(now, key) {
            attempt.0 = held;
        }
        self.touch(id);
        Ok(Some(deliveries))
    }
}

impl Queue {
    /// The timer of a message in flight.
    fn hidden_until(&self, seq: Seq) -> Option<TimerKey> {
        match self.get(seq)?.state {
            State::InFlight { until, .. } => Some(until),
            State::Visible { .. } | State::Delayed { .. } => None,
        }
    }
}
