//! The ordered story of what broke a claim, in plain words, with times relative to the first send.

use std::collections::BTreeSet;

use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_base::{StackDuration, StackTime};

use super::index::{Exit, Index, Story};
use super::verdict::StoryLine;
use super::words;
use crate::history::{Event, Held, Instance, Kind, Withheld};
use crate::scenario::{Claim, DimensionValue};

/// Of what a fault answered in the stack's place.
const KEPT: &str = ", as it was told; a fault kept it from the stack";

/// A longer story is cut in the middle.
const HEAD: usize = 40;
const TAIL: usize = 19;

/// Jumps below this say nothing that the times of the lines do not.
const WORTH_TELLING: StackDuration = StackDuration::from_secs(1);

/// The story of the marker, or of the alarm when the claim is about one.
pub(crate) fn story(
    index: &Index,
    events: &[&Event],
    marker: Option<&Marker>,
    claim: Option<&Claim>,
) -> Vec<StoryLine> {
    let of_marker = marker.and_then(|marker| index.story(marker)).map(|story| OfMarker::new(index, story));
    let of_alarm = claim.and_then(|claim| OfAlarm::new(index, claim));
    let end = index.run.horizon.as_ref().map_or(u64::MAX, |horizon| horizon.when.seq);
    let told = |event: &Event| match (&of_marker, &of_alarm) {
        (Some(of), _) => of.tell(event, end),
        (None, Some(of)) => of.tell(event).filter(|_| event.seq <= end),
        (None, None) => None,
    };
    let first_send =
        events.iter().find(|event| matches!(event.kind, Kind::Sent { .. })).map(|event| event.at);
    let zero =
        of_marker.as_ref().and_then(|of| of.story.sends.first()).map(|send| send.when.at).or(first_send);
    shortened(with_jumps(events, told, zero))
}

/// The lines, with a line for the time that was jumped over between two of them.
fn with_jumps(
    events: &[&Event],
    told: impl Fn(&Event) -> Option<String>,
    zero: Option<StackTime>,
) -> Vec<StoryLine> {
    let mut lines: Vec<StoryLine> = Vec::new();
    let mut jumped: Option<Jumped> = None;
    for event in events {
        if let Kind::ClockJumped { from, to, .. } = &event.kind {
            let before = jumped.map_or(StackDuration::ZERO, |jumped| jumped.span);
            jumped = Some(Jumped { seq: event.seq, to: *to, span: before + to.since(*from) });
        }
        let Some(text) = told(event) else { continue };
        let zero = zero.unwrap_or(event.at);
        match jumped.take() {
            Some(jump) if jump.span >= WORTH_TELLING && !lines.is_empty() => {
                let text = format!("the clock had jumped {} ahead", words::span(jump.span));
                lines.push(line(jump.seq, jump.to, zero, text));
            }
            _ => {}
        }
        lines.push(line(event.seq, event.at, zero, text));
    }
    lines
}

/// The time jumped over since the last line.
#[derive(Clone, Copy)]
struct Jumped {
    seq: u64,
    to: StackTime,
    span: StackDuration,
}

fn line(seq: u64, at: StackTime, zero: StackTime, text: String) -> StoryLine {
    let since_sent = at.since(zero).as_secs_f64() - zero.since(at).as_secs_f64();
    StoryLine { seq, at, since_sent, text }
}

fn shortened(mut lines: Vec<StoryLine>) -> Vec<StoryLine> {
    if lines.len() <= HEAD + TAIL + 1 {
        return lines;
    }
    let tail = lines.split_off(lines.len() - TAIL);
    let cut = lines.split_off(HEAD);
    if let Some(first) = cut.first() {
        lines.push(StoryLine { text: format!("... {} more events ...", cut.len()), ..first.clone() });
    }
    lines.extend(tail);
    lines
}

struct OfMarker<'a> {
    index: &'a Index,
    story: &'a Story,
    ids: BTreeSet<&'a MessageId>,
    receipts: BTreeSet<&'a ReceiptHandle>,
    holders: BTreeSet<&'a Instance>,
    /// Invocations that had it.
    requests: BTreeSet<&'a str>,
    /// Effects that are tied to it only by what their maker held.
    strays: BTreeSet<u64>,
}

impl<'a> OfMarker<'a> {
    fn new(index: &'a Index, story: &'a Story) -> Self {
        let messages = || index.messages_of(story);
        let receives = || messages().flat_map(|message| &message.receives);
        let held = |key: &Option<usize>| key.is_some_and(|key| index.stories[key].marker == story.marker);
        Self {
            index,
            story,
            ids: messages().map(|message| &message.id).collect(),
            receipts: receives().map(|receive| &receive.receipt).collect(),
            holders: receives().map(|receive| &receive.by).collect(),
            requests: {
                let own = |id: &MessageId| messages().any(|message| message.id == *id);
                let had = index.functions.invocations.iter().filter(|had| had.messages.iter().any(own));
                had.map(|invocation| &*invocation.request_id).collect()
            },
            strays: index
                .strays
                .iter()
                .filter(|stray| stray.held.iter().any(held))
                .map(|stray| stray.fact.when.seq)
                .collect(),
        }
    }

    fn is_mine(&self, marker: Option<&Marker>, id: Option<&MessageId>, receipt: &ReceiptHandle) -> bool {
        marker == Some(&self.story.marker)
            || id.is_some_and(|id| self.ids.contains(id))
            || self.receipts.contains(receipt)
    }

    fn tell(&self, event: &Event, end: u64) -> Option<String> {
        let mine = &self.story.marker;
        match &event.kind {
            Kind::Sent { queue, message_id, marker, copy, .. } if marker == mine => {
                let copy = if *copy > 1 { format!(" again (copy {copy})") } else { String::new() };
                Some(format!("sent to {queue}{copy} as {message_id}"))
            }
            Kind::SendFailed { queue, marker, error, .. } if marker == mine => {
                Some(format!("{queue} refused it: {error}"))
            }
            Kind::Effect { effect, by, marker, replay, .. } if marker.as_ref() == Some(mine) => {
                let replay = if *replay { " (a replay, not counted)" } else { "" };
                Some(format!("{by} made its effect in {effect}{replay}"))
            }
            Kind::Effect { effect, by, .. } if self.strays.contains(&event.seq) => {
                Some(format!("{by} made an effect in {effect} that names no message"))
            }
            _ if event.seq > end => None,
            kind => self
                .tell_traffic(kind)
                .or_else(|| self.tell_function(kind))
                .or_else(|| self.tell_world(event)),
        }
    }

    fn tell_traffic(&self, kind: &Kind) -> Option<String> {
        match kind {
            Kind::Received { by, queue, messages, visibility, withheld, fault, .. } => {
                let held = messages
                    .iter()
                    .find(|held| self.is_mine(held.marker.as_ref(), Some(&held.message_id), &held.receipt))?;
                let told = received(by, queue, held, messages.len(), *visibility, *withheld);
                let by_fault = fault.as_ref().map(|fault| format!("{told}; delivered by the fault {fault}"));
                Some(by_fault.unwrap_or(told))
            }
            Kind::Extended { by, receipt, message_id, marker, visibility, error, undone, .. }
                if self.is_mine(marker.as_ref(), message_id.as_ref(), receipt) =>
            {
                let failed = error.as_ref().map_or_else(String::new, |error| format!(", refused: {error}"));
                let failed = if *undone { KEPT.to_owned() } else { failed };
                Some(match visibility {
                    0 => format!("{by} gave it back at once (visibility 0){failed}"),
                    seconds => format!("{by} hid it for {seconds}s more{failed}"),
                })
            }
            Kind::Deleted { by, queue, receipt, message_id, marker, error, undone, withheld, .. }
                if self.is_mine(marker.as_ref(), message_id.as_ref(), receipt) =>
            {
                let withheld = match withheld {
                    _ if *undone => KEPT,
                    Withheld::Yes => ", and was not told so",
                    Withheld::No => "",
                };
                Some(match error {
                    Some(error) => format!("{by} failed to delete it from {queue}: {error}"),
                    None => format!("{by} deleted it from {queue}{withheld}"),
                })
            }
            Kind::Moved { from, to, message_id, receives } if self.ids.contains(message_id) => {
                let receives = words::counted(u64::from(*receives), "receive");
                Some(format!("moved from {from} to {to} after {receives}"))
            }
            Kind::Redriven { from, to, old_message_id, message_id } if self.ids.contains(old_message_id) => {
                Some(format!("redriven from {from} to {to} as {message_id}"))
            }
            Kind::Purged { queue, message_id } if self.ids.contains(message_id) => {
                Some(format!("purged from {queue}"))
            }
            Kind::Expired { queue, message_id } if self.ids.contains(message_id) => {
                Some(format!("expired in {queue}"))
            }
            _ => None,
        }
    }

    fn tell_function(&self, kind: &Kind) -> Option<String> {
        let has_it = |messages: &[MessageId]| messages.iter().any(|id| self.ids.contains(id));
        match kind {
            Kind::Invoked { function, environment, messages, .. } if has_it(messages) => {
                let batch = words::counted(messages.len() as u64, "message");
                let by = environment.map_or_else(String::new, |number| format!(", environment {number}"));
                Some(format!("{function} was invoked with {batch}{by}"))
            }
            Kind::InvocationEnded { function, request_id, error, .. }
                if self.requests.contains(request_id.as_str()) =>
            {
                Some(match error {
                    Some(error) => format!("{function} failed: {error}"),
                    None => format!("{function} returned"),
                })
            }
            Kind::BatchSettled { returned, why, .. } if has_it(returned) => {
                Some(format!("it was left in the queue: {why}"))
            }
            Kind::BatchSettled { deleted, why, .. } if has_it(deleted) => {
                Some(format!("it was to be deleted: {why}"))
            }
            Kind::Throttled { function, messages, .. } if has_it(messages) => {
                Some(format!("{function} was not invoked with it: no concurrency was free"))
            }
            _ => None,
        }
    }

    fn tell_world(&self, event: &Event) -> Option<String> {
        match &event.kind {
            Kind::FaultFired { fault, by, point, marker, collateral } => {
                let named =
                    marker.as_ref() == Some(&self.story.marker) || collateral.contains(&self.story.marker);
                let point = point.as_ref().map_or_else(String::new, |point| format!(" at {point}"));
                let by = by.as_ref().map_or_else(String::new, |by| format!(" {by}"));
                named.then(|| format!("the fault {fault} hit{by}{point}"))
            }
            Kind::ConsumerExited { by, code, signal, ended_by, left_behind } if self.holders.contains(by) => {
                let when = super::index::When { seq: event.seq, at: event.at, real: event.real };
                let (code, signal, left_behind) = (*code, *signal, *left_behind);
                let exit = Exit { when, code, signal, ended_by: ended_by.clone(), left_behind };
                Some(format!("{by} {}", words::exit(&exit)))
            }
            Kind::ConsumerIdle { by, queue, reason } => {
                let left = self.story.left.iter().any(|left| left.when.seq == event.seq);
                left.then(|| format!("{by} left it in {queue}: {reason}"))
            }
            Kind::ClockOverran { by, marker, reason, .. } if marker.as_ref() == Some(&self.story.marker) => {
                Some(format!("the clock overran {by}: {reason}"))
            }
            Kind::StepStarted { step, .. } if step == "swap" || step == "restart" => {
                Some(format!("havoq began the step {step}"))
            }
            Kind::HorizonReached { complete: true, .. } => Some(self.at_the_end()),
            _ => None,
        }
    }

    fn at_the_end(&self) -> String {
        let ended = super::fate::of(self.index, self.story);
        format!("in the end it is {}: {}", words::fate(ended.fate), ended.why)
    }
}

fn received(
    by: &Instance,
    queue: &str,
    held: &Held,
    batch: usize,
    visibility: u64,
    withheld: Withheld,
) -> String {
    let batch = if batch > 1 { format!(", one of {batch}") } else { String::new() };
    let withheld = if withheld == Withheld::Yes { ", and was not shown it" } else { "" };
    let count = held.receive_count;
    format!("{by} received it from {queue} (receive {count}, hidden for {visibility}s{batch}){withheld}")
}

struct OfAlarm<'a> {
    alarm: &'a str,
    metric: &'a str,
    /// The queue that it watches.
    queue: Option<&'a str>,
}

impl<'a> OfAlarm<'a> {
    fn new(index: &'a Index, claim: &'a Claim) -> Option<Self> {
        let (Claim::Alarm { name: alarm, .. } | Claim::Stays { alarm, .. }) = claim else { return None };
        let defined = index.scenario.stack.alarms.get(alarm);
        let queue = defined.and_then(|alarm| {
            alarm.dimensions.iter().find_map(|(_, value)| match value {
                DimensionValue::QueueNameOf(queue) => Some(queue.as_str()),
                DimensionValue::Literal(_) => None,
            })
        });
        Some(Self { alarm, metric: defined.map_or("", |alarm| &alarm.metric), queue })
    }

    fn tell(&self, event: &Event) -> Option<String> {
        let watched = |queue: &str| self.queue == Some(queue);
        match &event.kind {
            Kind::AlarmChanged { alarm, from, to, reason } if alarm == self.alarm => {
                Some(format!("{alarm} went from {from} to {to}: {reason}"))
            }
            Kind::AlarmAction { alarm, state, target } if alarm == self.alarm => {
                Some(format!("{alarm} told {target} that it is {state}"))
            }
            Kind::Metric { metric, dimension, value, .. } if metric == self.metric && watched(dimension) => {
                Some(format!("{metric} of {dimension} is {value}"))
            }
            Kind::Moved { from, to, message_id, receives } if watched(to) => {
                Some(format!("{message_id} was moved from {from} to {to} after {receives} receives"))
            }
            Kind::Received { by, queue, messages, .. } if watched(queue) => Some(format!(
                "{by} received {} from {queue}",
                words::counted(messages.len() as u64, "message")
            )),
            Kind::Redriven { from, to, old_message_id, .. } if watched(from) => {
                Some(format!("{old_message_id} was redriven from {from} to {to}"))
            }
            _ => None,
        }
    }
}
