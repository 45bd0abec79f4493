//! A batch under way: handed to the function, or throttled and tried again.

use bytes::Bytes;
use havoq_base::{StackDuration, StackTime};

use super::held::Held;
use crate::record::{Record, event};

/// One batch of one mapping; numbers are not given out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BatchId(pub(super) u64);

#[derive(Debug)]
pub struct Batch {
    held: Vec<Held>,
    /// When it is tried again, if it is throttled.
    next: Option<StackTime>,
    /// How often it was throttled.
    throttled: u32,
}

const FIRST_WAIT: StackDuration = StackDuration::from_secs(1);
/// The longest that a throttled batch waits for another try. AWS gives no numbers.
const LONGEST_WAIT: StackDuration = StackDuration::from_secs(30);

impl Batch {
    pub(super) fn new(held: Vec<Held>) -> Self {
        Self { held, next: None, throttled: 0 }
    }

    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.held.iter().map(|held| &held.record)
    }

    pub fn message_ids(&self) -> impl Iterator<Item = &str> + Clone {
        self.held.iter().map(|held| &*held.record.message_id)
    }

    /// The event that the function gets.
    pub fn payload(&self) -> Bytes {
        event(self.held.iter().map(|held| &*held.json))
    }

    pub(super) fn groups(&self) -> impl Iterator<Item = &str> {
        self.records().filter_map(Record::ordered_group)
    }

    pub(super) fn into_records(self) -> Vec<Record> {
        self.held.into_iter().map(|held| held.record).collect()
    }

    /// When the first of its messages is back in the queue.
    pub(super) fn back_at(&self) -> Option<StackTime> {
        self.held.iter().map(|held| held.visible_at).min()
    }

    pub(super) fn throttle(&mut self, now: StackTime) {
        let wait = FIRST_WAIT.times(1 << self.throttled.min(16)).min(LONGEST_WAIT);
        self.next = Some(now + wait);
        self.throttled += 1;
    }

    /// Whether it is time to try a throttled one again; it is not throttled any more then.
    pub(super) fn try_again(&mut self, now: StackTime) -> bool {
        self.next.take_if(|next| *next <= now).is_some()
    }

    /// Whether it is throttled, and its messages are back in the queue.
    pub(super) fn is_over(&self, now: StackTime) -> bool {
        self.next.is_some() && self.back_at().is_some_and(|back| back <= now)
    }

    /// When something is to be done about it by itself.
    pub(super) fn wakes_at(&self) -> Option<StackTime> {
        self.next.map(|next| self.back_at().map_or(next, |back| back.min(next)))
    }
}
