//! Which queues there are. An id is never used again, so what still refers to a deleted queue
//! finds nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_wire::ServiceError;

use super::QueueId;
use super::errors::no_queue;
use super::queue::Queue;

#[derive(Debug, Default)]
pub(crate) struct Registry {
    queues: Vec<Option<Queue>>,
    names: BTreeMap<Arc<str>, QueueId>,
    /// When a name was last given up (semantics 1.12).
    deleted: BTreeMap<Arc<str>, StackTime>,
}

impl Registry {
    pub(crate) fn next_id(&self) -> QueueId {
        QueueId(self.queues.len() as u32)
    }

    pub(crate) fn insert(&mut self, queue: Queue) {
        self.names.insert(Arc::clone(&queue.name), queue.id);
        self.queues.push(Some(queue));
    }

    pub(crate) fn remove(&mut self, id: QueueId, now: StackTime) -> Result<Queue, ServiceError> {
        let queue = self.queues.get_mut(id.0 as usize).and_then(Option::take).ok_or_else(no_queue)?;
        self.names.remove(&queue.name);
        self.deleted.insert(Arc::clone(&queue.name), now);
        Ok(queue)
    }

    pub(crate) fn deleted_at(&self, name: &str) -> Option<StackTime> {
        self.deleted.get(name).copied()
    }

    pub(crate) fn find(&self, name: &str) -> Option<QueueId> {
        self.names.get(name).copied()
    }

    pub(crate) fn find_arn(&self, arn: &str) -> Option<QueueId> {
        let id = self.find(arn.rsplit(':').next()?)?;
        self.get(id).is_ok_and(|queue| &*queue.arn == arn).then_some(id)
    }

    pub(crate) fn get(&self, id: QueueId) -> Result<&Queue, ServiceError> {
        self.queues.get(id.0 as usize).and_then(Option::as_ref).ok_or_else(no_queue)
    }

    pub(crate) fn get_mut(&mut self, id: QueueId) -> Result<&mut Queue, ServiceError> {
        self.queues.get_mut(id.0 as usize).and_then(Option::as_mut).ok_or_else(no_queue)
    }

    /// All queues, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Queue> {
        self.names.values().filter_map(|id| self.get(*id).ok())
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Queue> {
        self.queues.iter_mut().flatten()
    }
}
