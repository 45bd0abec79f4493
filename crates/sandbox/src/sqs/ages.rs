//! The order in which retention takes the messages of a queue: by when they were sent. That is the
//! order of their arrival, until one comes from another queue and keeps its time (semantics 1.10).

use std::collections::{BTreeMap, BTreeSet};

use havoq_base::StackTime;

use super::Seq;
use super::message::Message;

/// Kept only while some message of the queue was sent elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Ages(Option<BTreeSet<(StackTime, Seq)>>);

/// A queue's messages by arrival.
pub(crate) type Messages = BTreeMap<Seq, Box<Message>>;

impl Ages {
    /// Notes a message before it is put among the others.
    pub(crate) fn insert(&mut self, message: &Message, seq: Seq, others: &Messages) {
        if self.0.is_none() && message.sent != message.arrived {
            self.0 = Some(others.iter().map(|(seq, message)| (message.sent, *seq)).collect());
        }
        if let Some(by_sent) = &mut self.0 {
            by_sent.insert((message.sent, seq));
        }
    }

    pub(crate) fn remove(&mut self, message: &Message, seq: Seq) {
        let Some(by_sent) = &mut self.0 else { return };
        by_sent.remove(&(message.sent, seq));
        if by_sent.is_empty() {
            self.0 = None;
        }
    }

    /// When the oldest message was sent.
    pub(crate) fn oldest(&self, messages: &Messages) -> Option<StackTime> {
        match &self.0 {
            Some(by_sent) => by_sent.first().map(|(sent, _)| *sent),
            None => messages.first_key_value().map(|(_, message)| message.sent),
        }
    }

    /// The messages that were sent so long ago, oldest first.
    pub(crate) fn sent_until(&self, messages: &Messages, is_old: impl Fn(StackTime) -> bool) -> Vec<Seq> {
        match &self.0 {
            Some(by_sent) => {
                by_sent.iter().take_while(|(sent, _)| is_old(*sent)).map(|(_, seq)| *seq).collect()
            }
            None => {
                let old = messages.iter().take_while(|(_, message)| is_old(message.sent));
                old.map(|(seq, _)| *seq).collect()
            }
        }
    }
}
