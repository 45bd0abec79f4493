//! A message as it was published, on its way to the subscriptions.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;

use super::TopicId;
use super::message_attributes::MessageAttribute;
use super::structure::Texts;

#[derive(Debug)]
pub(super) struct Notification {
    /// What Publish answered; queues give their own (semantics 2.1).
    pub(super) id: MessageId,
    pub(super) topic: TopicId,
    pub(super) topic_arn: Arc<str>,
    pub(super) at: StackTime,
    pub(super) subject: Option<String>,
    pub(super) texts: Texts,
    pub(super) attributes: BTreeMap<String, MessageAttribute>,
    pub(super) group_id: Option<String>,
    /// What a FIFO topic adds.
    pub(super) fifo: Option<FifoMark>,
    /// AWSTraceHeader.
    pub(super) trace_header: Option<String>,
    pub(super) signature_version_2: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FifoMark {
    pub(super) deduplication_id: String,
    pub(super) sequence_number: String,
}

impl Notification {
    pub(super) fn text(&self, protocol: &str) -> &str {
        self.texts.of(protocol)
    }
}
