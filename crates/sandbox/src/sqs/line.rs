//! Which visible message of a queue comes next: the one thing in which the two types of queues
//! differ all along. Every step costs the logarithm of what the queue holds, whatever it holds.

use std::collections::HashMap;
use std::sync::Arc;

use havoq_base::StackTime;

use super::Seq;
use super::fair::Fair;
use super::groups::Groups;

#[derive(Debug)]
pub(crate) struct Line {
    order: Order,
    /// How many messages are in flight, by group id; groups with none are not listed.
    in_flight: HashMap<Arc<str>, u64>,
}

#[derive(Debug)]
enum Order {
    Standard(Fair),
    Fifo(Groups),
}

/// A message as its line knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<'a> {
    pub(crate) seq: Seq,
    pub(crate) group: Option<&'a Arc<str>>,
}

impl Line {
    pub(crate) fn standard() -> Self {
        Self { order: Order::Standard(Fair::default()), in_flight: HashMap::new() }
    }

    pub(crate) fn fifo() -> Self {
        Self { order: Order::Fifo(Groups::default()), in_flight: HashMap::new() }
    }

    pub(crate) fn is_fifo(&self) -> bool {
        matches!(self.order, Order::Fifo(_))
    }

    /// The message that is delivered next.
    pub(crate) fn first(&self) -> Option<Seq> {
        match &self.order {
            Order::Standard(fair) => fair.first(),
            Order::Fifo(groups) => groups.first(),
        }
    }

    /// The message that one receive takes after this one before it looks at other groups: a FIFO
    /// queue's receive takes as many of a group as it can (semantics 1.13).
    pub(crate) fn next(&self, spot: Spot<'_>) -> Option<Seq> {
        match &self.order {
            Order::Standard(_) => None,
            Order::Fifo(groups) => groups.next(spot.group.map_or("", |group| group), spot.seq),
        }
    }

    pub(crate) fn show(&mut self, spot: Spot<'_>, place: u64) {
        match &mut self.order {
            Order::Standard(fair) => fair.insert(spot.group, place, spot.seq),
            Order::Fifo(groups) => groups.set(&group_of(spot), spot.seq, Some(place)),
        }
    }

    /// Takes a message out of the line that was at `place` in it, or that arrives hidden.
    pub(crate) fn hide(&mut self, spot: Spot<'_>, place: Option<u64>) {
        match &mut self.order {
            Order::Standard(fair) => {
                if let Some(place) = place {
                    fair.remove(spot.group, place);
                }
            }
            Order::Fifo(groups) => groups.set(&group_of(spot), spot.seq, None),
        }
    }

    /// Forgets a message that was at `place`, or hidden.
    pub(crate) fn remove(&mut self, spot: Spot<'_>, place: Option<u64>) {
        match (&mut self.order, place) {
            (Order::Standard(fair), Some(place)) => {
                fair.remove(spot.group, place);
                if let Some(tenant) = spot.group.filter(|tenant| !self.in_flight.contains_key(*tenant)) {
                    fair.forgive_if_gone(tenant);
                }
            }
            (Order::Standard(_), None) => {}
            (Order::Fifo(groups), _) => groups.remove(spot.group.map_or("", |group| group), spot.seq),
        }
    }

    /// A message is in flight, one of `all`.
    pub(crate) fn took(&mut self, group: Option<&Arc<str>>, all: u64) {
        let Some(group) = group else { return };
        let count = self.in_flight.entry(Arc::clone(group)).or_default();
        *count += 1;
        if let Order::Standard(fair) = &mut self.order {
            fair.took(group, *count, all);
        }
    }

    /// A message is not in flight any more.
    pub(crate) fn gave_back(&mut self, now: StackTime, group: Option<&Arc<str>>) {
        let Some(group) = group else { return };
        let Some(count) = self.in_flight.get_mut(group) else { return };
        *count -= 1;
        let left = *count;
        if left == 0 {
            self.in_flight.remove(group);
        }
        if let Order::Standard(fair) = &mut self.order {
            fair.gave_back(now, group, left);
        }
    }

    /// Lets time pass for the tenants that are noisy.
    pub(crate) fn calm(&mut self, now: StackTime) {
        if let Order::Standard(fair) = &mut self.order {
            fair.calm(now);
        }
    }

    /// How many groups have messages in flight.
    pub(crate) fn groups_in_flight(&self) -> u64 {
        self.in_flight.len() as u64
    }

    /// The tenants of a standard queue that has some.
    pub(crate) fn tenants(&self) -> Option<&Fair> {
        match &self.order {
            Order::Standard(fair) => Some(fair).filter(|fair| fair.is_shared()),
            Order::Fifo(_) => None,
        }
    }
}

/// Every message of a FIFO queue has a group: sends without one are refused.
fn group_of(spot: Spot<'_>) -> Arc<str> {
    spot.group.cloned().unwrap_or_default()
}
