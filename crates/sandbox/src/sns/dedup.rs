//! What a FIFO topic remembers: the publishes of the last 5 minutes and its sequence (semantics 2.4).

use havoq_base::StackTime;
use havoq_base::ids::MessageId;

use crate::sqs::Memory;

/// A deduplication id, and its group if ids count within groups only.
pub(super) type Key = (Option<String>, String);

/// What a publish was answered; so are its duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Receipt {
    pub(super) message_id: MessageId,
    pub(super) sequence_number: String,
}

#[derive(Debug, Default)]
pub(super) struct Fifo {
    recent: Memory<Key, Receipt>,
    published: u64,
}

/// Sequence numbers have 20 digits and gaps.
const FIRST: u64 = 10_000_000_000_000_000_000;
const STEP: u64 = 1_000;

impl Fifo {
    /// The publish that one with this key repeats.
    pub(super) fn duplicate(&mut self, now: StackTime, key: &Key) -> Option<&Receipt> {
        self.recent.get(now, key).map(|first| &*first)
    }

    /// Takes a publish that is no duplicate.
    pub(super) fn take(&mut self, now: StackTime, key: Key, message_id: MessageId) -> Receipt {
        let sequence_number = (FIRST + self.published * STEP).to_string();
        self.published += 1;
        let receipt = Receipt { message_id, sequence_number };
        self.recent.note(now, key, receipt.clone());
        receipt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_5_minutes_from_the_first_publish() {
        let (mut fifo, at) = (Fifo::default(), StackTime::from_secs);
        let key = (None, "d".to_owned());
        let first = fifo.take(at(0), key.clone(), MessageId::new("a"));
        assert_eq!(fifo.duplicate(at(299), &key), Some(&first));
        assert_eq!(fifo.duplicate(at(299), &(Some("g".into()), "d".into())), None);
        assert_eq!(fifo.duplicate(at(300), &key), None);
        let second = fifo.take(at(300), key, MessageId::new("b"));
        assert!(second.sequence_number > first.sequence_number);
        assert_eq!(second.sequence_number.len(), 20);
    }
}
