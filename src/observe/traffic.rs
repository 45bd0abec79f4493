//! What the taps and the engine have recorded of each message, as far as it helps to tell what a
//! foreign stack did with it.

use std::collections::HashMap;

use havoq_base::ids::MessageId;

use crate::history::{Event, Kind};

/// Where a message was last known to be, and how often it was received there.
#[derive(Debug)]
struct Known {
    queue: String,
    receives: u32,
}

#[derive(Debug, Default)]
pub(super) struct Traffic {
    known: HashMap<MessageId, Known>,
    /// Counts the events that may change a queue's depth.
    pub events: u64,
}

impl Traffic {
    pub fn see(&mut self, event: &Event) {
        match &event.kind {
            Kind::Sent { queue, message_id, .. } => self.put(message_id, queue),
            Kind::Redriven { to, message_id, .. } | Kind::Moved { to, message_id, .. } => {
                self.put(message_id, to);
            }
            Kind::Received { queue, messages, fault: None, .. } => {
                for held in messages {
                    self.received(&held.message_id, queue);
                }
            }
            Kind::Deleted { .. } | Kind::Extended { .. } | Kind::SendFailed { .. } => {}
            _ => return,
        }
        self.events += 1;
    }

    fn put(&mut self, message: &MessageId, queue: &str) {
        self.known.insert(message.clone(), Known { queue: queue.to_owned(), receives: 0 });
    }

    fn received(&mut self, message: &MessageId, queue: &str) {
        // One that came back from a dead-letter queue under its old id counts anew.
        if self.known.get(message).is_some_and(|known| known.queue != queue) {
            self.put(message, queue);
        }
        if let Some(known) = self.known.get_mut(message) {
            known.receives += 1;
        }
    }

    /// What a message that now lies in `queue` tells: the queue from which the stack moved it, and
    /// after how many receives there. `None` when it is not ours, or was there before.
    pub fn moved_to(&self, queue: &str, message: &MessageId) -> Option<(String, u32)> {
        let known = self.known.get(message)?;
        (known.queue != queue).then(|| (known.queue.clone(), known.receives))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Held, Instance, Source, Withheld};

    fn seen(kinds: impl IntoIterator<Item = Kind>) -> Traffic {
        let mut traffic = Traffic::default();
        for kind in kinds {
            traffic.see(&Event {
                seq: 1,
                scenario: "s".into(),
                attempt: 1,
                at: Default::default(),
                real: Default::default(),
                source: Source::Tap,
                kind,
            });
        }
        traffic
    }

    fn sent() -> Kind {
        Kind::Sent {
            queue: "Orders".into(),
            message_id: "m".into(),
            marker: "a".into(),
            label: None,
            copy: 1,
            poison: None,
        }
    }

    fn received(queue: &str) -> Kind {
        Kind::Received {
            by: Instance { consumer: "c".into(), instance: 0, start: 1 },
            queue: queue.into(),
            messages: vec![Held {
                message_id: "m".into(),
                receipt: "r".into(),
                receive_count: 1,
                marker: None,
            }],
            visibility: 30,
            withheld: Withheld::No,
            fault: None,
            call: None,
        }
    }

    #[test]
    fn a_message_of_ours_in_another_queue_was_moved_there() {
        let traffic = seen([sent(), received("Orders"), received("Orders")]);
        assert_eq!(traffic.moved_to("DLQ", &"m".into()), Some(("Orders".to_owned(), 2)));
        assert_eq!(traffic.moved_to("Orders", &"m".into()), None);
        assert_eq!(traffic.moved_to("DLQ", &"somebody-elses".into()), None);
    }

    #[test]
    fn each_move_is_told_once_and_each_round_counts_anew() {
        let moved =
            Kind::Moved { from: "Orders".into(), to: "DLQ".into(), message_id: "m".into(), receives: 1 };
        let traffic = seen([sent(), received("Orders"), moved.clone()]);
        assert_eq!(traffic.moved_to("DLQ", &"m".into()), None);
        let traffic = seen([sent(), received("Orders"), moved, received("Orders")]);
        assert_eq!(traffic.moved_to("DLQ", &"m".into()), Some(("Orders".to_owned(), 1)));
    }
}
