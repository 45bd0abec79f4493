//! One pipe, and all of them.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_lambda::{BatchId, Mapping};

use super::input::Spec;
use super::metrics::Counters;
use super::pace::Pace;
use crate::place::Place;
use crate::timers::TimerKey;

/// One pipe in its lifetime: a pipe made anew under the same name has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PipeId(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Running,
    Stopped,
    /// It is gone when what it has under way has ended.
    Deleting,
}

/// Where a batch is that waits for a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Enrichment,
    Target,
}

#[derive(Debug)]
pub(super) struct Pipe {
    pub(super) id: PipeId,
    pub(super) place: Place,
    pub(super) name: String,
    pub(super) arn: String,
    pub(super) spec: Spec,
    pub(super) mapping: Mapping,
    pub(super) stages: BTreeMap<BatchId, Stage>,
    pub(super) state: State,
    pub(super) created: StackTime,
    pub(super) modified: StackTime,
    pub(super) tags: BTreeMap<String, String>,
    pub(super) timer: Option<(StackTime, TimerKey)>,
    pub(super) pace: Pace,
    pub(super) counters: Counters,
}

#[derive(Debug, Default)]
pub(crate) struct Pipes {
    all: BTreeMap<PipeId, Pipe>,
    so_far: u32,
}

impl Pipes {
    /// Without any, and later ones are not taken for earlier ones.
    pub(crate) fn emptied(&self) -> Self {
        Self { all: BTreeMap::new(), so_far: self.so_far }
    }

    pub(super) fn next_id(&mut self) -> PipeId {
        self.so_far += 1;
        PipeId(self.so_far)
    }

    pub(super) fn insert(&mut self, pipe: Pipe) {
        self.all.insert(pipe.id, pipe);
    }

    pub(super) fn remove(&mut self, id: PipeId) {
        self.all.remove(&id);
    }

    pub(super) fn get(&self, id: PipeId) -> Option<&Pipe> {
        self.all.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: PipeId) -> Option<&mut Pipe> {
        self.all.get_mut(&id)
    }

    /// One that is being deleted has no name any more.
    pub(super) fn find(&self, place: Place, name: &str) -> Option<PipeId> {
        self.of(place).find(|pipe| pipe.name == name).map(|pipe| pipe.id)
    }

    pub(super) fn of(&self, place: Place) -> impl Iterator<Item = &Pipe> {
        self.iter().filter(move |pipe| pipe.place == place && pipe.state != State::Deleting)
    }

    /// Those that wait for messages of a queue.
    pub(super) fn waiting_for(&self, queue_arn: &str) -> impl Iterator<Item = &Pipe> {
        self.iter().filter(move |pipe| pipe.spec.source == queue_arn && pipe.mapping.asked().is_some())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Pipe> {
        self.all.values()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Pipe> {
        self.all.values_mut()
    }
}
