//! What consumers do with messages that they should refuse.

use super::functions::crashed_on;
use super::{Case, Cause};
use crate::check::index::{EffectFact, Index, Message, Place, Story};
use crate::history::Attribution;
use crate::scenario::Claim;

/// An effect for a poison message. `next-version` messages are valid JSON that a consumer may well
/// understand, so their effect is a mistake only where the claim says so, or where it does not
/// even name its message.
pub(super) fn effect_from_invalid_message(case: &Case<'_>) -> Option<Cause> {
    let poison = case.story.poison.as_deref()?;
    let refused = matches!(case.claim, Some(Claim::NoEffect { .. }));
    let invalid = |fact: &&EffectFact| {
        !fact.replay && (poison != "next-version" || refused || fact.attribution == Attribution::Exclusion)
    };
    let own = case.story.effects.iter().find(invalid).map(|fact| fact.when.seq);
    let mine =
        |key: &Option<usize>| key.is_some_and(|key| case.index.stories[key].marker == case.story.marker);
    let stray = case.index.strays.iter().find(|stray| !stray.held.is_empty() && stray.held.iter().any(mine));
    let seq = own.or(stray.filter(|_| refused).map(|stray| stray.fact.when.seq))?;
    Some(Cause::new("effect-from-invalid-message", seq, vec![seq]))
}

/// The process ended by itself, not cleanly, with a poison message in its last receive. Told of
/// the poison itself, and of any message that lies in a queue since then.
pub(super) fn crashes_on_poison(case: &Case<'_>) -> Option<Cause> {
    let mut told: Vec<&Story> = vec![case.story];
    if case.story.poison.is_none() && is_waiting(case) {
        told = case.index.stories.iter().filter(|story| story.poison.is_some()).collect();
    }
    told.into_iter().find_map(|story| crash(case.index, story).or_else(|| crashed_on(case.index, story)))
}

fn is_waiting(case: &Case<'_>) -> bool {
    case.index.messages_of(case.story).any(|message| matches!(message.place, Place::In(_)))
}

fn crash(index: &Index, story: &Story) -> Option<Cause> {
    story.poison.as_ref()?;
    index
        .messages_of(story)
        .flat_map(|message| message.receives.iter().map(move |receive| (message, receive)))
        .find_map(|(message, receive)| {
            let process = index.processes.get(&receive.by)?;
            let exit = process.exited.as_ref().filter(|exit| exit.ended_by.is_none())?;
            let unclean = exit.signal.is_some() || exit.code.is_some_and(|code| code != 0);
            let in_hand = process.receives.last() == Some(&receive.when.seq)
                && receive.when.seq < exit.when.seq
                && !deleted_by(message, receive.when.seq, exit.when.seq);
            let evidence = vec![receive.when.seq, exit.when.seq];
            (unclean && in_hand).then(|| Cause::new("crashes-on-poison", exit.when.seq, evidence))
        })
}

fn deleted_by(message: &Message, from: u64, to: u64) -> bool {
    message.deletes.iter().any(|delete| delete.took && (from..to).contains(&delete.when.seq))
}
