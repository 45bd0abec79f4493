//! What sending to a FIFO queue asks for beyond sending, and the scope in which it swallows
//! duplicates (semantics 1.13).

use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;

use super::dedup::DedupKey;
use super::digest;
use super::errors::{invalid_parameter, invalid_value, missing};
use super::fifo_attributes::{DeduplicationScope, FifoAttributes};
use super::handle::Handle;
use super::message::{Content, State};
use super::queue::Queue;
use super::queue_attributes::QueueAttributes;
use super::send::Prepared;

/// How long a queue goes on with its old deduplication scope after a change. The API says that
/// changes take up to 60 s; this one was seen not to hold at once, where others are.
const SPREADING: StackDuration = StackDuration::from_secs(60);

impl Prepared {
    /// The group is required; an explicit id wins over the body's SHA-256; there is no delay of
    /// one's own, and a delay of 0 is the queue's (semantics 1.5).
    pub(crate) fn admit_to_fifo(&mut self, fifo: &FifoAttributes) -> Result<(), ServiceError> {
        if let Some(delay) = self.delay.filter(|delay| *delay > StackDuration::ZERO) {
            let reason = "The request include parameter that is not valid for this queue type.";
            return Err(invalid_value(delay.as_secs(), "DelaySeconds", reason));
        }
        self.delay = None;
        self.check_ids(fifo)?;
        if self.dedup_id.is_none() {
            self.dedup_id = Some(Arc::from(digest::sha256_of_text(&self.content.body)));
        }
        Ok(())
    }

    /// Whether the ids that a FIFO queue asks for are there.
    pub(crate) fn check_ids(&self, fifo: &FifoAttributes) -> Result<(), ServiceError> {
        if self.content.group_id.is_none() {
            return Err(missing("MessageGroupId"));
        }
        if self.dedup_id.is_none() && !fifo.content_based {
            return Err(invalid_parameter(
                "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
            ));
        }
        Ok(())
    }
}

impl Queue {
    /// Whether the receive of this handle is over although the message is still there. On a standard
    /// queue that does not matter.
    pub(crate) fn has_expired(&self, handle: Handle) -> bool {
        self.is_fifo()
            && self.get(handle.message).is_some_and(|message| {
                message.receives != handle.receive || !matches!(message.state, State::InFlight { .. })
            })
    }

    /// Under what a FIFO queue remembers a send.
    pub(crate) fn dedup_key(
        &self,
        now: StackTime,
        content: &Content,
        dedup_id: Option<&Arc<str>>,
    ) -> Option<DedupKey> {
        let group = match self.scope(now)? {
            DeduplicationScope::Queue => None,
            DeduplicationScope::MessageGroup => content.group_id.clone(),
        };
        Some(DedupKey { group, id: Arc::clone(dedup_id?) })
    }

    /// The scope that holds now; a standard queue has none.
    fn scope(&self, now: StackTime) -> Option<DeduplicationScope> {
        let fifo = self.attributes.fifo.as_ref()?;
        match self.scope_before {
            Some((until, before)) if now < until => Some(before),
            _ => Some(fifo.scope),
        }
    }

    /// Before new attributes are put in the place of the old ones.
    pub(crate) fn keep_scope(&mut self, now: StackTime, next: &QueueAttributes) {
        let scope = |attributes: &QueueAttributes| attributes.fifo.as_ref().map(|fifo| fifo.scope);
        if scope(&self.attributes) != scope(next) {
            self.scope_before = self.scope(now).map(|before| (now + SPREADING, before));
        }
    }
}
