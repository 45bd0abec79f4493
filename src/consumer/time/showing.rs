//! Which consumers follow the stack's clock, proven by each process that polls.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};

use super::library::Preload;
use super::proof::{Poller, poller};
use crate::history::{Instance, Kind, Recorder, Source};
use crate::tap::Witness;

/// What is known of one attempt's consumers. Each is held to its worst process: what one of them
/// wrote down by its own clock, the others may read.
#[derive(Debug)]
pub struct Showing {
    recorder: Recorder,
    /// Or why nobody can be shown the clock; nothing where it never jumps.
    preload: Option<Result<Preload, String>>,
    /// The consumers that are to keep their own time, and why.
    own: BTreeMap<String, &'static str>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What is on record already.
    told: BTreeSet<(Instance, Option<u32>, bool)>,
    /// By consumer, the first proof that it keeps its own time.
    keeps_own: BTreeMap<String, String>,
}

impl Showing {
    /// `own` are the consumers that are not to follow, and why.
    pub fn new(
        recorder: Recorder,
        preload: Option<Result<Preload, String>>,
        own: BTreeMap<String, &'static str>,
    ) -> Self {
        Self { recorder, preload, own, state: Mutex::default() }
    }

    /// What the processes of the consumer are handed.
    pub(crate) fn preload_for(&self, consumer: &str) -> Option<&Preload> {
        self.preload.as_ref()?.as_ref().ok().filter(|_| !self.own.contains_key(consumer))
    }

    /// Why the wall clock of the consumer does not go with the stack's, if one of its processes has
    /// polled without it.
    pub fn keeps_own_time(&self, consumer: &str) -> Option<String> {
        self.with_state(|state| state.keeps_own.get(consumer).cloned())
    }

    fn look(&self, by: &Instance, peer: SocketAddr, tap: SocketAddr) -> Option<Poller> {
        // A clock that never jumps is everyone's.
        let preload = self.preload.as_ref()?;
        if let Some(why) = self.own.get(&by.consumer) {
            return Some(Poller::KeepsOwnTime(None, (*why).to_owned()));
        }
        Some(match preload {
            Ok(preload) => poller(&preload.shared, peer, tap),
            Err(why) => Poller::KeepsOwnTime(None, why.clone()),
        })
    }

    fn with_state<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Witness for Showing {
    fn polls(&self, by: &Instance, peer: SocketAddr, tap: SocketAddr) {
        let (pid, reason) = match self.look(by, peer, tap) {
            Some(Poller::Follows(pid)) => (Some(pid), None),
            Some(Poller::KeepsOwnTime(pid, reason)) => (pid, Some(reason)),
            Some(Poller::Gone) | None => return,
        };
        let follows = reason.is_none();
        let news = self.with_state(|state| {
            if let Some(reason) = &reason {
                state.keeps_own.entry(by.consumer.clone()).or_insert_with(|| reason.clone());
            }
            state.told.insert((by.clone(), pid, follows))
        });
        if news {
            self.recorder.record(Source::Tap, Kind::ConsumerTime { by: by.clone(), pid, follows, reason });
        }
    }
}
