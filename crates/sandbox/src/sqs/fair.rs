//! The line of a standard queue: first come, first served, except that the messages of a noisy
//! tenant wait while others have any (semantics 1.14). A tenant is a group id; each message without
//! one is a tenant of its own, which is never noisy.
//!
//! Of AWS's two criteria only the share of the messages in flight is imitated, not the share of
//! processing time, for which no window is documented.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};

use super::Seq;

#[derive(Debug, Default)]
pub(crate) struct Fair {
    /// The visible messages without a tenant, by place.
    free: BTreeMap<u64, Seq>,
    /// The visible messages of each tenant, by place.
    lines: HashMap<Arc<str>, BTreeMap<u64, Seq>>,
    /// Each tenant with visible messages, by the place of the first.
    heads: BTreeMap<u64, Arc<str>>,
    /// The noisy tenants, with the time since which none of their messages is in flight.
    noisy: BTreeMap<Arc<str>, Option<StackTime>>,
}

/// How many messages in flight make a tenant noisy at the least, and of how many in all: more than
/// one in ten.
const NOISY_FROM: u64 = 30;
const SHARE: u64 = 10;

/// How long a noisy tenant must have nothing in flight to be quiet again.
const CALM: StackDuration = StackDuration::from_secs(300);

impl Fair {
    pub(crate) fn first(&self) -> Option<Seq> {
        let quiet = self.heads.iter().find(|(_, tenant)| !self.noisy.contains_key(*tenant));
        let noisy = || self.heads.first_key_value();
        let tenant = quiet.or_else(|| if self.free.is_empty() { noisy() } else { None });
        let of_tenant =
            tenant.and_then(|(place, tenant)| Some((*place, *self.lines.get(tenant)?.get(place)?)));
        let free = self.free.first_key_value().map(|(place, seq)| (*place, *seq));
        [free, of_tenant].into_iter().flatten().min().map(|(_, seq)| seq)
    }

    pub(crate) fn insert(&mut self, tenant: Option<&Arc<str>>, place: u64, seq: Seq) {
        let Some(tenant) = tenant else {
            self.free.insert(place, seq);
            return;
        };
        let line = self.lines.entry(Arc::clone(tenant)).or_default();
        let before = line.first_key_value().map(|(place, _)| *place);
        line.insert(place, seq);
        if before.is_none_or(|before| place < before) {
            before.map(|before| self.heads.remove(&before));
            self.heads.insert(place, Arc::clone(tenant));
        }
    }

    pub(crate) fn remove(&mut self, tenant: Option<&Arc<str>>, place: u64) {
        let Some(tenant) = tenant else {
            self.free.remove(&place);
            return;
        };
        let Some(line) = self.lines.get_mut(tenant) else { return };
        line.remove(&place);
        if self.heads.remove(&place).is_some() {
            match line.first_key_value() {
                Some((next, _)) => {
                    self.heads.insert(*next, Arc::clone(tenant));
                }
                None => {
                    self.lines.remove(tenant);
                }
            }
        }
    }

    /// A message of this tenant was taken: it may be noisy from now on.
    pub(crate) fn took(&mut self, tenant: &Arc<str>, its: u64, all: u64) {
        if its >= NOISY_FROM && its * SHARE > all {
            self.noisy.insert(Arc::clone(tenant), None);
        } else if let Some(since) = self.noisy.get_mut(tenant) {
            *since = None;
        }
    }

    /// A message of this tenant came back or went away. With no message left it is quiet.
    pub(crate) fn gave_back(&mut self, now: StackTime, tenant: &str, in_flight: u64) {
        if in_flight > 0 {
            return;
        }
        if !self.lines.contains_key(tenant) {
            self.noisy.remove(tenant);
        } else if let Some(since) = self.noisy.get_mut(tenant) {
            since.get_or_insert(now);
        }
    }

    /// Forgives the tenants that have had nothing in flight for long.
    pub(crate) fn calm(&mut self, now: StackTime) {
        self.noisy.retain(|_, since| since.is_none_or(|since| now < since + CALM));
    }
}
