//! `redelivered`: each marker of the label came back after injection began, and never sooner than
//! `not_before`. A redelivery is the next receive of the same MessageId from the same queue; the
//! gap counts from the receive, or from its last successful extension. Two copies of a marker are
//! different messages, and a move or a redrive is no redelivery (semantics 1.1, 1.11).

use havoq_base::{StackDuration, StackTime};

use super::Check;
use crate::check::afar;
use crate::check::finding::{Breach, Finding, Outcome, gather};
use crate::check::index::{Message, ReceiveFact, Story};
use crate::check::view::View;
use crate::check::words;
use crate::scenario::Claim;

/// The tap notes a receive a little after the stack has done it, so a gap can be seen shorter than
/// it was. Below this it holds; up to a second, the unit of visibility timeouts, it is not told.
const JITTER: StackDuration = StackDuration::from_millis(250);
const TOO_CLOSE: StackDuration = StackDuration::from_secs(1);

struct Redelivered<'a> {
    of: &'a str,
    not_before: Option<StackDuration>,
    within: Option<StackDuration>,
}

/// Two consecutive receives of one message.
struct Gap<'a> {
    first: &'a ReceiveFact,
    next: &'a ReceiveFact,
    /// From the receive, or its last extension, to the next receive.
    span: StackDuration,
}

pub(super) fn read(claim: &Claim) -> Option<Box<dyn Check + '_>> {
    let Claim::Redelivered { of, not_before, within } = claim else { return None };
    Some(Box::new(Redelivered { of, not_before: *not_before, within: *within }))
}

impl Check for Redelivered<'_> {
    fn kind(&self) -> &'static str {
        "redelivered"
    }

    fn text(&self) -> String {
        let bound = self.not_before.map_or_else(String::new, |span| format!(", not before {span}"));
        format!("each of `{}` is redelivered{bound}{}", self.of, words::within(self.within))
    }

    // A later redelivery can still come too soon.
    fn judged_at_end(&self) -> bool {
        self.not_before.is_some()
    }

    fn look(&self, view: &View<'_>) -> Finding {
        let stories = match view.set(self.of) {
            Ok(stories) => stories,
            Err(why) => return Finding::unclear(why),
        };
        let mut close = Vec::new();
        let outcomes = stories.iter().map(|story| self.marker(view, story, &mut close)).collect();
        let all = format!("all {} of `{}` came back", stories.len(), self.of);
        match gather(outcomes, view.wait(self.within), all) {
            Finding::Holds { .. } if !close.is_empty() => {
                let reason = format!("too close to call: {}", close.join("; "));
                Finding::unclear(reason)
            }
            finding => view.unless_short(self.of, finding),
        }
    }
}

impl Redelivered<'_> {
    fn marker(&self, view: &View<'_>, story: &Story, close: &mut Vec<String>) -> Outcome {
        let messages = view.index.messages_of(story);
        let mut gaps: Vec<Gap<'_>> = messages.flat_map(gaps).collect();
        gaps.retain(|gap| gap.next.when.seq > view.since());
        gaps.sort_by_key(|gap| gap.next.when.seq);
        for gap in &gaps {
            match self.too_soon(gap) {
                Soon::No => {}
                Soon::Close => close.push(self.told(story, gap)),
                Soon::Yes => {
                    let seq = gap.next.when.seq;
                    return Outcome::Broken(breach(
                        story,
                        self.told(story, gap),
                        vec![gap.first.when.seq, seq],
                        seq,
                    ));
                }
            }
        }
        match gaps.first() {
            None => {
                let idle = afar::redeliveries(view.index).or_else(|| view.left_lying(story));
                Outcome::Missing(Breach { idle, ..self.never(view, story) })
            }
            Some(gap) if !view.in_time(gap.next.when, self.within) => {
                let at = words::offset(gap.next.when.at, view.from);
                let reason = format!("{} came back only at {at}, after the deadline", story.marker);
                let idle = view.was_left(story).or_else(|| view.late_as_scaled());
                Outcome::Missing(Breach {
                    idle,
                    ..breach(story, reason, vec![gap.next.when.seq], gap.next.when.seq)
                })
            }
            Some(gap) => Outcome::Held(vec![gap.first.when.seq, gap.next.when.seq]),
        }
    }

    fn too_soon(&self, gap: &Gap<'_>) -> Soon {
        let Some(not_before) = self.not_before.filter(|not_before| gap.span < *not_before) else {
            return Soon::No;
        };
        let short = not_before.saturating_sub(gap.span);
        let tenth = StackDuration::from_micros(not_before.as_micros() / 10);
        // Only a grant that covers the bound makes the measurement the likely culprit.
        let granted = granted(gap.first);
        match short {
            _ if granted < not_before => Soon::Yes,
            short if short <= JITTER.min(tenth) => Soon::No,
            short if short < TOO_CLOSE.min(tenth.times(5)) => Soon::Close,
            _ => Soon::Yes,
        }
    }

    fn told(&self, story: &Story, gap: &Gap<'_>) -> String {
        let bound = self.not_before.unwrap_or_default();
        let after = words::span(gap.span);
        let (first, next) = (&gap.first.by, &gap.next.by);
        format!(
            "{} came back {after} after {first} held it, to {next}; not before {bound} was claimed",
            story.marker
        )
    }

    fn never(&self, view: &View<'_>, story: &Story) -> Breach {
        let receives: Vec<u64> = view
            .index
            .messages_of(story)
            .flat_map(|message| &message.receives)
            .map(|receive| receive.when.seq)
            .collect();
        let count = words::counted(receives.len() as u64, "receive");
        breach(story, format!("{} was never redelivered ({count} in all)", story.marker), receives, 0)
    }
}

enum Soon {
    No,
    Close,
    Yes,
}

/// What the holder was last granted.
fn granted(receive: &ReceiveFact) -> StackDuration {
    let seconds = receive.extends.last().map_or(receive.visibility, |extend| extend.visibility);
    StackDuration::from_secs(1).times(seconds)
}

/// The redeliveries of one message: pairs of receives from one queue with no move between.
fn gaps(message: &Message) -> impl Iterator<Item = Gap<'_>> {
    // What a fault delivers again was not redelivered by the stack.
    let of_stack = || message.receives.iter().filter(|receive| !receive.forged);
    let pairs = of_stack().zip(of_stack().skip(1)).filter(|(first, next)| first.queue == next.queue);
    pairs.map(|(first, next)| Gap { first, next, span: next.when.at.since(held_from(first, next)) })
}

/// The receive, or the last extension that was granted before the next receive.
fn held_from(first: &ReceiveFact, next: &ReceiveFact) -> StackTime {
    let mut extends = first.extends.iter().filter(|extend| extend.when.seq < next.when.seq);
    extends.next_back().map_or(first.when.at, |extend| extend.when.at)
}

fn breach(story: &Story, reason: String, evidence: Vec<u64>, seq: u64) -> Breach {
    Breach { reason, evidence, marker: Some(story.marker.clone()), seq, ..Breach::default() }
}
