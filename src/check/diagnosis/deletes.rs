//! Deletes that come too early, without the work, in vain or not at all.

use super::functions::given_back;
use super::{Case, Cause};
use crate::check::fate::died_with_it_open;
use crate::check::index::{DeleteFact, EffectFact, Index, Message, ReceiveFact};
use crate::history::{Instance, Withheld};
use crate::scenario::Claim;

/// The delete stands before the effect of the same receive; or it was followed by the death of its
/// process and no effect ever came.
pub(super) fn deleted_before_effect(case: &Case<'_>) -> Option<Cause> {
    let late = case.story.effects.iter().filter_map(|effect| {
        let (message, receive) = receive_of(case, &effect.by, effect.when.seq)?;
        let mut early = deletes_of(message, receive).filter(|delete| delete.error.is_none());
        let delete = early.find(|delete| (receive.when.seq..effect.when.seq).contains(&delete.when.seq))?;
        let worked = case
            .story
            .effects
            .iter()
            .any(|other| between(other, &receive.by, receive.when.seq, delete.when.seq));
        let evidence = vec![delete.when.seq, effect.when.seq];
        (!worked).then(|| Cause::new("deleted-before-effect", delete.when.seq, evidence))
    });
    let never = || {
        let unworked = case.story.effects.is_empty();
        let mut deletes = took(case).filter(|_| unworked);
        deletes.find_map(|delete| {
            let exit = died_with_it_open(case.index, case.story, delete)?;
            Some(Cause::new("deleted-before-effect", delete.when.seq, vec![delete.when.seq, exit.when.seq]))
        })
    };
    late.min_by_key(|cause| cause.seq).or_else(never)
}

/// A holder died before the effect, and the next receive was deleted without one.
pub(super) fn marked_before_effect(case: &Case<'_>) -> Option<Cause> {
    if !case.story.effects.is_empty() {
        return None;
    }
    let delete = took(case).next()?;
    let messages = case.index.messages_of(case.story);
    messages
        .flat_map(|message| &message.receives)
        .filter(|receive| receive.withheld == Withheld::No)
        .find_map(|receive| {
            let exit = case.index.processes.get(&receive.by)?.exited.as_ref()?;
            let died = receive.when.seq < exit.when.seq && exit.when.seq < delete.when.seq;
            let evidence = vec![receive.when.seq, exit.when.seq, delete.when.seq];
            (died && delete.by != receive.by)
                .then(|| Cause::new("marked-before-effect", exit.when.seq, evidence))
        })
}

/// A message that is to be refused was deleted without an effect by a process that lived on.
pub(super) fn swallowed_error(case: &Case<'_>) -> Option<Cause> {
    let unworked = case.story.effects.is_empty() && !case.index.scenario.effects.is_empty();
    if !unworked || !is_to_be_refused(case) {
        return None;
    }
    let delete = took(case).find(|delete| died_with_it_open(case.index, case.story, delete).is_none())?;
    Some(Cause::new("swallowed-error", delete.when.seq, vec![delete.when.seq]))
}

/// A poison message, or one that the scenario wants to see in a dead-letter queue.
fn is_to_be_refused(case: &Case<'_>) -> bool {
    let is_own = |of: &str| case.story.label.as_deref() == Some(of);
    let mut claims = case.index.scenario.expect.iter().map(|expectation| &expectation.claim);
    case.story.poison.is_some()
        || claims.any(|claim| matches!(claim, Claim::DeadLettered { of, .. } if is_own(of)))
}

/// Every attempt to delete the message was refused for want of a permission.
pub(super) fn cannot_delete(case: &Case<'_>) -> Option<Cause> {
    let is_denied = |delete: &DeleteFact| {
        let code = delete.error.as_deref().unwrap_or_default();
        code.starts_with("AccessDenied") || code.starts_with("AuthorizationError")
    };
    case.index.messages_of(case.story).find_map(|message| {
        let first = message.deletes.first().filter(|_| message.deletes.iter().all(is_denied))?;
        Some(Cause::new("cannot-delete", first.when.seq, vec![first.when.seq]))
    })
}

/// A delete was refused, and its process did not succeed with it later.
pub(super) fn delete_failure_ignored(case: &Case<'_>) -> Option<Cause> {
    case.index.messages_of(case.story).find_map(|message| {
        let failed = message.deletes.iter().find(|delete| {
            let mended = |later: &&DeleteFact| {
                later.by == delete.by && later.receipt == delete.receipt && later.error.is_none()
            };
            delete.error.is_some() && !message.deletes.iter().any(|later| mended(&later))
        })?;
        Some(Cause::new("delete-failure-ignored", failed.when.seq, vec![failed.when.seq]))
    })
}

/// A process made the effect, lived on until the message came again or was moved, and never tried
/// to delete it.
pub(super) fn never_deleted(case: &Case<'_>) -> Option<Cause> {
    case.story.effects.iter().find_map(|effect| {
        let (message, receive) = receive_of(case, &effect.by, effect.when.seq)?;
        if deletes_of(message, receive).next().is_some() {
            return None;
        }
        let again = message.receives.iter().map(|later| later.when.seq);
        let moved = message.moves.iter().map(|moved| moved.when.seq);
        let next = again.chain(moved).filter(|seq| *seq > effect.when.seq).min()?;
        let lived = !exited_before(case.index, &effect.by, next)
            && !frozen(case.index, &effect.by, receive.when.seq, next)
            && !given_back(case.index, message, effect.when.seq, next);
        lived.then(|| Cause::new("never-deleted", next, vec![effect.when.seq, next]))
    })
}

/// The receive that an act of this process belongs to: its latest of this marker.
pub(super) fn receive_of<'a>(
    case: &Case<'a>,
    by: &Instance,
    seq: u64,
) -> Option<(&'a Message, &'a ReceiveFact)> {
    let messages = case.index.messages_of(case.story);
    let receives =
        messages.flat_map(|message| message.receives.iter().map(move |receive| (message, receive)));
    receives
        .filter(|(_, receive)| receive.by == *by && receive.when.seq < seq)
        .max_by_key(|(_, receive)| receive.when.seq)
}

/// Attempts to delete with this receive's handle.
pub(super) fn deletes_of<'a>(
    message: &'a Message,
    receive: &'a ReceiveFact,
) -> impl Iterator<Item = &'a DeleteFact> {
    message.deletes.iter().filter(|delete| delete.receipt == receive.receipt)
}

pub(super) fn exited_before(index: &Index, by: &Instance, seq: u64) -> bool {
    let exited = index.processes.get(by).and_then(|process| process.exited.as_ref());
    exited.is_some_and(|exit| exit.when.seq < seq)
}

/// Whether a signal held this process in between.
pub(super) fn frozen(index: &Index, by: &Instance, from: u64, to: u64) -> bool {
    let mut fired = index.faults.iter().flat_map(|fault| &fault.fired);
    fired
        .any(|fired| fired.is_signal && fired.by.as_ref() == Some(by) && (from..to).contains(&fired.when.seq))
}

fn took<'a>(case: &Case<'a>) -> impl Iterator<Item = &'a DeleteFact> {
    case.index.messages_of(case.story).flat_map(|message| &message.deletes).filter(|delete| delete.took)
}

fn between(effect: &EffectFact, by: &Instance, from: u64, to: u64) -> bool {
    effect.by == *by && (from..to).contains(&effect.when.seq)
}
