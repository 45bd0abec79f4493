//! What a FIFO queue remembers of the last five minutes: the messages it took, by deduplication id
//! (semantics 1.13), and the receives that can be tried again (semantics 1.4). Neither is touched
//! by receives and deletes; a purge clears both.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

use havoq_base::ids::MessageId;
use havoq_base::{StackDuration, StackTime};

use super::Seq;
use super::message::Delivery;
use crate::timers::TimerKey;

const FIVE_MINUTES: StackDuration = StackDuration::from_secs(300);

/// Things by their keys, each for five minutes from when it was noted.
#[derive(Debug)]
pub(crate) struct Memory<K, V> {
    things: HashMap<K, (StackTime, V)>,
    /// What was noted when, things that were forgotten since among it.
    order: VecDeque<(StackTime, K)>,
}

impl<K, V> Default for Memory<K, V> {
    fn default() -> Self {
        Self { things: HashMap::new(), order: VecDeque::new() }
    }
}

impl<K: Clone + Eq + Hash, V> Memory<K, V> {
    pub(crate) fn get(&mut self, now: StackTime, key: &K) -> Option<&mut V> {
        while let Some((noted, old)) = self.order.pop_front_if(|(at, _)| *at + FIVE_MINUTES <= now) {
            if self.things.get(&old).is_some_and(|(at, _)| *at == noted) {
                self.things.remove(&old);
            }
        }
        self.things.get_mut(key).map(|(_, thing)| thing)
    }

    pub(crate) fn note(&mut self, now: StackTime, key: K, thing: V) {
        self.order.push_back((now, key.clone()));
        self.things.insert(key, (now, thing));
    }

    /// Forgets one thing before its time.
    pub(crate) fn forget(&mut self, key: &K) {
        self.things.remove(key);
    }

    pub(crate) fn clear(&mut self) {
        self.things.clear();
        self.order.clear();
    }
}

/// A deduplication id within its scope: the queue, or one group of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DedupKey {
    pub(crate) group: Option<Arc<str>>,
    pub(crate) id: Arc<str>,
}

/// The message that was taken under a deduplication id.
#[derive(Clone, Debug)]
pub(crate) struct First {
    pub(crate) id: MessageId,
    pub(crate) seq: Seq,
}

/// What a receive with a ReceiveRequestAttemptId handed out. Each message goes with its timer: it
/// is another one once the message was received again or had its visibility changed.
#[derive(Debug)]
pub(crate) struct Attempt(pub(crate) Vec<(Seq, TimerKey, Delivery)>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_remembered_for_five_minutes_from_when_it_was_noted() {
        let at = StackTime::from_secs;
        let mut memory = Memory::default();
        memory.note(at(0), "a", 1);
        memory.note(at(100), "b", 2);
        assert_eq!(memory.get(at(299), &"a"), Some(&mut 1));
        assert_eq!(memory.get(at(300), &"a"), None);
        memory.note(at(300), "a", 3);
        memory.forget(&"b");
        assert_eq!(memory.get(at(301), &"b"), None);
        memory.note(at(302), "b", 4);
        assert_eq!(memory.get(at(401), &"b"), Some(&mut 4), "its older note is no longer its own");
        assert_eq!(memory.get(at(599), &"a"), Some(&mut 3));
        memory.clear();
        assert_eq!(memory.get(at(599), &"a"), None);
    }
}
