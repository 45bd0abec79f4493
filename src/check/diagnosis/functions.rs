//! What goes wrong between a function and its event source mapping.

use super::{Case, Cause};
use crate::check::index::{Index, Message, SettledFact, Story};
use crate::history::InvocationOutcome;

/// The function said that the message failed, and its mapping does not ask.
pub(super) fn report_ignored(case: &Case<'_>) -> Option<Cause> {
    let ignored = case.index.functions.settled.iter().filter(|settled| settled.reason == "report-ignored");
    let own = |settled: &&SettledFact| {
        case.index.messages_of(case.story).any(|message| settled.reported.contains(&message.id))
    };
    let settled = ignored.into_iter().find(own)?;
    let seq = settled.when.seq;
    Some(Cause { note: Some(settled.why.clone()), ..Cause::new("report-ignored", seq, vec![seq]) })
}

/// The message was dead-lettered although no function was ever given it: its receives were used up
/// while no concurrency was free.
pub(super) fn throttled_into_dlq(case: &Case<'_>) -> Option<Cause> {
    let functions = &case.index.functions;
    case.index.messages_of(case.story).find_map(|message| {
        let moved = message.moves.first()?;
        let handed = |messages: &[_]| messages.contains(&message.id);
        if functions.invocations.iter().any(|invocation| handed(&invocation.messages)) {
            return None;
        }
        let throttled = functions.throttled.iter().find(|throttled| handed(&throttled.messages))?;
        let evidence = vec![throttled.when.seq, moved.when.seq];
        Some(Cause::new("throttled-into-dlq", throttled.when.seq, evidence))
    })
}

/// The work was done, and the message came back to the queue with the rest of its batch.
pub(super) fn whole_batch_retry(case: &Case<'_>) -> Option<Cause> {
    let settled = &case.index.functions.settled;
    case.index.messages_of(case.story).find_map(|message| {
        settled.iter().find_map(|settled| {
            let fails = matches!(settled.reason.as_str(), "failed" | "reported" | "report-void");
            if !fails || settled.returned.len() < 2 || !settled.returned.contains(&message.id) {
                return None;
            }
            let invocation = case.index.functions.invocation(settled.request_id.as_deref()?)?;
            let ended = invocation.ended.is_some_and(|(_, outcome)| outcome == InvocationOutcome::Exited);
            let during = invocation.when.seq..settled.when.seq;
            let effect = case.story.effects.iter().find(|effect| during.contains(&effect.when.seq))?;
            let evidence = vec![effect.when.seq, settled.when.seq];
            let cause = Cause::new("whole-batch-retry", settled.when.seq, evidence);
            (!ended).then(|| Cause { note: Some(settled.why.clone()), ..cause })
        })
    })
}

/// The event at which an environment ended by itself with the poison message in its batch.
pub(super) fn crashed_on(index: &Index, story: &Story) -> Option<Cause> {
    story.poison.as_ref()?;
    let mut messages = index.messages_of(story);
    messages.find_map(|message| {
        index.functions.invocations.iter().find_map(|invocation| {
            let (ended, outcome) = invocation.ended?;
            let during = invocation.when.seq..ended.seq;
            let struck = index.faults.iter().flat_map(|fault| &fault.fired).any(|fired| {
                fired.is_signal && fired.by == invocation.by && during.contains(&fired.when.seq)
            });
            let crashed = outcome == InvocationOutcome::Exited && invocation.messages.contains(&message.id);
            let evidence = vec![invocation.when.seq, ended.seq];
            (crashed && !struck).then(|| Cause::new("crashes-on-poison", ended.seq, evidence))
        })
    })
}

/// Whether a mapping gave the message back between these events: the function may not delete it.
pub(super) fn given_back(index: &Index, message: &Message, from: u64, to: u64) -> bool {
    let mut settled = index.functions.settled.iter();
    settled.any(|settled| (from..to).contains(&settled.when.seq) && settled.returned.contains(&message.id))
}
