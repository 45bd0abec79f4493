//! Who may still have been at work when the run ended. What they have not done yet says nothing
//! of what they will not do.

use super::index::{Horizon, Index, Message, Place, ReceiveFact, Story};
use super::view::{Role, View};
use super::words;
use crate::history::Withheld;

/// Why an absence of effects of these markers is not certain at the end, and what shows it.
pub(crate) fn on_any(view: &View<'_>, stories: &[&Story]) -> Option<(String, Vec<u64>)> {
    if view.role != Role::Expect {
        return None;
    }
    let horizon = view.index.run.horizon.as_ref()?;
    stirred(view.index).or_else(|| {
        let mut waiting = stories.iter().filter_map(|story| on(view.index, horizon, story));
        waiting.next().map(|(why, receive)| (why, vec![receive.when.seq]))
    })
}

/// Why the absence of an effect says nothing about the consumers: a marker lies in its queue, and
/// none of them has ever received it.
pub(crate) fn untried(view: &View<'_>, stories: &[&Story]) -> Option<(String, Vec<u64>)> {
    let waits = |message: &Message| matches!(message.place, Place::In(_)) && message.receives.is_empty();
    let story = stories.iter().find(|story| view.index.messages_of(story).all(waits))?;
    let evidence = story.sends.iter().map(|send| send.when.seq).collect();
    Some((format!("{} was never received, so nobody was put to the test", story.marker), evidence))
}

/// Why a marker may still get its effect: on a clock that jumps, nobody had the time to wait for
/// whoever holds it. One that a declared fault has frozen is not waited for.
pub(crate) fn may_come(index: &Index, story: &Story) -> Option<String> {
    let horizon = index.run.horizon.as_ref()?;
    index.run.last_jump?;
    let (why, receive) = on(index, horizon, story)?;
    (!index.is_frozen(&receive.by)).then_some(why)
}

/// A process acted on after the horizon, when it was told to stop: it was not at rest.
fn stirred(index: &Index) -> Option<(String, Vec<u64>)> {
    let (when, by) = index.run.late_acts.first()?;
    let acts = words::counted(index.run.late_acts.len() as u64, "act");
    let why =
        format!("{acts} came after the end was reached, the first by {by}, so there may be more to come");
    Some((why, vec![when.seq]))
}

/// A live process that has this marker in hand and has done nothing about it, nor come back for more.
fn on<'a>(index: &'a Index, horizon: &Horizon, story: &'a Story) -> Option<(String, &'a ReceiveFact)> {
    let (_, receive) = index
        .messages_of(story)
        .flat_map(|message| message.receives.iter().map(move |receive| (message, receive)))
        .find(|(message, receive)| {
            receive.withheld == Withheld::No
                && is_latest(message, receive)
                && stopped_polling(index, horizon, receive)
                && !acted(story, message, receive)
        })?;
    let why = format!(
        "{} lives, has not polled since it received {} and has not acted on it, so it may still be at work\n\
         hint: give the consumer a longer `bound`, or use --clock real",
        receive.by, story.marker
    );
    Some((why, receive))
}

/// Among those of the same process.
fn is_latest(message: &Message, receive: &ReceiveFact) -> bool {
    let mut own = message.receives.iter().filter(|other| other.by == receive.by);
    own.next_back().is_some_and(|last| last.when.seq == receive.when.seq)
}

fn stopped_polling(index: &Index, horizon: &Horizon, receive: &ReceiveFact) -> bool {
    let Some(process) = index.processes.get(&receive.by) else { return false };
    let lived = process.exited.as_ref().is_none_or(|exit| exit.when.seq > horizon.when.seq);
    lived && (!process.idle.is_empty() || horizon.busy.contains(&receive.by))
}

fn acted(story: &Story, message: &Message, receive: &ReceiveFact) -> bool {
    let deleted = message.deletes.iter().any(|delete| delete.receipt == receive.receipt);
    let mut effects = story.effects.iter();
    deleted
        || !receive.extends.is_empty()
        || effects.any(|effect| effect.by == receive.by && effect.when.seq > receive.when.seq)
}
