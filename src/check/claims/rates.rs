//! Which alarms a jumping clock cannot call quiet: under it consumers are infinitely fast, so that
//! the alarm of a queue which they drain is OK proves nothing about real time. That it is not,
//! does (design section 6, Rates). Nobody reads a dead-letter queue, so its depth has no rate.
//! Receives, empty ones above all, count polls, and a jump leaves out those of the time it skips.

use crate::check::view::View;
use crate::scenario::AlarmState;

/// Why a green `OK` of this alarm is not told, if so.
pub(super) fn untold(view: &View<'_>, alarm: &str, state: AlarmState) -> Option<String> {
    let queue = drained_queue(view, alarm).filter(|_| state == AlarmState::Ok && jumped(view))?;
    Some(format!(
        "the clock jumped, so its consumers drained and polled {queue} at no real rate; run with `--clock real` to judge it"
    ))
}

/// The queue whose gauge or count of polls the alarm watches, when a consumer drains it.
fn drained_queue<'v>(view: &'v View<'_>, alarm: &str) -> Option<&'v str> {
    let alarm = view.index.scenario.stack.alarms.get(alarm)?;
    let polls = matches!(alarm.metric.as_str(), "NumberOfEmptyReceives" | "NumberOfMessagesReceived");
    if !polls && !alarm.metric.starts_with("Approximate") {
        return None;
    }
    let mut queues = alarm.dimensions.iter().filter_map(|(_, value)| view.index.queue_named(value));
    queues.find(|queue| view.index.is_consumed(queue))
}

/// Whether the clock jumped since the injection began.
fn jumped(view: &View<'_>) -> bool {
    view.index.run.last_jump.is_some_and(|jump| jump.seq > view.since())
}
