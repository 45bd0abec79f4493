//! Which queues there are. An id is never used again, so what still refers to a deleted queue
//! finds nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_wire::ServiceError;

use super::QueueId;
use super::errors::no_queue;
use super::queue::Queue;
use crate::place::Place;

#[derive(Debug, Default)]
pub(crate) struct Registry {
    queues: Vec<Option<Queue>>,
    names: BTreeMap<Place, BTreeMap<Arc<str>, QueueId>>,
    /// When a name was last given up (semantics 1.12).
    deleted: BTreeMap<(Place, Arc<str>), StackTime>,
}

impl Registry {
    pub(crate) fn next_id(&self) -> QueueId {
        QueueId(self.queues.len() as u32)
    }

    pub(crate) fn insert(&mut self, queue: Queue) {
        let names = self.names.entry(queue.place).or_default();
        names.insert(Arc::clone(&queue.name), queue.id);
        self.queues.push(Some(queue));
    }

    pub(crate) fn remove(&mut self, id: QueueId, now: StackTime) -> Result<Queue, ServiceError> {
        let queue = self.queues.get_mut(id.0 as usize).and_then(Option::take).ok_or_else(no_queue)?;
        if let Some(names) = self.names.get_mut(&queue.place) {
            names.remove(&queue.name);
        }
        self.deleted.insert((queue.place, Arc::clone(&queue.name)), now);
        Ok(queue)
    }

    pub(crate) fn deleted_at(&self, place: Place, name: &str) -> Option<StackTime> {
        self.deleted.get(&(place, Arc::from(name))).copied()
    }

    pub(crate) fn find(&self, place: Place, name: &str) -> Option<QueueId> {
        self.names.get(&place)?.get(name).copied()
    }

    pub(crate) fn get(&self, id: QueueId) -> Result<&Queue, ServiceError> {
        self.queues.get(id.0 as usize).and_then(Option::as_ref).ok_or_else(no_queue)
    }

    pub(crate) fn get_mut(&mut self, id: QueueId) -> Result<&mut Queue, ServiceError> {
        self.queues.get_mut(id.0 as usize).and_then(Option::as_mut).ok_or_else(no_queue)
    }

    /// The queues of one place, by name.
    pub(crate) fn of(&self, place: Place) -> impl Iterator<Item = &Queue> {
        let names = self.names.get(&place).into_iter().flat_map(BTreeMap::values);
        names.filter_map(|id| self.get(*id).ok())
    }

    /// All queues, by place and name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Queue> {
        self.names.values().flat_map(BTreeMap::values).filter_map(|id| self.get(*id).ok())
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Queue> {
        self.queues.iter_mut().flatten()
    }
}
