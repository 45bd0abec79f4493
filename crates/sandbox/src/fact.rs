//! What the sandbox says about itself: ground truth for the history.

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_lambda::{Reason, Returned};

use crate::cloudwatch::AlarmState;
use crate::sqs::MoveStatus;

/// How many messages a queue holds, by what state they are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    pub visible: u64,
    pub in_flight: u64,
    pub delayed: u64,
}

/// Something that happened inside. Queues, topics and alarms go by their physical names, move
/// tasks by their handles.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// Dead-lettered after `receives` receives (semantics 1.10).
    Moved {
        queue: String,
        to: String,
        message_id: MessageId,
        receives: u32,
    },
    /// Moved by a move task; the copy is a new message (semantics 1.11).
    Redriven {
        from: String,
        to: String,
        old_message_id: MessageId,
        message_id: MessageId,
    },
    /// A FIFO queue swallowed a send; `message_id` is the first copy's, as the answer has it
    /// (semantics 1.13).
    Deduplicated {
        queue: String,
        message_id: MessageId,
    },
    /// A queue's policy, or the lack of one, refused a call. `principal` is a user's ARN or a
    /// service's name.
    Denied {
        queue: String,
        principal: String,
        action: String,
    },
    /// Its retention ran out.
    Expired {
        queue: String,
        message_id: MessageId,
    },
    /// Gone with a PurgeQueue, or with its queue.
    Purged {
        queue: String,
        message_ids: Vec<MessageId>,
    },
    /// A queue's counts at the end of an operation or a timer that changed them.
    Depth {
        queue: String,
        depth: Depth,
    },
    AlarmChanged {
        alarm: String,
        from: AlarmState,
        to: AlarmState,
        reason: String,
    },
    /// An alarm's action was carried out on a topic.
    AlarmAction {
        alarm: String,
        state: AlarmState,
        target_arn: String,
    },
    /// A datapoint that differs from the one before, of a metric that an alarm watches.
    /// `dimension` is the queue's name, or whatever else the dimensions' values are.
    Metric {
        namespace: String,
        metric: String,
        dimension: String,
        value: f64,
    },
    /// A topic took a message, or a bus an event. `channel` is its name.
    Published {
        channel: String,
        message_id: MessageId,
    },
    /// A FIFO topic swallowed a repetition of this message (semantics 2.4).
    PublishDeduplicated {
        channel: String,
        message_id: MessageId,
    },
    /// No rule of a bus takes an event, or there is no such bus: nobody will get it (semantics 3.1).
    Unmatched {
        channel: String,
        message_id: MessageId,
    },
    /// A subscription's endpoint took a message, or a rule's target an event: `subscription` is the
    /// ARN of the one, or that of the rule with the target's id after `#`. Queues and topics give
    /// what they take ids of their own, and so do buses of another region.
    Delivered {
        channel: String,
        subscription: String,
        message_id: MessageId,
        attempts: u32,
        given_id: Option<MessageId>,
    },
    /// A subscription's filter policy kept a message from it. `why` is the suffix of the metric
    /// that counts it (semantics 2.5).
    Filtered {
        channel: String,
        subscription: String,
        message_id: MessageId,
        why: &'static str,
    },
    /// A delivery failed, and another attempt is made at `next`. Of the attempts at the longest
    /// intervals, 20 s for a queue of a topic and 10 min for a target of a rule, only the first is
    /// told (semantics 2.3, 3.4).
    Retried {
        channel: String,
        subscription: String,
        message_id: MessageId,
        attempts: u32,
        next: StackTime,
    },
    /// No attempt was left, or none made sense: the dead-letter queue of the subscription or of the
    /// target took it.
    DeadLettered {
        channel: String,
        subscription: String,
        message_id: MessageId,
        attempts: u32,
        to: String,
        given_id: Option<MessageId>,
        reason: String,
    },
    /// As before, but there is no dead-letter queue that took it. The message is lost.
    Undelivered {
        channel: String,
        subscription: String,
        message_id: MessageId,
        attempts: u32,
        reason: String,
    },
    /// A function was handed something: `cause` is `call`, `event` or `mapping`. `messages` are those
    /// of a mapping's batch.
    Invoked {
        function: String,
        request_id: String,
        cause: &'static str,
        messages: Vec<MessageId>,
    },
    InvocationEnded {
        function: String,
        request_id: String,
        returned: Returned,
    },
    /// No concurrency was free for an invocation. The receives of its messages count all the same.
    Throttled {
        function: String,
        request_id: String,
        cause: &'static str,
        messages: Vec<MessageId>,
    },
    /// An event source mapping received messages from its queue.
    MappingReceived {
        function: String,
        queue: String,
        message_ids: Vec<MessageId>,
    },
    /// A mapping is done with messages: it deleted some, and left others to their visibility
    /// timeouts (semantics 5.2). `request_id` is the last invocation that they were for, if one was.
    BatchSettled {
        function: String,
        queue: String,
        request_id: Option<String>,
        deleted: Vec<MessageId>,
        returned: Vec<MessageId>,
        reason: Reason,
    },
    /// An asynchronous invocation failed or was throttled, and is tried again at `next`. `attempts`
    /// are those in which the function ran.
    EventRetried {
        function: String,
        request_id: String,
        attempts: u32,
        reason: String,
        next: StackTime,
    },
    /// An asynchronous invocation is not tried again (semantics 5.6).
    EventGivenUp {
        function: String,
        request_id: String,
        attempts: u32,
        condition: &'static str,
    },
    /// A function's dead-letter queue or destination took an event or a record; `to` is its ARN.
    EventHandedOver {
        function: String,
        request_id: String,
        to: String,
        message_id: Option<MessageId>,
    },
    /// As before, but it was not taken, and is lost.
    EventNotHandedOver {
        function: String,
        request_id: String,
        to: String,
        reason: String,
    },
    /// A move task came to its end.
    MoveTaskEnded {
        task: String,
        status: MoveStatus,
    },
}

/// Where facts go. It is called with the core locked, so it must not call back.
pub(crate) type FactSink = Box<dyn Fn(StackTime, Fact) + Send + Sync>;
