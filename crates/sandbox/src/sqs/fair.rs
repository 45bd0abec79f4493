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
    /// Whether there ever was a tenant.
    is_shared: bool,
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
        self.is_shared = true;
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

    /// A message of this tenant came back or went away.
    pub(crate) fn gave_back(&mut self, now: StackTime, tenant: &str, in_flight: u64) {
        if in_flight > 0 {
            return;
        }
        if let Some(since) = self.noisy.get_mut(tenant) {
            since.get_or_insert(now);
        }
        self.forgive_if_gone(tenant);
    }

    /// A tenant that has nothing in flight is quiet when its backlog is gone.
    pub(crate) fn forgive_if_gone(&mut self, tenant: &str) {
        if !self.lines.contains_key(tenant) {
            self.noisy.remove(tenant);
        }
    }

    /// Forgives the tenants that have had nothing in flight for long.
    pub(crate) fn calm(&mut self, now: StackTime) {
        self.noisy.retain(|_, since| since.is_none_or(|since| now < since + CALM));
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    pub(crate) fn is_noisy(&self, tenant: &str) -> bool {
        self.noisy.contains_key(tenant)
    }

    pub(crate) fn noisy_tenants(&self) -> u64 {
        self.noisy.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(secs: u64) -> StackTime {
        StackTime::from_secs(secs)
    }

    /// `a` with its messages at places 1 and 2, `b` at 3, none at 4; `a` is noisy.
    fn noisy() -> (Fair, Arc<str>) {
        let (a, b): (Arc<str>, Arc<str>) = (Arc::from("a"), Arc::from("b"));
        let mut fair = Fair::default();
        for place in [2, 1] {
            fair.insert(Some(&a), place, Seq(place));
        }
        fair.insert(Some(&b), 3, Seq(3));
        fair.insert(None, 4, Seq(4));
        assert_eq!(fair.first(), Some(Seq(1)));
        fair.took(&a, 30, 299);
        (fair, a)
    }

    #[test]
    fn a_noisy_tenant_waits_while_others_have_messages() {
        let (mut fair, a) = noisy();
        assert_eq!(fair.first(), Some(Seq(3)));
        fair.remove(Some(&Arc::from("b")), 3);
        assert_eq!(fair.first(), Some(Seq(4)));
        fair.remove(None, 4);
        assert_eq!(fair.first(), Some(Seq(1)), "nobody else waits");
        fair.remove(Some(&a), 1);
        assert_eq!(fair.first(), Some(Seq(2)));
    }

    #[test]
    fn noisy_is_more_than_a_tenth_and_thirty_at_the_least() {
        for (its, all, noisy) in [(29, 29, false), (30, 300, false), (30, 299, true), (100, 1_000, false)] {
            let mut fair = Fair::default();
            fair.took(&Arc::from("a"), its, all);
            assert_eq!(fair.is_noisy("a"), noisy, "{its} of {all}");
        }
    }

    #[test]
    fn it_is_quiet_again_without_a_backlog_or_after_five_minutes_with_nothing_in_flight() {
        let (mut fair, a) = noisy();
        fair.gave_back(at(0), &a, 1);
        fair.calm(at(1_000));
        assert!(fair.is_noisy("a"), "something is in flight");
        fair.gave_back(at(1_000), &a, 0);
        fair.calm(at(1_299));
        assert!(fair.is_noisy("a"));
        fair.calm(at(1_300));
        assert!(!fair.is_noisy("a"));

        let (mut fair, a) = noisy();
        fair.remove(Some(&a), 1);
        fair.remove(Some(&a), 2);
        fair.gave_back(at(0), &a, 0);
        assert_eq!(fair.noisy_tenants(), 0);
    }
}
