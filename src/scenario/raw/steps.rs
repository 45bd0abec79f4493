//! The steps of `inject` and `steady_state`.

use havoq_base::StackDuration;
use serde_json::{Value, json};

use super::super::decode::{
    Choice, Decode, Id, Json, LongDuration, Need, PathText, Positive, Sp, TimeSpan, Whole, record, variants,
};
use super::super::model::{HeldCall, PoisonForm, Signal};
use super::super::problem::Log;
use super::super::yaml::{Data, Node};
use super::fault::{AtRaw, FaultRaw};
use super::words::Fixed;
use super::{ClaimRaw, RestartRaw};

/// The most messages of one step.
const MANY: u32 = 1_000_000;

variants! {
    /// A step: one thing that is done.
    StepRaw, "a step", later ["purge", "publish", "put_events"] {
        "send" => Send(SendRaw), "{ to: OrderQueue, count: 20, as: healthy }";
        "poison" => Poison(PoisonRaw), "{ to: OrderQueue, form: truncated-json, as: bad }";
        "duplicate" => Duplicate(DuplicateRaw), "{ to: OrderQueue, as: twin, copies: 2, gap: 0s }";
        "kill" => Kill(KillRaw), "{ consumer: fulfilment, at: before-effect, of: victim, restart: at-once }";
        "fault" => Fault(FaultRaw), "{ does: throttle, call: ReceiveMessage, times: 5 }";
        "restart" => Restart(RestartStepRaw), "{ consumer: fulfilment }";
        "swap" => Swap(SwapRaw), "{ consumer: fulfilment, to: fixed }";
        "redrive" => Redrive(RedriveRaw), "{ from: OrderDLQ, to: OrderQueue, rate: 50 }";
        "wait" => Wait(WaitRaw), "10m";
    }
}

record! {
    /// Sends messages and names them.
    SendRaw later ["dedup", "attributes"] {
        /// The queue, by logical id.
        "to" => to: Id, Need::Required, "OrderQueue";
        /// How many messages.
        "count" => count: Positive<MANY>, Need::Default("1"), "20";
        /// The label of these messages, for expectations and faults.
        "as" => label: Id, Need::Required, "healthy";
        /// The body instead of havoq's own envelope: any value, sent as JSON; a text is sent as it
        /// is. `{{id}}`, `{{n}}`, `{{now}}` and `{{uuid}}` in it are filled in for each message.
        "body" => body: Json, Need::Optional, "{ orderId: \"{{id}}\", amount: 10 }";
        /// JSONPath of the marker in the body. Names and indices only, so that it names one value.
        "id" => id: PathText, Need::Optional, "$.orderId";
        /// DelaySeconds of each message, at most 15m; the queue's own delay when absent.
        "delay" => delay: TimeSpan<StackDuration>, Need::Optional, "5s";
        /// The group of these messages, in a FIFO queue; the label when absent.
        "group" => group: Id, Need::Optional, "customer-1";
    }
}

record! {
    /// Sends malformed messages.
    PoisonRaw {
        /// The queue, by logical id.
        "to" => to: Id, Need::Required, "OrderQueue";
        /// How many messages.
        "count" => count: Positive<MANY>, Need::Default("1"), "3";
        /// In which way they are malformed.
        "form" => form: Choice<PoisonForm>, Need::Required, "truncated-json";
        /// The group of these messages, in a FIFO queue; the label when absent.
        "group" => group: Id, Need::Optional, "customer-1";
        /// The label of these messages.
        "as" => label: Id, Need::Required, "bad";
    }
}

record! {
    /// Sends the same message more than once.
    DuplicateRaw {
        /// The queue, by logical id.
        "to" => to: Id, Need::Required, "OrderQueue";
        /// The label of these messages.
        "as" => label: Id, Need::Required, "twin";
        /// How many different messages.
        "count" => count: Positive<MANY>, Need::Default("1"), "5";
        /// How often each of them is sent.
        "copies" => copies: Whole<2, 1000>, Need::Default("2"), "3";
        /// The time between two copies.
        "gap" => gap: TimeSpan<StackDuration>, Need::Default("0s"), "10s";
    }
}

record! {
    /// Sends a signal to a consumer: at once, or, with `at`, where it crosses a crash point. The
    /// latter arms and does not block; it stands before the step that makes its label.
    KillRaw {
        /// The consumer, by name.
        "consumer" => consumer: Id, Need::Required, "fulfilment";
        /// The crash point, or any call as `{ call: PutItem, when: after }`. At once when absent.
        "at" => at: AtRaw, Need::Optional, "before-effect";
        /// The label of the messages that are aimed at; with `at`, and required at a point that has a name. At any
        /// other call: only while the consumer holds one of them.
        "of" => of: Id, Need::Optional, "victim";
        /// Which crossing of the point, counted for each message; with `at`.
        "nth" => nth: Positive<1000>, Need::Default("1"), "2";
        /// The signal; SIGKILL goes to the whole process group.
        "signal" => signal: Choice<Signal>, Need::Default("SIGKILL"), "SIGTERM";
        /// What becomes of the call that was held; with a point `before-...`.
        "call" => call: Choice<HeldCall>, Need::Default("drop"), "forward";
        /// When SIGCONT follows; with SIGSTOP.
        "resume" => resume: LongDuration<StackDuration>, Need::Optional, "30s";
        /// The restart policy for this kill, instead of the consumer's own.
        "restart" => restart: RestartRaw, Need::Optional, "at-once";
    }
}

record! {
    /// Starts a consumer that has ended, or ends and starts a running one.
    RestartStepRaw {
        /// The consumer, by name.
        "consumer" => consumer: Id, Need::Required, "fulfilment";
    }
}

record! {
    /// Puts another program in a consumer's place.
    SwapRaw {
        /// The consumer, by name.
        "consumer" => consumer: Id, Need::Required, "fulfilment";
        /// The variant: what the consumer gives under `fixed`.
        "to" => to: Choice<Fixed>, Need::Required, "fixed";
    }
}

record! {
    /// Moves the messages of a dead-letter queue back (StartMessageMoveTask) and waits until all
    /// are moved.
    RedriveRaw {
        /// The dead-letter queue, by logical id.
        "from" => from: Id, Need::Required, "OrderDLQ";
        /// The queue that they go to; each message's own source queue when absent.
        "to" => to: Id, Need::Optional, "OrderQueue";
        /// Messages a second; the service chooses when absent.
        "rate" => rate: Positive<500>, Need::Optional, "50";
    }
}

/// A span of time, or an expectation.
#[derive(Clone, Debug)]
pub(in crate::scenario) enum WaitRaw {
    Span(LongDuration<StackDuration>),
    Claim(Sp<ClaimRaw>),
}

impl Decode for WaitRaw {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        match node.data {
            Data::Map(_) => Sp::decode(node, log).map(Self::Claim),
            _ => LongDuration::decode(node, log).map(Self::Span),
        }
    }
    fn schema() -> Value {
        json!({
            "description": "Waits for a span of time, or until an expectation holds.",
            "anyOf": [LongDuration::<StackDuration>::schema(), ClaimRaw::schema()],
        })
    }
}
