//! One message: what was sent, and how far it has come.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;

use super::Seq;
use super::digest::Sum;
use crate::timers::TimerKey;

/// What the sender gave. It is shared, never copied, on its way through queues and answers.
#[derive(Debug, PartialEq)]
pub(crate) struct Content {
    pub(crate) body: String,
    pub(crate) body_md5: Sum,
    pub(crate) attributes: BTreeMap<String, Attribute>,
    pub(crate) attributes_md5: Option<Sum>,
    /// AWSTraceHeader, the only system attribute that can be sent (semantics 1.4).
    pub(crate) trace_header: Option<String>,
    pub(crate) group_id: Option<Arc<str>>,
}

impl Content {
    /// Body and user attributes; the trace header is free (semantics 1.4, 1.6).
    pub(crate) fn size(&self) -> u64 {
        let attributes = self.attributes.iter().map(|(name, attribute)| name.len() + attribute.size());
        (self.body.len() + attributes.sum::<usize>()) as u64
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attribute {
    pub(crate) data_type: String,
    pub(crate) value: AttributeValue,
}

impl Attribute {
    fn size(&self) -> usize {
        let value = match &self.value {
            AttributeValue::Text(text) => text.len(),
            AttributeValue::Binary(bytes) => bytes.len(),
        };
        self.data_type.len() + value
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AttributeValue {
    Text(String),
    Binary(Vec<u8>),
}

/// A stored message.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) id: MessageId,
    pub(crate) content: Arc<Content>,
    /// SentTimestamp, from which retention counts. An automatic move keeps it (semantics 1.10).
    pub(crate) sent: StackTime,
    /// When it came into this queue, from which its age counts (semantics 1.10).
    pub(crate) arrived: StackTime,
    /// Receives since it was sent, over all queues.
    pub(crate) receives: u32,
    pub(crate) first_received: Option<StackTime>,
    /// DeadLetterQueueSourceArn.
    pub(crate) dead_letter_source: Option<Arc<str>>,
    /// MessageDeduplicationId, in a FIFO queue. An automatic move puts the message's own id in its
    /// place (semantics 1.10).
    pub(crate) dedup_id: Option<Arc<str>>,
    pub(crate) state: State,
}

/// The SequenceNumber that clients see: 20 digits that grow with the order of arrival in the queue,
/// not one after the other (semantics 1.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SequenceNumber(pub(crate) Seq);

impl std::fmt::Display for SequenceNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const FIRST: u128 = 18_850_000_000_000_000_000;
        write!(f, "{}", FIRST + u128::from(self.0.0) * 256)
    }
}

/// Where a message is in its cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Deliverable, at this place of the line.
    Visible {
        place: u64,
    },
    Delayed {
        until: TimerKey,
    },
    /// Received at `since`; hidden until the timer.
    InFlight {
        since: StackTime,
        until: TimerKey,
    },
}

/// A message as one receive hands it out.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) id: MessageId,
    pub(crate) handle: String,
    pub(crate) content: Arc<Content>,
    pub(crate) sent: StackTime,
    pub(crate) receives: u32,
    pub(crate) first_received: StackTime,
    pub(crate) dead_letter_source: Option<Arc<str>>,
    pub(crate) dedup_id: Option<Arc<str>>,
    /// In a FIFO queue.
    pub(crate) sequence: Option<SequenceNumber>,
}
