//! What cannot be told of a stack that is only seen from outside. Each answer says why an absence
//! there proves nothing; on the embedded stack, which tells what it does, there is none.

use havoq_base::StackTime;

use super::fate::is_nowhere;
use super::index::{Index, Message, MoveFact, Place, Story};
use super::rests;

/// Why an alarm that stayed as it was shows nothing.
pub(crate) fn alarms(index: &Index) -> Option<String> {
    let probed = || rests::ALARMS.into_iter().find_map(|check| unshown(index, check));
    (!index.evaluates_alarms())
        .then(|| probed().unwrap_or_else(|| "this stack was not seen to evaluate alarms".to_owned()))
}

/// Why a message that did not come back shows nothing.
pub(crate) fn redeliveries(index: &Index) -> Option<String> {
    unshown(index, rests::REDELIVERY)
}

/// Why a redrive that failed says nothing of the scenario.
pub(crate) fn redrives(index: &Index) -> Option<String> {
    unshown(index, rests::REDRIVE)
}

/// What the probe found this stack not to do as AWS does.
fn unshown(index: &Index, check: &str) -> Option<String> {
    let found = index.run.probed.get(check)?;
    Some(format!("this stack cannot show it: the probe's check {check} is {found}"))
}

/// Why a notification that did not come shows nothing: none was ever heard.
pub(crate) fn actions(index: &Index, topic: Option<&str>) -> Option<String> {
    let topic = topic?;
    let heard = index.alarms.values().any(|facts| !facts.actions.is_empty());
    (index.is_foreign() && !heard)
        .then(|| format!("what this stack's alarms tell {topic} was not heard even once"))
}

/// Why a message that was not seen in the dead-letter queue shows nothing.
pub(crate) fn dead_letters(index: &Index, message: &Message, queue: &str) -> Option<String> {
    if !index.is_foreign() {
        return None;
    }
    if let Some(why) = unshown(index, rests::DEAD_LETTERS) {
        return Some(why);
    }
    if index.is_consumed(queue) {
        return Some(format!("a consumer reads {queue}, so what lies there could not be looked at"));
    }
    let (lying, seen) = (total(index, queue), index.held_in(queue) as u64);
    if lying > seen {
        return Some(format!("only {seen} of the {lying} messages in {queue} could be looked at"));
    }
    beyond_maximum(index, message)
}

/// Why a move that was seen late shows nothing: it may have been done before, from when its last
/// holder had lost the message.
pub(crate) fn seen_late(
    index: &Index,
    message: &Message,
    moved: &MoveFact,
    deadline: Option<StackTime>,
) -> Option<String> {
    let mut before = message.receives.iter().filter(|receive| receive.when.seq < moved.when.seq);
    let held_until = before.next_back().map(|last| last.hidden_until);
    let in_time = held_until.is_none_or(|until| deadline.is_none_or(|deadline| until <= deadline));
    (index.is_foreign() && in_time)
        .then(|| format!("{} was only seen now and then, so it may have been there before", moved.to))
}

/// A stack that delivers a message more often than its redrive policy says is what is wrong, not
/// the consumer.
fn beyond_maximum(index: &Index, message: &Message) -> Option<String> {
    let last = message.receives.last()?;
    let redrive = index.scenario.stack.queues.get(&last.queue)?.redrive.as_ref()?;
    let there = message.receives.iter().filter(|receive| receive.queue == last.queue).count();
    let most = redrive.max_receive_count as usize;
    (there > most).then(|| {
        format!(
            "this stack delivered it {there} times from {}, whose maxReceiveCount is {most}: \
             it does not dead-letter as SQS does",
            last.queue
        )
    })
}

fn total(index: &Index, queue: &str) -> u64 {
    index.depths.get(queue).and_then(|seen| seen.last()).map_or(0, |(_, counts)| counts.total())
}

/// Why what a message did not bring about shows nothing: it is nowhere to be seen.
pub(crate) fn vanished(index: &Index, story: &Story) -> Option<String> {
    let why = lost(index)?;
    let nowhere = |message: &Message| match &message.place {
        Place::In(queue) => is_nowhere(index, queue),
        _ => false,
    };
    index.messages_of(story).any(nowhere).then(|| format!("it was never deleted, and {why}"))
}

/// Why a message that is nowhere may still not be lost.
pub(crate) fn lost(index: &Index) -> Option<String> {
    index.is_foreign().then(|| {
        "this stack does not tell what it does with messages, so where it went cannot be told".to_owned()
    })
}
