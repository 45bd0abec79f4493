//! The boundaries that consumers crossed in a clean run, read from its history as the tap counts
//! them: by message, from the injection on.

use std::collections::{BTreeMap, HashMap};

use havoq_base::ids::{Marker, MessageId};
use havoq_base::{StackDuration, StackTime};

use crate::history::{Event, Held, Instance, Kind, Withheld};
use crate::scenario::{Action, Aim, Boundary, CrashAt, CrashPoint, Program, Scenario, Side};

/// A boundary, and what stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    pub aim: Aim,
    /// The effect, at the points of one.
    pub effect: Option<String>,
    /// The most messages that a process had in hand there.
    pub in_hand: usize,
}

/// The boundaries in the events of one attempt, in the order in which they were first crossed.
pub fn boundaries<'a>(scenario: &Scenario, events: impl IntoIterator<Item = &'a Event>) -> Vec<Crossing> {
    let mut walk = Walk::new(scenario);
    // Whoever is told to stop may cross more, and can be killed no more.
    let judged = events.into_iter().take_while(|event| !matches!(event.kind, Kind::HorizonReached { .. }));
    judged.for_each(|event| walk.see(event));
    walk.found.into_iter().map(|(_, crossing)| crossing).collect()
}

/// Whose message is aimed at first: one that is to be handled, then the earliest.
type Rank = (bool, usize);

const EXTEND: &str = "ChangeMessageVisibility";

struct Walk<'a> {
    scenario: &'a Scenario,
    ranks: BTreeMap<&'a str, Rank>,
    markers: HashMap<MessageId, Marker>,
    labels: HashMap<Marker, String>,
    /// How often a message crossed a place of a consumer.
    counts: HashMap<(String, CrashAt, Marker), u32>,
    in_hand: HashMap<Instance, BTreeMap<MessageId, InHand>>,
    now: StackTime,
    found: Vec<(Rank, Crossing)>,
}

/// A message that a process was given and has not deleted.
struct InHand {
    marker: Option<Marker>,
    hidden_until: StackTime,
}

impl<'a> Walk<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        let ranks = scenario.injected_labels().into_iter().map(|(label, at)| {
            let is_poison = matches!(scenario.inject[at].action, Action::Poison(_));
            (label, (is_poison, at))
        });
        Self {
            scenario,
            ranks: ranks.collect(),
            markers: HashMap::new(),
            labels: HashMap::new(),
            counts: HashMap::new(),
            in_hand: HashMap::new(),
            now: StackTime::default(),
            found: Vec::new(),
        }
    }

    fn see(&mut self, event: &Event) {
        self.now = event.at;
        match &event.kind {
            Kind::Sent { message_id, marker, label: Some(label), .. } => {
                self.markers.insert(message_id.clone(), marker.clone());
                self.labels.insert(marker.clone(), label.clone());
            }
            Kind::Redriven { old_message_id, message_id, .. } => {
                if let Some(marker) = self.markers.get(old_message_id).cloned() {
                    self.markers.insert(message_id.clone(), marker);
                }
            }
            Kind::Received { by, messages, visibility, withheld: Withheld::No, .. } => {
                for marker in self.take(by, messages, StackDuration::from_secs(*visibility)) {
                    self.cross(by, marker, CrashAt::Point(CrashPoint::AfterReceive), None);
                }
            }
            Kind::Effect { by, marker, effect, .. } => {
                for point in [CrashPoint::BeforeEffect, CrashPoint::AfterEffect] {
                    self.cross(by, marker.clone(), CrashAt::Point(point), Some(effect));
                }
            }
            Kind::Deleted { by, message_id, marker, .. } => {
                let marker = marker.clone().or_else(|| self.marker_of(message_id.as_ref()));
                for point in [CrashPoint::BeforeDelete, CrashPoint::AfterDelete] {
                    self.cross(by, marker.clone(), CrashAt::Point(point), None);
                }
                if let (Some(hand), Some(message)) = (self.in_hand.get_mut(by), message_id) {
                    hand.remove(message);
                }
            }
            Kind::Extended { by, message_id, marker, visibility, .. } => {
                let hand = self.in_hand.get_mut(by).zip(message_id.as_ref());
                if let Some(held) = hand.and_then(|(hand, message)| hand.get_mut(message)) {
                    held.hidden_until = event.at + StackDuration::from_secs(*visibility);
                }
                let marker = marker.clone().or_else(|| self.marker_of(message_id.as_ref()));
                self.cross_call(by, &marker, EXTEND, &[Side::Before, Side::After]);
            }
            // Which of the messages in hand it is about cannot be told.
            Kind::Called { by, operation, status, .. } if !is_told_elsewhere(operation) => {
                let held: Vec<_> = self.held_by(by).map(|held| held.marker.clone()).collect();
                // A fault that cut it off left no answer to cross a point with.
                let sides: &[Side] =
                    if *status == 0 { &[Side::Before] } else { &[Side::Before, Side::After] };
                for marker in held {
                    self.cross_call(by, &marker, operation, sides);
                }
            }
            _ => {}
        }
    }

    /// Puts the messages into the hand of a process. Their markers.
    fn take(&mut self, by: &Instance, messages: &[Held], visibility: StackDuration) -> Vec<Option<Marker>> {
        let hidden_until = self.now + visibility;
        let marker = |held: &Held| held.marker.clone().or_else(|| self.marker_of(Some(&held.message_id)));
        let markers: Vec<Option<Marker>> = messages.iter().map(marker).collect();
        let hand = self.in_hand.entry(by.clone()).or_default();
        for (held, marker) in messages.iter().zip(&markers) {
            hand.insert(held.message_id.clone(), InHand { marker: marker.clone(), hidden_until });
        }
        markers
    }

    fn held_by(&self, by: &Instance) -> impl Iterator<Item = &InHand> {
        let held = self.in_hand.get(by).into_iter().flat_map(|hand| hand.values());
        held.filter(|held| held.hidden_until > self.now)
    }

    fn marker_of(&self, message: Option<&MessageId>) -> Option<Marker> {
        self.markers.get(message?).cloned()
    }

    /// Which crossing it is of this message, where the message is one of those injected.
    fn count(&mut self, by: &Instance, marker: Option<Marker>, at: CrashAt) -> Option<(String, Rank, u32)> {
        let marker = marker?;
        let label = self.labels.get(&marker)?.clone();
        let rank = *self.ranks.get(label.as_str())?;
        // The poller of a function is Lambda's, and is not killed.
        let is_poll = match &at {
            CrashAt::Point(point) => !point.is_of_effect(),
            CrashAt::Call { operation, .. } => operation == EXTEND,
        };
        if is_poll && self.is_function(&by.consumer) {
            return None;
        }
        let count = self.counts.entry((by.consumer.clone(), at, marker)).or_default();
        *count += 1;
        Some((label, rank, *count))
    }

    fn cross(&mut self, by: &Instance, marker: Option<Marker>, at: CrashAt, effect: Option<&String>) {
        let Some((of, rank, nth)) = self.count(by, marker, at.clone()) else { return };
        let boundary = Boundary { consumer: by.consumer.clone(), at, nth };
        let in_hand = self.held_by(by).count();
        let crossing = Crossing { aim: Aim { boundary, of }, effect: effect.cloned(), in_hand };
        let known = self.found.iter_mut().find(|(_, known)| known.aim.boundary == crossing.aim.boundary);
        match known {
            Some(known) if rank < known.0 => *known = (rank, crossing),
            Some((best, known)) if rank == *best => known.in_hand = known.in_hand.max(in_hand),
            Some(_) => {}
            None => self.found.push((rank, crossing)),
        }
    }

    fn cross_call(&mut self, by: &Instance, marker: &Option<Marker>, operation: &str, sides: &[Side]) {
        for side in sides {
            let at = CrashAt::Call { operation: operation.to_owned(), side: *side };
            self.cross(by, marker.clone(), at, None);
        }
    }

    fn is_function(&self, consumer: &str) -> bool {
        let consumer = self.scenario.consumers.get(consumer);
        consumer.is_some_and(|consumer| matches!(consumer.runs, Program::Lambda(_)))
    }
}

/// Calls about messages have events of their own; where they fail they are told twice.
fn is_told_elsewhere(operation: &str) -> bool {
    ["ReceiveMessage", "DeleteMessage", EXTEND].iter().any(|about| operation.starts_with(about))
}
