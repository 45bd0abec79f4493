//! The event types. Their JSON form is documented in docs/history.md and must not change without it.

use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_base::{RealDuration, RealTime, Seed, StackTime};
use serde::{Deserialize, Serialize};

use super::parts::{
    Attribution, Closed, Exchange, Held, Instance, InvocationOutcome, Phase, Resource, Source, SourceText,
    Sweep, Withheld,
};

/// The version of the history format, the `v` of every line.
pub const SCHEMA_VERSION: u32 = 1;

/// One line of the history.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Position in the history, from 1, without gaps.
    pub seq: u64,
    pub scenario: String,
    /// Which attempt at the scenario this belongs to, from 1; the last one counts.
    pub attempt: u32,
    /// When, on the stack's clock.
    pub at: StackTime,
    /// When, in real time since the run began.
    pub real: RealTime,
    pub source: Source,
    pub kind: Kind,
}

/// What happened. Queues, alarms and topics are named by their logical ids; resources that the
/// scenario does not name, by their physical names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// The first event of each attempt: all that re-judging needs.
    ScenarioLoaded {
        scenario_source: SourceText,
        /// The stack's template, when it is a file of its own.
        stack_source: Option<SourceText>,
        seed: Seed,
        /// Where it runs: `sandbox`, a URL, later `aws`.
        stack: String,
        /// `virtual` or `real`.
        clock: String,
        havoq: String,
        /// Bug forced on workers from outside (`HAVOQ_WORKER_BUG`).
        worker_bug: Option<String>,
        /// What the scenario's durations were multiplied by (`--scale`); as written when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scale: Option<String>,
        /// A sweep ran it, without its own kills; as written when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sweep: Option<Sweep>,
        /// What the processing bounds are multiplied with: more than 1 after an overrun, and to
        /// confirm a red verdict.
        #[serde(default = "once")]
        bounds_times: u32,
    },
    StackReady {
        resources: Vec<Resource>,
        /// What of the template is not implemented and was left out, one line each.
        ignored: Vec<String>,
    },
    /// What a probe found of a foreign stack, where a claim rests on it and it is not as on AWS.
    StackProbed {
        check: String,
        /// `wrong` or `absent`.
        outcome: String,
        finding: String,
    },
    StepStarted {
        phase: Phase,
        /// From 0, within the phase.
        index: u32,
        /// The step's key, such as `send`.
        step: String,
        line: u64,
        column: u64,
    },
    StepEnded {
        phase: Phase,
        index: u32,
        ok: bool,
        /// Why not, when `ok` is false.
        reason: Option<String>,
    },
    /// A message was accepted by the stack. `copy` counts the sends of its marker, from 1.
    Sent {
        queue: String,
        message_id: MessageId,
        marker: Marker,
        /// The scenario's name for the set that it belongs to.
        label: Option<String>,
        copy: u32,
        /// For poison messages, which form.
        poison: Option<String>,
    },
    SendFailed {
        queue: String,
        marker: Marker,
        label: Option<String>,
        copy: u32,
        error: String,
    },
    /// A ReceiveMessage returned messages (an empty one is not recorded).
    Received {
        by: Instance,
        queue: String,
        messages: Vec<Held>,
        /// The visibility timeout granted, in seconds.
        visibility: u64,
        withheld: Withheld,
        /// The fault that delivered it, by hand of havoq: the stack knows of no such receive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<String>,
        /// What the call was like on the wire.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Exchange>,
    },
    /// A ChangeMessageVisibility (one per batch entry).
    Extended {
        by: Instance,
        queue: String,
        receipt: ReceiptHandle,
        message_id: Option<MessageId>,
        marker: Option<Marker>,
        /// The new visibility timeout, in seconds from the call.
        visibility: u64,
        /// The stack's error code, when it refused.
        error: Option<String>,
        /// A fault answered that it was done, and kept it from the stack.
        #[serde(default, skip_serializing_if = "is_false")]
        undone: bool,
        /// What the call was like on the wire.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Exchange>,
    },
    /// A DeleteMessage (one per batch entry).
    Deleted {
        by: Instance,
        queue: String,
        receipt: ReceiptHandle,
        message_id: Option<MessageId>,
        marker: Option<Marker>,
        error: Option<String>,
        /// A fault answered that it was done, and kept it from the stack.
        #[serde(default, skip_serializing_if = "is_false")]
        undone: bool,
        withheld: Withheld,
        /// What the call was like on the wire.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Exchange>,
    },
    /// Dead-lettered by the stack after `receives` receives; the message id stays (semantics 1.10).
    Moved {
        from: String,
        to: String,
        message_id: MessageId,
        receives: u32,
    },
    /// A move task moved it; the copy is a new message (semantics 1.11).
    Redriven {
        from: String,
        to: String,
        old_message_id: MessageId,
        message_id: MessageId,
    },
    /// A move task ended: COMPLETED, FAILED or CANCELLED.
    RedriveEnded {
        task: String,
        status: String,
    },
    /// A FIFO queue or topic swallowed a repetition; `message_id` is the first copy's (semantics
    /// 1.13, 2.4).
    Deduplicated {
        queue: String,
        message_id: MessageId,
    },
    /// A queue's policy, or the lack of one, refused a call. `principal` is a user's ARN or the name
    /// of a service.
    Denied {
        queue: String,
        principal: String,
        action: String,
    },
    /// A topic took a message.
    Published {
        topic: String,
        message_id: MessageId,
    },
    /// An endpoint took a topic's message. A queue gives it an id of its own.
    Delivered {
        topic: String,
        subscription: String,
        message_id: MessageId,
        attempts: u32,
        queue_message_id: Option<MessageId>,
    },
    /// A subscription's filter policy kept a message from it; `why` is the suffix of the metric that
    /// counts it (semantics 2.5).
    Filtered {
        topic: String,
        subscription: String,
        message_id: MessageId,
        why: String,
    },
    /// A delivery failed, and the next attempt is due (semantics 2.3).
    Retried {
        topic: String,
        subscription: String,
        message_id: MessageId,
        attempts: u32,
        next: StackTime,
    },
    /// A delivery was given up. Without a dead-letter queue that took it, the message is lost.
    Undelivered {
        topic: String,
        subscription: String,
        message_id: MessageId,
        attempts: u32,
        /// The subscription's dead-letter queue that took it, and under which id.
        dead_lettered: Option<String>,
        queue_message_id: Option<MessageId>,
        reason: String,
    },
    /// Removed by PurgeQueue.
    Purged {
        queue: String,
        message_id: MessageId,
    },
    /// Its retention ran out.
    Expired {
        queue: String,
        message_id: MessageId,
    },
    /// Any other call, and any call that failed as a whole.
    Called {
        by: Instance,
        operation: String,
        queue: Option<String>,
        status: u16,
        error: Option<String>,
        /// What the call was like on the wire.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Exchange>,
    },
    /// A side effect reached a sink.
    Effect {
        effect: String,
        by: Instance,
        /// The key found in it.
        key: Option<String>,
        marker: Option<Marker>,
        attribution: Attribution,
        /// Same Idempotency-Key as before: recorded, not counted.
        replay: bool,
        withheld: Withheld,
    },
    ConsumerStarted {
        by: Instance,
        pid: u32,
        /// Whether this is the `fixed` variant.
        fixed: bool,
        /// The bug of a reference worker.
        bug: Option<String>,
        queues: Vec<String>,
    },
    /// The processing bound of a consumer from here on, in real time.
    BoundSet {
        consumer: String,
        processing: RealDuration,
    },
    /// The first poll of a queue after a start or after `consumer_idle`.
    ConsumerPolled {
        by: Instance,
        queue: String,
    },
    /// A live consumer left a deliverable message unreceived for longer than its poll bound, or
    /// did not poll within its start bound.
    ConsumerIdle {
        by: Instance,
        queue: String,
        reason: String,
    },
    /// What `waited_for` names has shown that the consumer is ready.
    ConsumerReady {
        by: Instance,
        waited_for: String,
    },
    /// It did not show within its time, or the consumer ended by itself before.
    ConsumerUnready {
        by: Instance,
        waited_for: String,
        reason: String,
        /// The last lines that it wrote to stderr.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stderr: Vec<String>,
    },
    /// How a process that polls is shown the time: the first time that it does, and when it turns
    /// out otherwise later.
    ConsumerTime {
        by: Instance,
        /// The process that polls, which may be another than the one started; where it was seen.
        pid: Option<u32>,
        /// Whether its wall clock goes with the stack's.
        follows: bool,
        /// Why not, when `follows` is false.
        reason: Option<String>,
    },
    ConsumerExited {
        by: Instance,
        code: Option<i32>,
        signal: Option<i32>,
        /// Why havoq ended it (a fault's id, `swap`, `end of run`); none when it ended by itself.
        ended_by: Option<String>,
        /// Another process went on with its work: a child that outlived it.
        #[serde(default, skip_serializing_if = "is_false")]
        left_behind: bool,
    },
    /// A process was started to run a function's invocations, one after the other.
    EnvironmentStarted {
        by: Instance,
        /// From 1, by the instance.
        environment: u32,
        pid: u32,
    },
    EnvironmentEnded {
        by: Instance,
        environment: u32,
        code: Option<i32>,
        signal: Option<i32>,
        /// Why havoq ended it (a fault's id, `swap`, `end of run`); none when it ended by itself.
        ended_by: Option<String>,
    },
    /// A function was given an event.
    Invoked {
        /// Its logical id, or the name of the consumer that it is.
        function: String,
        request_id: String,
        /// The consumer, and its environment, where havoq knows them.
        by: Option<Instance>,
        environment: Option<u32>,
        /// The messages of a batch.
        messages: Vec<MessageId>,
    },
    /// An invocation is over.
    InvocationEnded {
        function: String,
        request_id: String,
        by: Option<Instance>,
        outcome: InvocationOutcome,
        /// The type and the message of an error, as the caller sees them.
        error: Option<String>,
    },
    /// What became of messages that an event source mapping had received.
    BatchSettled {
        function: String,
        by: Option<Instance>,
        /// The invocation that had them, if one had.
        request_id: Option<String>,
        deleted: Vec<MessageId>,
        /// Left in the queue.
        returned: Vec<MessageId>,
        /// Those of which the function said that they failed.
        reported: Vec<MessageId>,
        /// Why, in a word: `succeeded`, `report-ignored`, `reported`, `report-void`, `failed`,
        /// `throttled`, `left-over`, `filtered`.
        reason: String,
        /// The same in a sentence.
        why: String,
    },
    /// An invocation was refused for want of concurrency. The receives of its messages count.
    Throttled {
        function: String,
        by: Option<Instance>,
        messages: Vec<MessageId>,
    },
    /// An asynchronous invocation failed or was throttled, and is tried again at `next`.
    EventRetried {
        function: String,
        request_id: String,
        /// Those in which the function ran.
        attempts: u32,
        reason: String,
        next: StackTime,
    },
    /// An asynchronous invocation is not tried again: `RetriesExhausted`, `EventAgeExceeded` or
    /// another word of AWS's.
    EventGivenUp {
        function: String,
        request_id: String,
        attempts: u32,
        condition: String,
    },
    /// A function's dead-letter queue or destination was given an event. With an `error` it did not
    /// take it, and the event is lost.
    EventHandedOver {
        function: String,
        request_id: String,
        to: String,
        message_id: Option<MessageId>,
        error: Option<String>,
    },
    FaultArmed {
        fault: String,
        description: String,
    },
    /// The fault took hold: for a kill at a crash point, the process was alive, the call was held,
    /// and the process was reaped by havoq's signal.
    FaultFired {
        fault: String,
        by: Option<Instance>,
        /// The crash point, when it was one.
        point: Option<String>,
        marker: Option<Marker>,
        /// Markers that shared the killed process with the targeted one.
        collateral: Vec<Marker>,
    },
    /// The fault is over; `fired` says whether it ever took hold.
    FaultEnded {
        fault: String,
        fired: bool,
        reason: Option<String>,
    },
    ClockJumped {
        from: StackTime,
        to: StackTime,
        /// What this jump is the first to pass although its holder lives: the bound was over.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        closed: Vec<Closed>,
    },
    /// A consumer acted on a message that the clock had jumped past, so what followed is not
    /// what real time would have shown. It may have been at work on something that is no message.
    ClockOverran {
        by: Instance,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message_id: Option<MessageId>,
        marker: Option<Marker>,
        reason: String,
    },
    AlarmChanged {
        alarm: String,
        from: String,
        to: String,
        reason: String,
    },
    /// An alarm's action was carried out; `target` is the topic.
    AlarmAction {
        alarm: String,
        state: String,
        target: String,
    },
    /// A datapoint of a metric that an alarm watches, when it differs from the one before.
    Metric {
        namespace: String,
        metric: String,
        dimension: String,
        value: f64,
    },
    /// A queue's counts, after they changed.
    DepthSeen {
        queue: String,
        visible: u64,
        in_flight: u64,
        delayed: u64,
    },
    /// The judge may stop. `complete` is false when the run was cut short; `reason` says by what.
    HorizonReached {
        complete: bool,
        reason: String,
        /// Live processes that have not polled again since they last received something.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        busy: Vec<Instance>,
    },
    /// havoq or the stack broke.
    HarnessError {
        message: String,
    },
    Interrupted {},
}

const fn once() -> u32 {
    1
}

const fn is_false(value: &bool) -> bool {
    !*value
}
