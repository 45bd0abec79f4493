//! What is on its way: one entry and at most one timer for each message and subscription, however
//! many attempts there are. In front of a FIFO queue, those of one group wait in line.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;

use super::SubscriptionId;
use super::http::Outbound;
use super::notification::Notification;
use super::subscription::Subscription;
use crate::timers::{Timer, TimerKey, Timers};

/// One message on its way to one subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DeliveryId(u64);

#[derive(Clone, Debug)]
pub(super) enum Letter {
    Notification(Arc<Notification>, Occasion),
    /// The endpoint is asked whether it wants to hear.
    Confirmation {
        id: MessageId,
        at: StackTime,
    },
}

/// Why a notification is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occasion {
    Published,
    /// It came from the topic's archive.
    Replayed,
}

#[derive(Debug)]
pub(super) struct Pending {
    pub(super) subscription: SubscriptionId,
    pub(super) subscription_arn: Arc<str>,
    pub(super) letter: Letter,
    /// How many attempts were made.
    pub(super) attempts: u32,
    /// None while it waits in line, or for an answer over HTTP.
    pub(super) timer: Option<TimerKey>,
    /// Since when it is only tried at long intervals, all of which fail while the outage lasts.
    pub(super) steady_since: Option<StackTime>,
    lane: Option<Lane>,
}

/// A group of a FIFO topic, on its way to one queue.
type Lane = (SubscriptionId, String);

#[derive(Debug, Default)]
pub(crate) struct Pendings {
    next: u64,
    all: BTreeMap<DeliveryId, Pending>,
    lanes: BTreeMap<Lane, VecDeque<DeliveryId>>,
    /// Requests that nobody has sent yet.
    pub(super) outbox: Vec<Outbound>,
    /// How many requests have no answer yet.
    pub(super) posted: usize,
}

impl Pendings {
    /// Nothing on its way. Requests that were sent have no answer yet, and their numbers are not
    /// given out again, lest an answer be taken for that of another one.
    pub(crate) fn emptied(&self) -> Self {
        Self { next: self.next, posted: self.posted.saturating_sub(self.outbox.len()), ..Self::default() }
    }

    /// Takes a letter. It is due now, or when those before it in its group have come to an end.
    pub(super) fn push(
        &mut self,
        now: StackTime,
        sub: &Subscription,
        letter: Letter,
        group: Option<String>,
        timers: &mut Timers,
    ) {
        let id = DeliveryId(self.next);
        self.next += 1;
        let lane = group.map(|group| (sub.id, group));
        let mut is_first = true;
        if let Some(lane) = &lane {
            let line = self.lanes.entry(lane.clone()).or_default();
            is_first = line.is_empty();
            line.push_back(id);
        }
        let timer = is_first.then(|| timers.set(now, Timer::Deliver { delivery: id }));
        let pending = Pending {
            subscription: sub.id,
            subscription_arn: Arc::clone(&sub.arn),
            letter,
            attempts: 0,
            timer,
            steady_since: None,
            lane,
        };
        self.all.insert(id, pending);
    }

    pub(super) fn get(&self, id: DeliveryId) -> Option<&Pending> {
        self.all.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: DeliveryId) -> Option<&mut Pending> {
        self.all.get_mut(&id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (DeliveryId, &Pending)> {
        self.all.iter().map(|(id, pending)| (*id, pending))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (DeliveryId, &mut Pending)> {
        self.all.iter_mut().map(|(id, pending)| (*id, pending))
    }

    /// Sets the timer of the next attempt.
    pub(super) fn schedule(&mut self, at: StackTime, id: DeliveryId, timers: &mut Timers) {
        if let Some(pending) = self.all.get_mut(&id) {
            pending.timer = Some(timers.set(at, Timer::Deliver { delivery: id }));
        }
    }

    /// Takes out what has come to its end; the next of its group is due.
    pub(super) fn finish(&mut self, now: StackTime, id: DeliveryId, timers: &mut Timers) -> Option<Pending> {
        let pending = self.all.remove(&id)?;
        if let Some(timer) = pending.timer {
            timers.cancel(timer);
        }
        if let Some(lane) = &pending.lane {
            let line = self.lanes.get_mut(lane)?;
            // Whoever is not the first leaves the others as they are.
            let was_first = line.front() == Some(&id);
            line.retain(|other| *other != id);
            match line.front().copied() {
                Some(next) if was_first => self.schedule(now, next, timers),
                Some(_) => {}
                None => {
                    self.lanes.remove(lane);
                }
            }
        }
        Some(pending)
    }

    /// How many have not come to their end.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }
}
