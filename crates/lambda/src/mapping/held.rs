//! The messages that a mapping has received and not yet handed to its function, and how batches are
//! cut off them (semantics 5.1).

use std::collections::BTreeSet;

use havoq_base::StackTime;

use super::settings::Settings;
use crate::record::{FRAME, Record};

/// The most bytes of an invocation's event.
const LARGEST_EVENT: usize = 6 * 1_024 * 1_024;

#[derive(Debug)]
pub(super) struct Held {
    pub(super) record: Record,
    /// The record as the event has it.
    pub(super) json: String,
    pub(super) since: StackTime,
    /// When its visibility timeout is over.
    pub(super) visible_at: StackTime,
}

/// In the order in which they were received.
#[derive(Debug, Default)]
pub(super) struct Waiting(Vec<Held>);

/// The groups of which a batch is under way: no other batch may have messages of them.
pub(super) type BusyGroups = BTreeSet<String>;

impl Waiting {
    /// Takes a message in. One that is here already, and came back to the queue meanwhile, gets its
    /// new receipt handle.
    pub(super) fn push(&mut self, now: StackTime, record: Record, visible_at: StackTime) {
        let json = record.to_json();
        let there = self.0.iter_mut().find(|held| held.record.message_id == record.message_id);
        match there {
            Some(held) => *held = Held { record, json, since: held.since, visible_at },
            None => self.0.push(Held { record, json, since: now, visible_at }),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many could be in a batch now.
    pub(super) fn ready(&self, busy: &BusyGroups) -> usize {
        self.0.iter().filter(|held| !held.is_of(busy)).count()
    }

    /// Takes the next batch out, if it is due: it has the batch's size, the next message would make
    /// its event larger than an event may be, or the window is over.
    pub(super) fn cut(
        &mut self,
        now: StackTime,
        settings: &Settings,
        busy: &BusyGroups,
    ) -> Option<Vec<Held>> {
        let (taken, is_full) = self.first(settings, busy);
        let since = taken.iter().map(|index| self.0[*index].since).min()?;
        if !is_full && since + settings.window > now {
            return None;
        }
        // From the back, so that the indexes stay true.
        let mut batch: Vec<_> = taken.into_iter().rev().map(|index| self.0.remove(index)).collect();
        batch.reverse();
        Some(batch)
    }

    /// What the next batch has, and whether no more fits into it.
    fn first(&self, settings: &Settings, busy: &BusyGroups) -> (Vec<usize>, bool) {
        let (mut taken, mut bytes) = (Vec::new(), FRAME);
        for (index, held) in self.0.iter().enumerate().filter(|(_, held)| !held.is_of(busy)) {
            bytes += held.json.len() + 1;
            if bytes > LARGEST_EVENT && !taken.is_empty() {
                return (taken, true);
            }
            taken.push(index);
            if taken.len() >= settings.batch_size {
                return (taken, true);
            }
        }
        (taken, false)
    }

    /// When the next batch is due by itself.
    pub(super) fn due_at(&self, settings: &Settings, busy: &BusyGroups) -> Option<StackTime> {
        let since = self.0.iter().filter(|held| !held.is_of(busy)).map(|held| held.since).min()?;
        Some(since + settings.window)
    }

    /// When the first one is back in its queue.
    pub(super) fn back_at(&self) -> Option<StackTime> {
        self.0.iter().map(|held| held.visible_at).min()
    }

    /// Takes out what is back in its queue.
    pub(super) fn give_up(&mut self, now: StackTime) -> Vec<Record> {
        let back = self.0.extract_if(.., |held| held.visible_at <= now);
        back.map(|held| held.record).collect()
    }
}

impl Held {
    fn is_of(&self, busy: &BusyGroups) -> bool {
        self.record.ordered_group().is_some_and(|group| busy.contains(group))
    }
}
