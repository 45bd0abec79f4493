//! Receives that come too soon, too often or once too few.

use super::deletes::{deletes_of, exited_before, frozen, receive_of};
use super::{Case, Cause};
use crate::check::index::{Message, Place, ReceiveFact};
use crate::history::Withheld;

/// The message came again while its first holder was alive and later acted on it.
pub(super) fn visibility_shorter_than_processing(case: &Case<'_>) -> Option<Cause> {
    case.index.messages_of(case.story).find_map(|message| {
        message.receives.windows(2).find_map(|pair| {
            let [first, next] = pair else { return None };
            // What a fault delivers twice comes inside the visibility timeout, however long that is.
            if next.forged {
                return None;
            }
            let given_back = first.extends.iter().any(|extend| extend.visibility == 0);
            let seen = first.withheld == Withheld::No && !given_back;
            let at_work = !exited_before(case.index, &first.by, next.when.seq)
                && !frozen(case.index, &first.by, first.when.seq, next.when.seq);
            let act = late_act(case, message, first, next.when.seq).filter(|_| seen && at_work)?;
            let evidence = vec![first.when.seq, next.when.seq, act];
            Some(Cause::new("visibility-shorter-than-processing", next.when.seq, evidence))
        })
    })
}

/// An effect or a delete of the first receive, after the next one. Effects of the same process
/// are told apart by its latest receive, deletes by their handle.
fn late_act(case: &Case<'_>, message: &Message, first: &ReceiveFact, next: u64) -> Option<u64> {
    let effects = case.story.effects.iter().filter(|effect| {
        let of = receive_of(case, &effect.by, effect.when.seq);
        of.is_some_and(|(_, receive)| receive.when.seq == first.when.seq)
    });
    let deletes = deletes_of(message, first).map(|delete| delete.when.seq);
    let extends = first.extends.iter().map(|extend| extend.when.seq);
    effects.map(|effect| effect.when.seq).chain(deletes).chain(extends).filter(|seq| *seq > next).min()
}

/// A failure set the visibility to 0, and the message came straight back.
pub(super) fn retry_burn(case: &Case<'_>) -> Option<Cause> {
    case.index.messages_of(case.story).find_map(|message| {
        let burnt = message.receives.windows(2).find_map(|pair| {
            let [first, next] = pair else { return None };
            let zero = first.extends.last().filter(|extend| extend.visibility == 0)?;
            Some((zero.when.seq, next.when.seq))
        });
        let (zero, next) = burnt.filter(|_| !message.deletes.iter().any(|delete| delete.took))?;
        Some(Cause::new("retry-burn", zero, vec![zero, next]))
    })
}

/// A valid message was dead-lettered after its only receive.
pub(super) fn max_receive_count_one(case: &Case<'_>) -> Option<Cause> {
    if case.story.poison.is_some() {
        return None;
    }
    let moved = case.index.messages_of(case.story).flat_map(|message| &message.moves).find(|moved| {
        let policy =
            case.index.scenario.stack.queues.get(&moved.from).and_then(|queue| queue.redrive.as_ref());
        moved.receives == 1 && policy.is_some_and(|policy| policy.max_receive_count == 1)
    })?;
    Some(Cause::new("max-receive-count-one", moved.when.seq, vec![moved.when.seq]))
}

/// The work was done, and every later receive neither deleted the message nor worked on it, until
/// it was dead-lettered. A delete by whoever did the work may have got lost.
pub(super) fn done_and_dead_lettered(case: &Case<'_>) -> Option<Cause> {
    case.index.messages_of(case.story).find_map(|message| {
        let moved = message.moves.first()?;
        let (mut before, after) = (
            case.story.effects.iter().filter(|effect| effect.when.seq < moved.when.seq),
            message.receives.iter().filter(|receive| receive.when.seq < moved.when.seq),
        );
        let effect = before.next()?;
        let mut later = after.filter(|receive| receive.when.seq > effect.when.seq).peekable();
        let refused = later.peek().is_some()
            && before.next().is_none()
            && later.all(|receive| deletes_of(message, receive).next().is_none());
        let evidence = vec![effect.when.seq, moved.when.seq];
        refused.then(|| Cause::new("done-and-dead-lettered", moved.when.seq, evidence))
    })
}

/// The message came again and again in a queue that dead-letters nothing.
pub(super) fn no_dlq(case: &Case<'_>) -> Option<Cause> {
    case.index.messages_of(case.story).find_map(|message| {
        let Place::In(queue) = &message.place else { return None };
        let defined = case.index.scenario.stack.queues.get(queue)?;
        let again =
            message.receives.get(1).filter(|_| defined.redrive.is_none() && message.moves.is_empty())?;
        Some(Cause::new("no-dlq", again.when.seq, vec![again.when.seq]))
    })
}

/// Dead-lettered, redriven, dead-lettered again.
pub(super) fn poison_loop(case: &Case<'_>) -> Option<Cause> {
    let messages = || case.index.messages_of(case.story);
    let (redriven, _) = messages()
        .filter(|message| !message.moves.is_empty())
        .find_map(|message| message.redriven.as_ref())?;
    let again =
        messages().filter(|message| message.from_redrive).flat_map(|message| &message.moves).next()?;
    Some(Cause::new("poison-loop", redriven.seq, vec![redriven.seq, again.when.seq]))
}
