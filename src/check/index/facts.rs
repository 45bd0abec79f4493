//! What the index keeps of each event: small records that checkers can walk without the history.

use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_base::{RealTime, StackTime};

use crate::history::{Attribution, Instance, Phase, Withheld};

/// Position of a message in the index.
pub(crate) type MessageKey = usize;
/// Position of a marker's story in the index.
pub(crate) type StoryKey = usize;

/// When something happened: its place in the history and both times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct When {
    pub(crate) seq: u64,
    pub(crate) at: StackTime,
    pub(crate) real: RealTime,
}

/// All that is known of one marker.
#[derive(Debug)]
pub(crate) struct Story {
    pub(crate) marker: Marker,
    pub(crate) label: Option<String>,
    pub(crate) poison: Option<String>,
    pub(crate) sends: Vec<SendFact>,
    pub(crate) refused: Vec<When>,
    /// Every message id that carried it, redriven ones included, in order of appearance.
    pub(crate) messages: Vec<MessageKey>,
    /// Replays included.
    pub(crate) effects: Vec<EffectFact>,
    /// Times at which a live consumer left one of its deliverable messages where it was.
    pub(crate) left: Vec<LeftFact>,
}

#[derive(Debug)]
pub(crate) struct SendFact {
    pub(crate) when: When,
}

#[derive(Clone, Debug)]
pub(crate) struct EffectFact {
    pub(crate) when: When,
    pub(crate) effect: String,
    pub(crate) by: Instance,
    pub(crate) attribution: Attribution,
    pub(crate) replay: bool,
}

#[derive(Debug)]
pub(crate) struct LeftFact {
    pub(crate) when: When,
    pub(crate) by: Instance,
    pub(crate) queue: String,
}

/// An effect that could not be tied to a marker.
#[derive(Debug)]
pub(crate) struct StrayEffect {
    pub(crate) fact: EffectFact,
    pub(crate) key: Option<String>,
    /// What its maker held at that moment; `None` stands for a message without a marker.
    pub(crate) held: Vec<Option<StoryKey>>,
}

/// One stored message, from its send (or redrive) to where it ended.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) id: MessageId,
    pub(crate) story: Option<StoryKey>,
    pub(crate) place: Place,
    /// Before this it is delayed.
    pub(crate) available: StackTime,
    pub(crate) receives: Vec<ReceiveFact>,
    pub(crate) deletes: Vec<DeleteFact>,
    pub(crate) moves: Vec<MoveFact>,
    /// When a move task took it, and the message that it became.
    pub(crate) redriven: Option<(When, MessageKey)>,
    /// Whether it is itself the outcome of a move task.
    pub(crate) from_redrive: bool,
}

/// Where a message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    In(String),
    Deleted,
    Redriven,
    Expired,
    Purged,
}

#[derive(Debug)]
pub(crate) struct ReceiveFact {
    pub(crate) when: When,
    pub(crate) by: Instance,
    pub(crate) queue: String,
    pub(crate) receipt: ReceiptHandle,
    /// As the stack counted it.
    pub(crate) count: u32,
    /// Seconds granted.
    pub(crate) visibility: u64,
    pub(crate) withheld: Withheld,
    /// A fault delivered it, not the stack.
    pub(crate) forged: bool,
    pub(crate) extends: Vec<ExtendFact>,
    pub(crate) hidden_until: StackTime,
    /// When its holder last acted on it, the receive itself included.
    pub(crate) acted: RealTime,
}

/// A message whose holder lived when the clock jumped past it, its bound being over.
#[derive(Debug)]
pub(crate) struct ClosedFact {
    pub(crate) when: When,
    pub(crate) by: Instance,
    pub(crate) message: MessageKey,
}

/// A successful ChangeMessageVisibility.
#[derive(Debug)]
pub(crate) struct ExtendFact {
    pub(crate) when: When,
    pub(crate) visibility: u64,
}

#[derive(Debug)]
pub(crate) struct DeleteFact {
    pub(crate) when: When,
    pub(crate) by: Instance,
    pub(crate) receipt: ReceiptHandle,
    pub(crate) error: Option<String>,
    /// A fault kept it from the stack.
    pub(crate) undone: bool,
    /// Whether it removed the message, as far as the history tells.
    pub(crate) took: bool,
}

#[derive(Debug)]
pub(crate) struct MoveFact {
    pub(crate) when: When,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) receives: u32,
    /// Receives from `from` that the tap saw before the move, and those from all queues.
    pub(crate) seen_from: u32,
    pub(crate) seen: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Process {
    pub(crate) started: Option<When>,
    /// The bug of a reference worker.
    pub(crate) bug: Option<String>,
    pub(crate) exited: Option<Exit>,
    /// When what it was to show before the steps was seen.
    pub(crate) ready: Option<When>,
    /// When it had not shown it in time, and why not.
    pub(crate) unready: Option<(When, String)>,
    /// What it received and has neither deleted nor lost to a move, a redrive or another receiver.
    pub(crate) held: std::collections::BTreeSet<MessageKey>,
    /// Whether its wall clock goes with the stack's, once it has polled.
    pub(crate) follows: Option<bool>,
    /// Queues that it does not poll although there is something to take.
    pub(crate) idle: std::collections::BTreeSet<String>,
    /// It was found idle and polled after all: more patience would have been right.
    pub(crate) came_back: bool,
    /// The events of all its receives.
    pub(crate) receives: Vec<u64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Exit {
    pub(crate) when: When,
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) ended_by: Option<String>,
    pub(crate) left_behind: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Fault {
    pub(crate) id: String,
    pub(crate) armed: Option<When>,
    pub(crate) description: String,
    pub(crate) fired: Vec<Fired>,
    /// When it ended, whether it said that it had fired, and why.
    pub(crate) ended: Option<(When, bool, Option<String>)>,
}

#[derive(Debug)]
pub(crate) struct Fired {
    pub(crate) when: When,
    pub(crate) by: Option<Instance>,
    pub(crate) marker: Option<Marker>,
    pub(crate) collateral: Vec<Marker>,
    /// A signal to the process, and not a fault of one of its calls.
    pub(crate) is_signal: bool,
}

#[derive(Debug, Default)]
pub(crate) struct AlarmFacts {
    pub(crate) changes: Vec<Change>,
    pub(crate) actions: Vec<ActionFact>,
}

#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) when: When,
    pub(crate) from: String,
    pub(crate) to: String,
}

#[derive(Debug)]
pub(crate) struct ActionFact {
    pub(crate) when: When,
    pub(crate) state: String,
    pub(crate) target: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) visible: u64,
    pub(crate) in_flight: u64,
    pub(crate) delayed: u64,
}

impl Counts {
    pub(crate) fn total(self) -> u64 {
        self.visible.saturating_add(self.in_flight).saturating_add(self.delayed)
    }
}

#[derive(Debug)]
pub(crate) struct StepFact {
    pub(crate) phase: Phase,
    pub(crate) index: u32,
    pub(crate) started: When,
    pub(crate) ended: Option<StepEnd>,
}

#[derive(Debug)]
pub(crate) struct StepEnd {
    pub(crate) when: When,
    pub(crate) ok: bool,
    pub(crate) reason: Option<String>,
}

/// `horizon_reached`.
#[derive(Debug)]
pub(crate) struct Horizon {
    pub(crate) when: When,
    pub(crate) complete: bool,
    pub(crate) reason: String,
    /// Live processes that had not polled again since they last received something.
    pub(crate) busy: Vec<Instance>,
}
