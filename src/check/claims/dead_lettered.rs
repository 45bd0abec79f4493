//! `dead_lettered`: every copy of every marker of the label was moved by the stack into the queue,
//! after exactly so many receives, in time. A consumer that copies messages there does not count.
//!
//! Receives are counted twice: by the tap's own events and by the stack. Where the two differ,
//! one of them is wrong and the claim is not judged (semantics 1.10: the attempt that moves a
//! message adds no receive).

use havoq_base::StackDuration;

use super::Check;
use crate::check::afar;
use crate::check::finding::{Breach, Finding, Outcome, gather};
use crate::check::index::{Message, MoveFact, Place, Story};
use crate::check::view::View;
use crate::check::words;
use crate::scenario::Claim;

struct DeadLettered<'a> {
    of: &'a str,
    queue: &'a str,
    receives: Option<u32>,
    within: Option<StackDuration>,
}

pub(super) fn read(claim: &Claim) -> Option<Box<dyn Check + '_>> {
    let Claim::DeadLettered { of, queue, receives, within } = claim else { return None };
    Some(Box::new(DeadLettered { of, queue, receives: *receives, within: *within }))
}

impl Check for DeadLettered<'_> {
    fn kind(&self) -> &'static str {
        "dead_lettered"
    }

    fn text(&self) -> String {
        let receives = self.receives.map_or_else(String::new, |n| {
            format!(" after exactly {}", words::counted(u64::from(n), "receive"))
        });
        format!("`{}` is dead-lettered in {}{receives}{}", self.of, self.queue, words::within(self.within))
    }

    fn judged_at_end(&self) -> bool {
        false
    }

    fn look(&self, view: &View<'_>) -> Finding {
        let stories = match view.set(self.of) {
            Ok(stories) => stories,
            Err(why) => return Finding::unclear(why),
        };
        let outcomes = stories.iter().flat_map(|story| {
            // Redriven messages have been dead-lettered under their earlier id already.
            let originals = view.index.messages_of(story).filter(|message| !message.from_redrive);
            originals.map(|message| self.copy(view, story, message))
        });
        let all = format!("all {} of `{}` were moved into {}", stories.len(), self.of, self.queue);
        view.unless_short(self.of, gather(outcomes.collect(), view.wait(self.within), all))
    }
}

impl DeadLettered<'_> {
    fn copy(&self, view: &View<'_>, story: &Story, message: &Message) -> Outcome {
        let Some(moved) = message.moves.iter().find(|moved| moved.to == self.queue) else {
            return Outcome::Missing(self.absent(view, story, message));
        };
        if let Some(contradiction) = contradiction(story, message, moved) {
            return Outcome::Faulty(contradiction);
        }
        let seq = moved.when.seq;
        let breach = |reason| {
            let marker = Some(story.marker.clone());
            Breach { reason, evidence: evidence(message, moved), marker, seq, ..Breach::default() }
        };
        if let Some(receives) = self.receives.filter(|receives| *receives != moved.receives) {
            let after = words::counted(u64::from(moved.receives), "receive");
            return Outcome::Broken(breach(format!(
                "{} was dead-lettered after {after}, not {receives}",
                story.marker
            )));
        }
        if !view.in_time(moved.when, self.within) {
            let late = words::offset(moved.when.at, view.from);
            let reason = format!("{} was dead-lettered only at {late}, after the deadline", story.marker);
            let seen_late = || afar::seen_late(view.index, message, moved, view.deadline(self.within));
            let idle = view.was_left(story).or_else(|| view.late_as_scaled()).or_else(seen_late);
            return Outcome::Missing(Breach { idle, ..breach(reason) });
        }
        Outcome::Held(evidence(message, moved))
    }

    fn absent(&self, view: &View<'_>, story: &Story, message: &Message) -> Breach {
        let receives = words::counted(message.receives.len() as u64, "receive");
        let place = match &message.place {
            Place::In(queue) if message.moves.iter().any(|moved| moved.to == *queue) => {
                format!("it was dead-lettered in {queue} after {receives}")
            }
            Place::In(queue) => format!("it is in {queue} after {receives}"),
            Place::Deleted => format!("it was deleted after {receives}"),
            Place::Expired => format!("it expired after {receives}"),
            Place::Purged => format!("it was purged after {receives}"),
            Place::Redriven => format!("it was redriven after {receives}"),
        };
        let reason = format!("{} was not moved into {}: {place}", story.marker, self.queue);
        let last = message.deletes.iter().filter(|delete| delete.took).map(|delete| delete.when.seq);
        let evidence = message.receives.iter().map(|receive| receive.when.seq).chain(last).collect();
        let afar = afar::dead_letters(view.index, message, self.queue);
        let (marker, idle) = (Some(story.marker.clone()), afar.or_else(|| view.left_lying(story)));
        Breach { reason, evidence, marker, idle, ..Breach::default() }
    }
}

fn evidence(message: &Message, moved: &MoveFact) -> Vec<u64> {
    let before = message.receives.iter().map(|receive| receive.when.seq).filter(|seq| *seq < moved.when.seq);
    before.chain([moved.when.seq]).collect()
}

/// The stack's count and the tap's must agree on the move and on the last receive before it.
fn contradiction(story: &Story, message: &Message, moved: &MoveFact) -> Option<Breach> {
    let agrees = moved.receives == moved.seen_from || moved.receives == moved.seen;
    let of_stack = message.receives.iter().filter(|receive| !receive.forged);
    let mut before = of_stack.filter(|receive| receive.when.seq < moved.when.seq);
    let shown = before.next_back().map_or(moved.receives, |receive| receive.count);
    if agrees && shown == moved.receives {
        return None;
    }
    let reason = format!(
        "the counts contradict each other: the stack moved {} after {}, the tap saw {} before it and the last one showed {shown}",
        story.marker,
        words::counted(u64::from(moved.receives), "receive"),
        moved.seen_from,
    );
    let evidence = evidence(message, moved);
    Some(Breach {
        reason,
        evidence,
        marker: Some(story.marker.clone()),
        seq: moved.when.seq,
        ..Breach::default()
    })
}
