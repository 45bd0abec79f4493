//! Which mappings there are.

use std::collections::BTreeMap;

use super::SourceId;
use super::source::Source;

#[derive(Debug, Default)]
pub(in crate::lambda) struct Sources {
    sources: Vec<Option<Source>>,
    /// By the queue's ARN, in the order in which they were made.
    by_queue: BTreeMap<String, Vec<SourceId>>,
}

impl Sources {
    pub(super) fn next_id(&self) -> SourceId {
        SourceId(self.sources.len() as u32)
    }

    pub(super) fn insert(&mut self, source: Source) {
        let queue = source.mapping.settings().queue_arn.clone();
        self.by_queue.entry(queue).or_default().push(source.id);
        self.sources.push(Some(source));
    }

    pub(super) fn remove(&mut self, id: SourceId) {
        let Some(gone) = self.sources.get_mut(id.0 as usize).and_then(Option::take) else { return };
        let queue = &gone.mapping.settings().queue_arn;
        if let Some(ids) = self.by_queue.get_mut(queue) {
            ids.retain(|other| *other != id);
            if ids.is_empty() {
                self.by_queue.remove(queue);
            }
        }
    }

    pub(super) fn get(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.0 as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, id: SourceId) -> Option<&mut Source> {
        self.sources.get_mut(id.0 as usize)?.as_mut()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter().flatten()
    }

    /// Whether no queue feeds anything: then nothing has to be looked up.
    pub(super) fn is_empty(&self) -> bool {
        self.by_queue.is_empty()
    }

    pub(super) fn of_queue(&self, arn: &str) -> Vec<SourceId> {
        self.by_queue.get(arn).cloned().unwrap_or_default()
    }
}
