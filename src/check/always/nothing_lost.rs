//! `nothing_lost`: no marker was acknowledged and is nowhere. What is still queued or in flight at
//! the end is never lost. What expired unprocessed is: nobody will ever do its work. A poison
//! message is meant to have none, so that it may expire once it was dead-lettered.

use super::{Always, stray_effects};
use crate::check::afar;
use crate::check::fate::Ended;
use crate::check::finding::{Breach, Finding, Outcome, Wait, gather};
use crate::check::index::Index;
use crate::check::verdict::Fate;
use crate::check::words;

pub(super) const CLAIM: Always = Always { name: "nothing_lost", text: "no message is lost", look };

fn look(index: &Index, fates: &[Ended]) -> Option<Finding> {
    if fates.is_empty() {
        return Some(Finding::unclear("no message was sent, so none could be lost"));
    }
    let gone = |ended: &&Ended| ended.fate == Fate::Lost || expired_unprocessed(index, ended);
    let lost: Vec<&Ended> = fates.iter().filter(gone).collect();
    let strays = stray_effects(index);
    if let Some(first) = lost.first().filter(|_| !strays.is_empty() && strays.len() >= lost.len()) {
        let reason = format!(
            "{} has no effect, but {} could not be tied to a message",
            first.marker,
            words::counted(strays.len() as u64, "effect")
        );
        return Some(Finding::Unclear { reason, evidence: strays });
    }
    // Where discards are allowed, a delete before a death may have been one.
    let allowed = index.scenario.allow_discarded;
    let sure =
        lost.iter().filter(|ended| !(allowed && ended.by_death)).map(|ended| Outcome::Broken(breach(ended)));
    let sure: Vec<Outcome> = sure.collect();
    if let (true, Some(first)) = (sure.is_empty(), lost.first()) {
        let reason = format!(
            "{} may be lost or may have been discarded, which is allowed: {}",
            first.marker, first.why
        );
        return Some(Finding::Unclear { reason, evidence: first.evidence.clone() });
    }
    // That a message is nowhere to be seen is no loss where not all can be seen.
    let ended = lost.iter().any(|ended| ended.by_death || ended.fate == Fate::Expired);
    if let (Some(why), Some(first), false) = (afar::lost(index), lost.first(), ended) {
        let reason = format!("{} may be lost: {}, but {why}", first.marker, first.why);
        return Some(Finding::Unclear { reason, evidence: first.evidence.clone() });
    }
    let finding = gather(sure, Wait { deadline: None, ends_with_horizon: true }, told(fates));
    let why = unexplained(index).or_else(|| purged(index, fates));
    Some(match (finding, why) {
        (Finding::Holds { .. }, Some(why)) => Finding::unclear(why),
        (finding, _) => finding,
    })
}

/// Whether the marker's retention ran out before anybody had done its work.
fn expired_unprocessed(index: &Index, ended: &Ended) -> bool {
    let story = index.story(&ended.marker).filter(|_| ended.fate == Fate::Expired);
    story.is_some_and(|story| {
        let messages = || index.messages_of(story);
        let worked = if index.scenario.effects.is_empty() {
            messages().flat_map(|message| &message.deletes).any(|delete| delete.took)
        } else {
            !story.effects.is_empty()
        };
        let refused = story.poison.is_some() && messages().any(|message| !message.moves.is_empty());
        !worked && !refused
    })
}

fn breach(ended: &Ended) -> Breach {
    let how = if ended.fate == Fate::Expired { "expired unprocessed" } else { "is lost" };
    Breach {
        reason: format!("{} {how}: {}", ended.marker, ended.why),
        evidence: ended.evidence.clone(),
        marker: Some(ended.marker.clone()),
        seq: ended.evidence.first().copied().unwrap_or(0),
        ..Breach::default()
    }
}

/// A queue that holds fewer messages than the history places there: some are gone, and which
/// cannot be told.
fn unexplained(index: &Index) -> Option<String> {
    index.depths.iter().find_map(|(queue, seen)| {
        let total = seen.last().map_or(0, |(_, counts)| counts.total());
        let held = index.held_in(queue) as u64;
        (total > 0 && total < held).then(|| {
            format!("the history places {} in {queue}, its depth is {total}", words::counted(held, "message"))
        })
    })
}

/// Purged before any effect: whoever purged may have known what it did.
fn purged(index: &Index, fates: &[Ended]) -> Option<String> {
    let unworked = |ended: &&Ended| {
        let story = index.story(&ended.marker);
        ended.fate == Fate::Purged && story.is_some_and(|story| story.effects.is_empty())
    };
    let first = fates.iter().find(unworked)?;
    Some(format!("{} was purged before it had any effect", first.marker))
}

fn told(fates: &[Ended]) -> String {
    let mut counts = std::collections::BTreeMap::new();
    for ended in fates {
        *counts.entry(ended.fate).or_insert(0_u64) += 1;
    }
    let told = counts.iter().map(|(fate, count)| format!("{count} {}", words::fate(*fate)));
    told.collect::<Vec<_>>().join(", ")
}
