//! Why an alarm did not fire: what its definition gets wrong, or who drained what it watches.

use super::Cause;
use crate::check::blind::{is_dead_letter_queue, without_cause};
use crate::check::index::Index;
use crate::scenario::{Alarm, AlarmState, Claim, DimensionValue, Statistic};

/// What SQS publishes per queue (semantics 1.16).
const METRICS: &[&str] = &[
    "ApproximateAgeOfOldestMessage",
    "ApproximateNumberOfMessagesDelayed",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesVisible",
    "NumberOfEmptyReceives",
    "NumberOfMessagesDeleted",
    "NumberOfMessagesReceived",
    "NumberOfMessagesSent",
    "SentMessageSize",
];

pub(super) fn recognise(index: &Index, claim: &Claim) -> Option<Cause> {
    let Claim::Alarm { name, reaches: AlarmState::Alarm, notifies, .. } = claim else { return None };
    let alarm = index.scenario.stack.alarms.get(name)?;
    cannot_fire(index, name, alarm, notifies.as_deref())
        .or_else(|| went_off(index, name))
        .or_else(|| drained(index, alarm))
        .or_else(|| elsewhere(index, name, alarm))
}

fn cannot_fire(index: &Index, name: &str, alarm: &Alarm, notifies: Option<&str>) -> Option<Cause> {
    let wrong = wrong_metric(index, alarm).or_else(|| wrong_action(alarm, notifies))?;
    Some(Cause { note: Some(format!("{name} {wrong}")), ..Cause::new("alarm-cannot-fire", 0, Vec::new()) })
}

fn wrong_metric(index: &Index, alarm: &Alarm) -> Option<String> {
    if alarm.namespace != "AWS/SQS" {
        return Some(format!("watches the namespace `{}`, and queues publish in `AWS/SQS`", alarm.namespace));
    }
    if !METRICS.contains(&alarm.metric.as_str()) {
        return Some(format!("watches `{}`, which SQS does not publish", alarm.metric));
    }
    let queue = match watched(index, alarm) {
        Ok(queue) => queue,
        Err(wrong) => return Some(wrong),
    };
    if alarm.metric == "NumberOfMessagesSent" && is_dead_letter_queue(index, queue) {
        return Some("watches NumberOfMessagesSent, which does not count dead-lettering".to_owned());
    }
    let gauge = alarm.metric.starts_with("Approximate");
    (gauge && alarm.statistic == Statistic::SampleCount)
        .then(|| "counts the samples of a gauge (SampleCount), not its value".to_owned())
}

/// The queue of the alarm's dimension, or what is wrong with it.
fn watched<'a>(index: &'a Index, alarm: &'a Alarm) -> Result<&'a str, String> {
    let [(dimension, value)] = alarm.dimensions.as_slice() else {
        return Err(format!(
            "has {} dimensions, and SQS publishes under QueueName alone",
            alarm.dimensions.len()
        ));
    };
    if dimension != "QueueName" {
        return Err(format!("watches the dimension `{dimension}`, and SQS publishes under QueueName"));
    }
    let made = |name: &String| index.run.resources.iter().find(|resource| resource.name == *name);
    match value {
        DimensionValue::QueueNameOf(queue) => Ok(queue),
        DimensionValue::Literal(name) => index
            .queue_named(value)
            .or_else(|| made(name).map(|resource| resource.id.as_str()))
            .ok_or_else(|| format!("watches a queue named `{name}`, which the stack does not have")),
    }
}

fn wrong_action(alarm: &Alarm, notifies: Option<&str>) -> Option<String> {
    let topic = notifies?;
    if !alarm.actions_enabled {
        return Some("has its actions disabled".to_owned());
    }
    (!alarm.alarm_actions.iter().any(|action| action == topic))
        .then(|| format!("has no alarm action on {topic}"))
}

/// It was in ALARM before there was anything to tell of.
fn went_off(index: &Index, name: &str) -> Option<Cause> {
    let seq = without_cause(index, name)?.when.seq;
    let note =
        format!("{name} was in ALARM before any message was dead-lettered, so it tells nothing of one");
    Some(Cause { note: Some(note), ..Cause::new("alarm-cannot-fire", seq, vec![seq]) })
}

/// Messages were dead-lettered, and none of them into the watched queue.
fn elsewhere(index: &Index, name: &str, alarm: &Alarm) -> Option<Cause> {
    let queue = watched(index, alarm).ok()?;
    let moved = index.moves().next().filter(|_| index.moves().all(|moved| moved.to != queue))?;
    let note = format!("{name} watches {queue} {}, the dead letters went to {}", alarm.metric, moved.to);
    let seq = moved.when.seq;
    Some(Cause { note: Some(note), ..Cause::new("alarm-cannot-fire", seq, vec![seq]) })
}

/// Messages came into the watched queue, and a consumer took them out again.
fn drained(index: &Index, alarm: &Alarm) -> Option<Cause> {
    let queue = watched(index, alarm).ok()?;
    if alarm.metric != "ApproximateNumberOfMessagesVisible" {
        return None;
    }
    let came_in =
        |message: &&crate::check::index::Message| message.moves.iter().any(|moved| moved.to == queue);
    let receives = index.messages.iter().filter(came_in).flat_map(|message| &message.receives);
    let taken = receives.filter(|receive| receive.queue == queue).map(|receive| receive.when.seq).min()?;
    Some(Cause::new("alarm-on-drained-dlq", taken, vec![taken]))
}
