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

    /// Learns from an event what it tells about identities.
    pub(super) fn learn(&self, kind: &Kind) {
        let mut known = self.known();
        match kind {
            Kind::Sent { message_id, marker, label, .. } => {
                known.by_message.insert(message_id.clone(), marker.clone());
                known.labels.insert(marker.clone(), label.clone());
            }
            Kind::Redriven { old_message_id, message_id, .. } => {
                if let Some(marker) = known.by_message.get(old_message_id).cloned() {
                    known.by_message.insert(message_id.clone(), marker);
                }
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
}
