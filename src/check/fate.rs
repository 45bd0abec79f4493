//! What finally became of each marker (design section 4).
//!
//! A copy ends where its last message id is; redriven ids supersede the ones before them. A marker
//! with several copies takes the first of these that one of its copies has: in flight, still
//! queued, delayed, dead-lettered (some copy of it can still be handled), lost, discarded, purged,
//! expired, processed. So a message that was finished and dead-lettered all the same is dead-lettered, and
//! one that an idempotent consumer deleted twice for one effect is processed.
//!
//! Deleted with an effect, replays included, is processed; so is deleted where the scenario
//! declares no effects. Deleted without one is discarded, or lost when its holder died with it
//! open: acknowledged, and the work gone with the process.

use havoq_base::StackTime;
use havoq_base::ids::Marker;

use super::index::{DeleteFact, Exit, Index, Message, Place, Story};
use super::verdict::Fate;
use crate::history::Instance;
use crate::scenario::Program;

/// A marker's fate and what shows it.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    pub(crate) marker: Marker,
    pub(crate) fate: Fate,
    pub(crate) why: String,
    pub(crate) evidence: Vec<u64>,
    /// For lost ones: it rests on what its dead holder would still have done.
    pub(crate) by_death: bool,
}

/// The fates of all markers, in the order of their first send.
pub(crate) fn all(index: &Index) -> Vec<Ended> {
    index.stories.iter().map(|story| of(index, story)).collect()
}

pub(crate) fn of(index: &Index, story: &Story) -> Ended {
    let copies = index.messages_of(story).filter(|message| message.redriven.is_none());
    let ends = copies.map(|message| copy(index, story, message));
    ends.min_by_key(|ended| rank(ended.fate)).unwrap_or_else(|| Ended {
        marker: story.marker.clone(),
        fate: Fate::Rejected,
        why: "no send of it was accepted".to_owned(),
        evidence: story.refused.iter().map(|when| when.seq).collect(),
        by_death: false,
    })
}

const fn rank(fate: Fate) -> u8 {
    match fate {
        Fate::InFlight => 0,
        Fate::StillQueued => 1,
        Fate::Delayed => 2,
        Fate::DeadLettered => 3,
        Fate::Lost => 4,
        Fate::Discarded => 5,
        Fate::Purged => 6,
        Fate::Expired => 7,
        Fate::Processed => 8,
        Fate::Rejected => 9,
    }
}

fn copy(index: &Index, story: &Story, message: &Message) -> Ended {
    let ended = |fate, why: String, evidence| Ended {
        marker: story.marker.clone(),
        fate,
        why,
        evidence,
        by_death: false,
    };
    match &message.place {
        Place::In(queue) if is_nowhere(index, queue) => vanished(index, story, message, queue),
        Place::In(queue) => {
            ended(waiting(message, queue, index.now()), format!("it is in {queue}"), Vec::new())
        }
        Place::Purged => ended(Fate::Purged, "its queue was purged".to_owned(), Vec::new()),
        Place::Expired => ended(Fate::Expired, "its retention ran out".to_owned(), Vec::new()),
        // A redriven id is superseded; one here has lost its successor and is still known as queued.
        Place::Redriven => ended(Fate::StillQueued, "it was redriven".to_owned(), Vec::new()),
        Place::Deleted => deleted(index, story, message),
    }
}

fn waiting(message: &Message, queue: &str, now: StackTime) -> Fate {
    let hidden = message.receives.last().is_some_and(|last| last.queue == queue && last.hidden_until > now);
    let dead = message.moves.last().is_some_and(|moved| moved.to == queue);
    match (hidden, dead) {
        (true, _) => Fate::InFlight,
        (false, true) => Fate::DeadLettered,
        (false, false) if message.available > now => Fate::Delayed,
        (false, false) => Fate::StillQueued,
    }
}

/// The history places messages in this queue, and the stack says that it is empty.
pub(crate) fn is_nowhere(index: &Index, queue: &str) -> bool {
    let seen = index.depths.get(queue).and_then(|seen| seen.last());
    seen.is_some_and(|(_, counts)| counts.total() == 0)
}

fn vanished(index: &Index, story: &Story, message: &Message, queue: &str) -> Ended {
    let seen = index.depths.get(queue).and_then(|seen| seen.last()).map(|(when, _)| when.seq);
    let last = message.receives.last().map(|receive| receive.when.seq);
    let fate = if worked(index, story) { Fate::Processed } else { Fate::Lost };
    Ended {
        marker: story.marker.clone(),
        fate,
        why: format!("it was accepted and never deleted, moved or expired, yet {queue} is empty"),
        evidence: last.into_iter().chain(seen).collect(),
        by_death: false,
    }
}

fn worked(index: &Index, story: &Story) -> bool {
    index.scenario.effects.is_empty() || !story.effects.is_empty()
}

fn deleted(index: &Index, story: &Story, message: &Message) -> Ended {
    let Some(delete) = message.deletes.iter().rev().find(|delete| delete.took) else {
        return Ended {
            marker: story.marker.clone(),
            fate: Fate::Discarded,
            why: "it was deleted".to_owned(),
            evidence: Vec::new(),
            by_death: false,
        };
    };
    let (by, seq) = (&delete.by, delete.when.seq);
    let (fate, why, evidence, by_death) = if worked(index, story) {
        (Fate::Processed, format!("{by} deleted it"), vec![seq], false)
    } else if let Some(exit) = died_with_it_open(index, story, delete) {
        let how = super::words::exit(exit);
        let why = format!("{by} deleted it before any effect and then {how}");
        (Fate::Lost, why, vec![seq, exit.when.seq], true)
    } else {
        (Fate::Discarded, format!("{by} deleted it without an effect"), vec![seq], false)
    };
    Ended { marker: story.marker.clone(), fate, why, evidence, by_death }
}

/// The exit of the deleting process, when the message was still open for it: named by the fault
/// that ended it, or within the processing bound of the delete. For one that takes messages one at
/// a time a later receive means that it had done with this one (design section 6).
pub(crate) fn died_with_it_open<'a>(
    index: &'a Index,
    story: &Story,
    delete: &DeleteFact,
) -> Option<&'a Exit> {
    let process = index.processes.get(&delete.by)?;
    // The delete may be noted after the death: a call that was on its way is let through.
    let exit = process.exited.as_ref()?;
    if matches!(exit.ended_by.as_deref(), Some("swap" | "end of run")) {
        return None;
    }
    let killer = index.faults.iter().filter(|fault| exit.ended_by.as_ref() == Some(&fault.id));
    let mut hits =
        killer.flat_map(|fault| &fault.fired).filter(|fired| fired.by.as_ref() == Some(&delete.by));
    if hits
        .any(|fired| fired.marker.as_ref() == Some(&story.marker) || fired.collateral.contains(&story.marker))
    {
        return Some(exit);
    }
    let moved_on = takes_one_at_a_time(index, &delete.by)
        && process.receives.iter().any(|seq| (delete.when.seq..exit.when.seq).contains(seq));
    let open = exit.when.real.since(delete.when.real) <= index.bound(&delete.by.consumer);
    (open && !moved_on).then_some(exit)
}

/// Declared, or the reference worker, unless its bug is to work on after the delete.
fn takes_one_at_a_time(index: &Index, by: &Instance) -> bool {
    let bug = index.processes.get(by).and_then(|process| process.bug.as_deref());
    let consumer = index.scenario.consumers.get(&by.consumer);
    consumer.is_some_and(|consumer| {
        consumer.sequential || (matches!(consumer.runs, Program::Worker(_)) && bug != Some("late-effect"))
    })
}
