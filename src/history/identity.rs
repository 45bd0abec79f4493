//! Identity of a message (design: a MessageId is not identity). A marker has copies, a copy has
//! MessageIds; this table follows them through redrives.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use havoq_base::ids::{Marker, MessageId};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::event::Kind;

/// Which marker a message carries, for all messages that the history knows.
#[derive(Debug, Default)]
pub struct Identity {
    known: Mutex<Known>,
    /// Held for writing while a send is under way: its message can be received before the answer
    /// to the send has told its id.
    sending: RwLock<()>,
}

#[derive(Debug, Default)]
struct Known {
    by_message: HashMap<MessageId, Marker>,
    labels: HashMap<Marker, Option<String>>,
    /// Where no ground truth tells of new ids: the markers that a body was sent for.
    by_body: HashMap<String, Option<Marker>>,
    /// Dead-lettered ids that no redrive has superseded yet, with their queues.
    dead: HashMap<MessageId, String>,
}

/// A message that was recognized by its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognized {
    pub marker: Marker,
    /// The dead-letter queue and the id under which it lay there, when it must come from there.
    pub dead_lettered: Option<(String, MessageId)>,
}

impl Identity {
    /// To be held from before a send until its event is recorded.
    pub async fn sending(&self) -> RwLockWriteGuard<'_, ()> {
        self.sending.write().await
    }

    /// Waits until no send is under way, so that every received id can be looked up.
    pub async fn settled(&self) -> RwLockReadGuard<'_, ()> {
        self.sending.read().await
    }

    pub fn marker_of(&self, message: &MessageId) -> Option<Marker> {
        self.known().by_message.get(message).cloned()
    }

    /// The marker with this text, if havoq sent it.
    pub fn marker_named(&self, text: &str) -> Option<Marker> {
        self.known().labels.get_key_value(text).map(|(marker, _)| marker.clone())
    }

    pub fn is_labelled(&self, marker: &Marker, label: &str) -> bool {
        self.known().labels.get(marker).is_some_and(|of| of.as_deref() == Some(label))
    }

    /// Remembers what a marker's messages look like. Two markers with one body cannot be told apart.
    pub fn remember(&self, body: &str, marker: &Marker) {
        let mut known = self.known();
        let first = known.by_body.entry(body.to_owned()).or_insert_with(|| Some(marker.clone()));
        if first.as_ref().is_some_and(|first| first != marker) {
            *first = None;
        }
    }

    /// Whose message it is that came out of `queue` under an unknown id, by the marker that it
    /// carries or by its body.
    pub fn recognize(&self, told: Option<&str>, body: &str, queue: &str) -> Option<Recognized> {
        let known = self.known();
        let told = told.and_then(|told| known.labels.get_key_value(told)).map(|(marker, _)| marker);
        let marker = told.or_else(|| known.by_body.get(body)?.as_ref())?.clone();
        let of_marker = |id: &MessageId| known.by_message.get(id) == Some(&marker);
        let dead = known.dead.iter().filter(|(id, there)| *there != queue && of_marker(id));
        // Copies of one marker are alike, so any will do, but the same one each time.
        let dead = dead.min_by_key(|(id, _)| id.as_str());
        let dead_lettered = dead.map(|(id, there)| (there.clone(), id.clone()));
        Some(Recognized { marker, dead_lettered })
    }

    /// Learns from an event what it tells about identities.
    pub(super) fn learn(&self, kind: &Kind) {
        let mut known = self.known();
        match kind {
            Kind::Sent { message_id, marker, label, .. } => {
                known.by_message.insert(message_id.clone(), marker.clone());
                known.labels.insert(marker.clone(), label.clone());
            }
            Kind::Redriven { old_message_id, message_id, .. } => {
                known.dead.remove(old_message_id);
                if let Some(marker) = known.by_message.get(old_message_id).cloned() {
                    known.by_message.insert(message_id.clone(), marker);
                }
            }
            Kind::Moved { message_id, to, .. } => {
                known.dead.insert(message_id.clone(), to.clone());
            }
            _ => {}
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redrive_keeps_the_marker_under_a_new_message_id() {
        let identity = Identity::default();
        identity.learn(&Kind::Sent {
            queue: "Orders".into(),
            message_id: "m-1".into(),
            marker: "order-1".into(),
            label: Some("healthy".into()),
            copy: 1,
            poison: None,
        });
        identity.learn(&Kind::Redriven {
            from: "OrdersDLQ".into(),
            to: "Orders".into(),
            old_message_id: "m-1".into(),
            message_id: "m-2".into(),
        });
        assert_eq!(identity.marker_of(&"m-2".into()), Some("order-1".into()));
        assert!(identity.is_labelled(&"order-1".into(), "healthy"));
        assert_eq!(identity.marker_named("order-2"), None);
    }

    fn sent(message: &str, marker: &str) -> Kind {
        Kind::Sent {
            queue: "Orders".into(),
            message_id: message.into(),
            marker: marker.into(),
            label: None,
            copy: 1,
            poison: None,
        }
    }

    #[test]
    fn a_message_under_an_unknown_id_is_known_by_its_content() {
        let identity = Identity::default();
        for (message, marker, body) in [("m-1", "a", "of a"), ("m-2", "b", "alike"), ("m-3", "c", "alike")] {
            identity.remember(body, &marker.into());
            identity.learn(&sent(message, marker));
        }
        let moved = |id: &str| Kind::Moved {
            from: "Orders".into(),
            to: "OrdersDLQ".into(),
            message_id: id.into(),
            receives: 5,
        };
        identity.learn(&moved("m-1"));
        let known = identity.recognize(None, "of a", "Orders").expect("recognized");
        assert_eq!(known.marker, Marker::from("a"));
        assert_eq!(known.dead_lettered, Some(("OrdersDLQ".to_owned(), "m-1".into())));
        assert_eq!(identity.recognize(None, "alike", "Orders"), None, "it may be b or c");
        assert_eq!(identity.recognize(Some("c"), "alike", "Orders").expect("told").marker, Marker::from("c"));
        assert_eq!(identity.recognize(Some("unknown"), "unknown", "Orders"), None);
    }
}
