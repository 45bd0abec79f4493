//! `depth`: counts of a queue within bounds. As an expectation it must hold at the horizon, and
//! `within` limits when it first did; in a wait, holding at one instant is enough.

use havoq_base::ids::ReceiptHandle;
use havoq_base::{StackDuration, StackTime};

use super::Check;
use crate::check::finding::{Breach, Finding, Wait};
use crate::check::index::{Counts, Message, When};
use crate::check::view::{Role, View};
use crate::check::words;
use crate::scenario::{Bound, Claim};

struct Depth<'a> {
    queue: &'a str,
    visible: Option<Bound>,
    in_flight: Option<Bound>,
    delayed: Option<Bound>,
    within: Option<StackDuration>,
}

pub(super) fn read(claim: &Claim) -> Option<Box<dyn Check + '_>> {
    let Claim::Depth { queue, visible, in_flight, delayed, within } = claim else { return None };
    let (visible, in_flight, delayed) = (*visible, *in_flight, *delayed);
    Some(Box::new(Depth { queue, visible, in_flight, delayed, within: *within }))
}

impl Check for Depth<'_> {
    fn kind(&self) -> &'static str {
        "depth"
    }

    fn text(&self) -> String {
        let told = self
            .bounds()
            .into_iter()
            .filter_map(|(name, limit, _)| limit.map(|limit| format!("{} {name}", words::bound(limit))));
        let told = told.collect::<Vec<_>>().join(", ");
        format!("{} has {told}{}", self.queue, words::within(self.within))
    }

    fn judged_at_end(&self) -> bool {
        true
    }

    fn look(&self, view: &View<'_>) -> Finding {
        let fits = |counts: Counts| {
            self.bounds()
                .iter()
                .all(|(_, limit, count)| limit.is_none_or(|limit| holds(limit, count(counts))))
        };
        look(view, self.queue, self.within, Reached::Once, &fits)
    }
}

/// What `within` limits for an expectation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// The first instant at which the counts fit: they may come and go with visibility timeouts.
    Once,
    /// The instant from which they fit for good.
    ForGood,
}

type Count = fn(Counts) -> u64;

impl Depth<'_> {
    fn bounds(&self) -> [(&'static str, Option<Bound>, Count); 3] {
        [
            ("visible", self.visible, |counts| counts.visible),
            ("in flight", self.in_flight, |counts| counts.in_flight),
            ("delayed", self.delayed, |counts| counts.delayed),
        ]
    }
}

fn holds(bound: Bound, count: u64) -> bool {
    bound.at_least.is_none_or(|least| count >= least) && bound.at_most.is_none_or(|most| count <= most)
}

/// Looks for the instant at which a queue's counts fit.
pub(super) fn look(
    view: &View<'_>,
    queue: &str,
    within: Option<StackDuration>,
    reached: Reached,
    fits: &dyn Fn(Counts) -> bool,
) -> Finding {
    let Some((last, now)) = view.index.counts(queue) else {
        return Finding::unclear(format!("nobody looked into {queue}"));
    };
    let deadline = view.deadline(within);
    let until = [deadline, view.until].into_iter().flatten().min();
    let ends = view.role == Role::Expect;
    let mut spans: Vec<Span> = instants(view, queue).collect();
    if ends && reached == Reached::ForGood {
        let unfit = spans.iter().rposition(|span| !fits(span.counts));
        spans.drain(..unfit.map_or(0, |last| last + 1));
    }
    let reached = spans.iter().find(|span| {
        span.until >= view.from && until.is_none_or(|until| span.from <= until) && fits(span.counts)
    });
    let told =
        format!("{queue} has {} visible, {} in flight, {} delayed", now.visible, now.in_flight, now.delayed);
    let evidence: Vec<u64> = last.iter().map(|when| when.seq).collect();
    let ended = Wait { deadline: None, ends_with_horizon: true };
    match reached {
        Some(span) if !ends => {
            Finding::holds(format!("{queue} was as claimed"), span.seen.iter().map(|when| when.seq).collect())
        }
        Some(_) if fits(now) => Finding::holds(told, evidence),
        // It was as claimed in time and is not now: only the end tells.
        Some(_) => Finding::Missing(breach(view, queue, told, evidence), ended),
        None => {
            let late = spans.iter().find(|span| span.until >= view.from && fits(span.counts));
            let breach = match late.and_then(|span| span.seen).filter(|_| fits(now)) {
                Some(since) => too_late(view, queue, since),
                None => breach(view, queue, told, evidence),
            };
            Finding::Missing(breach, Wait { deadline, ..ended })
        }
    }
}

/// A time in which a queue's counts stood.
struct Span {
    seen: Option<When>,
    from: StackTime,
    until: StackTime,
    counts: Counts,
}

/// All of them, the open last one included.
fn instants<'a>(view: &'a View<'_>, queue: &str) -> impl Iterator<Item = Span> + 'a {
    let seen = view.index.depths.get(queue).map(Vec::as_slice).unwrap_or_default();
    let end = StackTime::from_micros(u64::MAX);
    let until = seen.first().map_or(end, |(when, _)| when.at);
    let empty = Span { seen: None, from: StackTime::default(), until, counts: Counts::default() };
    let empty = view.index.starts_empty(queue).then_some(empty);
    let spans = seen.iter().enumerate().map(move |(at, (when, counts))| {
        let until = seen.get(at + 1).map_or(end, |(next, _)| next.at);
        Span { seen: Some(*when), from: when.at, until, counts: *counts }
    });
    empty.into_iter().chain(spans)
}

/// Told of the messages that are in the queue.
fn breach(view: &View<'_>, queue: &str, reason: String, evidence: Vec<u64>) -> Breach {
    let stories = view.index.messages_in(queue).filter_map(|message| message.story);
    let mut markers = stories.map(|key| view.index.stories[key].marker.clone());
    let marker = markers.next();
    Breach {
        reason,
        evidence,
        marker,
        also: markers.collect(),
        idle: view.anything_left(),
        ..Breach::default()
    }
}

/// Told of the message that left the queue last.
fn too_late(view: &View<'_>, queue: &str, since: When) -> Breach {
    let at = words::offset(since.at, view.from);
    let left =
        view.index.messages.iter().filter_map(|message| Some((left_at(message, queue)?, message.story?)));
    let story = left.max().map(|(_, key)| &view.index.stories[key]);
    Breach {
        reason: format!("{queue} was as claimed only from {at} on, after the deadline"),
        evidence: vec![since.seq],
        marker: story.map(|story| story.marker.clone()),
        idle: story.and_then(|story| view.was_left(story)).or_else(|| view.late_as_scaled()),
        ..Breach::default()
    }
}

/// The event at which a message was last moved or deleted out of a queue.
fn left_at(message: &Message, queue: &str) -> Option<u64> {
    let from = |receipt: &ReceiptHandle| {
        message.receives.iter().any(|receive| receive.queue == queue && receive.receipt == *receipt)
    };
    let deletes = message.deletes.iter().filter(|delete| delete.took && from(&delete.receipt));
    let moves = message.moves.iter().filter(|moved| moved.from == queue).map(|moved| moved.when.seq);
    deletes.map(|delete| delete.when.seq).chain(moves).max()
}
