//! Alarms that were never seen quiet: that they are in ALARM shows nothing of the failure.

use super::index::{AlarmFacts, Change, Index};
use crate::scenario::Alarm;

/// Whether the alarm was in OK before its change at position `at`.
pub(crate) fn was_calm(facts: &AlarmFacts, at: usize) -> bool {
    facts.changes[at].from == "OK" || facts.changes[..at].iter().any(|change| change.to == "OK")
}

/// The change that proves that a dead-letter alarm tells of something else: it was in ALARM, never
/// having been OK, before anything had been dead-lettered. Other stacks give a new alarm the state
/// they like, and their moves are only seen late, so it proves nothing there.
pub(crate) fn without_cause<'a>(index: &'a Index, name: &str) -> Option<&'a Change> {
    let alarm = index.scenario.stack.alarms.get(name)?;
    let facts = index.alarms.get(name)?;
    let entered = facts.changes.iter().position(|change| change.to == "ALARM")?;
    let change = &facts.changes[entered];
    let first = index.moves().map(|moved| moved.when.seq).min().unwrap_or(u64::MAX);
    let early = change.when.seq < first && !was_calm(facts, entered);
    (early && !index.is_foreign() && is_of_dead_letters(index, alarm)).then_some(change)
}

/// Whether the alarm's dimension is a dead-letter queue of the stack, or tells of no queue of it.
fn is_of_dead_letters(index: &Index, alarm: &Alarm) -> bool {
    let mut queues = alarm.dimensions.iter().filter_map(|(_, value)| index.queue_named(value));
    queues.all(|queue| is_dead_letter_queue(index, queue))
}

pub(crate) fn is_dead_letter_queue(index: &Index, queue: &str) -> bool {
    let mut policies = index.scenario.stack.queues.values().filter_map(|queue| queue.redrive.as_ref());
    policies.any(|policy| policy.to == queue)
}
