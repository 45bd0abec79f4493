//! What events are made of.

use std::fmt;

use havoq_base::RealDuration;
use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_lambda::{Reason, Returned};
use serde::{Deserialize, Serialize};

/// Who knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Ground truth of the embedded stack.
    Sandbox,
    /// Seen at the boundary between a consumer and the stack.
    Tap,
    /// Done by havoq itself.
    Engine,
    /// Seen by looking at the stack from outside.
    Observer,
    /// Concluded from other facts.
    Inferred,
}

/// One started process of a consumer: `fulfilment` instance 0, start 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Instance {
    pub consumer: String,
    /// From 0, below the consumer's `instances`.
    pub instance: u32,
    /// Counts the starts of this instance, from 1.
    pub start: u32,
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.consumer, self.instance, self.start)
    }
}

/// One message of a receive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    pub message_id: MessageId,
    pub receipt: ReceiptHandle,
    /// ApproximateReceiveCount where the consumer asked for it, else counted by the taps; this
    /// receive included.
    pub receive_count: u32,
    /// Known for messages that havoq sent, and for those that follow from them.
    pub marker: Option<Marker>,
}

/// What a call was like on the wire, as the tap saw it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Exchange {
    /// The SDK's id of the call, which all attempts at it share (`amz-sdk-invocation-id`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocation: Option<String>,
    /// Which attempt this is, from 1, and after how many the SDK gives up (`amz-sdk-request`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u32>,
    /// The sizes of the bodies. There is no second one where the stack did not answer.
    pub request_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_bytes: Option<u64>,
    /// From the whole request to the whole answer, in real time.
    pub took: RealDuration,
}

/// What became of the answer of a call that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Withheld {
    /// The caller was sent it.
    No,
    /// The call was done and a fault kept its answer back.
    Yes,
}

/// How an effect was tied to its marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attribution {
    /// By its key.
    Key,
    /// It had no usable key, and its maker held exactly one message.
    Exclusion,
    /// It could not be tied to a message.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    SteadyState,
    Inject,
}

/// How an invocation of a function ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InvocationOutcome {
    /// It returned.
    Returned,
    /// It raised an error, or its runtime could not start.
    Failed,
    /// Its process ended.
    Exited,
    TimedOut,
    /// Its answer was too large.
    TooLarge,
    /// Nothing was there to run it.
    NotRun,
}

impl From<&Returned> for InvocationOutcome {
    fn from(returned: &Returned) -> Self {
        match returned {
            Returned::Response(_) => Self::Returned,
            Returned::FunctionError { .. } => Self::Failed,
            Returned::Exited(_) => Self::Exited,
            Returned::TimedOut(_) => Self::TimedOut,
            Returned::TooLarge => Self::TooLarge,
            Returned::NotRun(_) => Self::NotRun,
        }
    }
}

/// Of which messages of a batch the function said that they failed, where these `returned` to their queue.
pub fn reported(reason: &Reason, returned: &[MessageId]) -> Vec<MessageId> {
    match reason {
        Reason::ReportIgnored { reported } => reported.iter().map(|id| MessageId::new(id.as_str())).collect(),
        Reason::Reported => returned.to_vec(),
        _ => Vec::new(),
    }
}

/// A file that a run read, kept whole, so that a history can be judged again on its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    pub file: String,
    pub text: String,
}

/// A resource of the stack. `id` is its logical id, the name that all other events use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    pub id: String,
    /// The CloudFormation type.
    pub r#type: String,
    pub name: String,
    pub arn: String,
}

/// How a sweep ran a scenario: in its clean run without a kill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sweep {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kill: Option<SweptKill>,
}

/// The kill that a sweep added to a scenario's own steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweptKill {
    pub consumer: String,
    /// Where: the crash point.
    pub point: String,
    /// Which crossing of it, from 1.
    pub nth: u32,
    /// The label of the messages, of which it took one.
    pub of: String,
}

/// A message of a live holder that its processing bound alone closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {
    pub by: Instance,
    pub message_id: MessageId,
}
