//! The state machine. It is told what happened and what time it is, and says what to do next:
//!
//! ```text
//! receive -> received -> held -> batch -> invoked -> ended ------------> settled: deleted | returned
//!            (filter)    (window, size,     |  ^                            ^
//!                         6 MB, groups)     v  | backoff                    |
//!                                        throttled -> visibility is over ---'
//! ```
//!
//! After each thing that it is told, and when [`Mapping::wakes_at`] has come, its driver asks for
//! [`Mapping::next`] until there is nothing more to do.

use std::collections::{BTreeMap, VecDeque};

use havoq_base::{StackDuration, StackTime};

use super::batch::{Batch, BatchId};
use super::held::{BusyGroups, Waiting};
use super::scale::Scale;
use super::settings::Settings;
use crate::outcome::{Outcome, Reason};
use crate::record::Record;
use crate::returned::Returned;

/// The most messages of one ReceiveMessage.
const LARGEST_RECEIVE: usize = 10;

/// What the driver is to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Receive up to `max` messages, with the queue's own visibility timeout, and wait for them as
    /// long as it takes. The mapping asks for nothing more from the queue before
    /// [`Mapping::received`].
    Receive { max: usize },
    /// Hand this batch to the function: see [`Mapping::batch`].
    Invoke(BatchId),
    /// Delete what is to be deleted, and note what became of the messages.
    Settle(Settled),
}

/// What became of messages that the mapping had.
#[derive(Debug, PartialEq, Eq)]
pub struct Settled {
    /// The batch that they were in; those that the filter does not want were in none.
    pub batch: Option<BatchId>,
    /// To be deleted from the queue.
    pub deleted: Vec<Record>,
    /// Left to their visibility timeouts.
    pub returned: Vec<Record>,
    pub reason: Reason,
}

#[derive(Debug)]
pub struct Mapping {
    settings: Settings,
    enabled: bool,
    waiting: Waiting,
    batches: BTreeMap<BatchId, Batch>,
    busy: BusyGroups,
    scale: Scale,
    /// How many messages it has asked for.
    asked: Option<usize>,
    settled: VecDeque<Settled>,
    batches_so_far: u64,
}

impl Mapping {
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            enabled: true,
            waiting: Waiting::default(),
            batches: BTreeMap::new(),
            busy: BusyGroups::new(),
            scale: Scale::default(),
            asked: None,
            settled: VecDeque::new(),
            batches_so_far: 0,
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What is under way goes on as it was.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// One that is not enabled receives nothing more; what it has goes its way.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
        if !enabled {
            self.asked = None;
        }
    }

    /// How many messages it waits for, while it waits for some.
    pub fn asked(&self) -> Option<usize> {
        self.asked
    }

    /// Messages came, or none. They are back in their queue at `visible_at`.
    pub fn received(&mut self, now: StackTime, records: Vec<Record>, visible_at: StackTime) {
        self.asked = None;
        let (wanted, unwanted): (Vec<_>, Vec<_>) =
            records.into_iter().partition(|record| self.settings.filters.wants(record));
        wanted.into_iter().for_each(|record| self.waiting.push(now, record, visible_at));
        if !unwanted.is_empty() {
            self.settle(None, unwanted, Vec::new(), Reason::Filtered);
        }
    }

    /// The invocation of a batch has ended. One that is not under way is none of the mapping's.
    pub fn ended(&mut self, batch: BatchId, returned: &Returned) {
        let Some(done) = self.take(batch) else { return };
        let outcome = Outcome::of(self.settings.reporting, done.message_ids(), returned);
        if matches!(outcome.reason, Reason::Failed { .. }) {
            self.scale.back_off();
        }
        let records = done.into_records();
        let (failed, succeeded) = records.into_iter().partition(|record| outcome.fails(&record.message_id));
        self.settle(Some(batch), succeeded, failed, outcome.reason);
    }

    /// No concurrency was free for the batch: it is tried again.
    pub fn throttled(&mut self, now: StackTime, batch: BatchId) {
        if let Some(batch) = self.batches.get_mut(&batch) {
            batch.throttle(now);
            self.scale.back_off();
        }
    }

    /// A batch that is under way.
    pub fn batch(&self, batch: BatchId) -> Option<&Batch> {
        self.batches.get(&batch)
    }

    /// How many messages it has in its hands.
    pub fn messages(&self) -> usize {
        self.waiting.len() + self.batches.values().map(|batch| batch.records().count()).sum::<usize>()
    }

    /// How many batches are under way, throttled ones among them.
    pub fn under_way(&self) -> usize {
        self.batches.len()
    }

    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.batches.is_empty() && self.settled.is_empty()
    }

    /// What to do next; nothing until something happens or [`Mapping::wakes_at`] has come.
    pub fn next(&mut self, now: StackTime) -> Option<Action> {
        self.scale.look(now, self.batches.len());
        self.give_up(now);
        if let Some(settled) = self.settled.pop_front() {
            return Some(Action::Settle(settled));
        }
        if let Some(batch) = self.try_again(now) {
            return Some(Action::Invoke(batch));
        }
        if !self.has_room() {
            return None;
        }
        if let Some(held) = self.waiting.cut(now, &self.settings, &self.busy) {
            return Some(Action::Invoke(self.begin(now, Batch::new(held))));
        }
        let max = self.settings.batch_size.saturating_sub(self.waiting.ready(&self.busy));
        let max = max.min(LARGEST_RECEIVE);
        if !self.enabled || self.asked.is_some() || max == 0 {
            return None;
        }
        self.asked = Some(max);
        Some(Action::Receive { max })
    }

    /// When there may be something to do by itself.
    pub fn wakes_at(&self) -> Option<StackTime> {
        let batches = self.batches.values().filter_map(Batch::wakes_at).min();
        let waiting = if self.has_room() {
            self.waiting.due_at(&self.settings, &self.busy)
        } else if self.batches.len() < self.most() {
            self.scale.grows_at()
        } else {
            None
        };
        let back = self.waiting.back_at().filter(|_| self.gives_up_what_waits());
        [batches, waiting, back].into_iter().flatten().min()
    }

    /// Whether one more batch may be under way.
    fn has_room(&self) -> bool {
        self.batches.len() < self.most().min(self.scale.allowed())
    }

    /// With MaximumConcurrency the mapping rather stops receiving than being throttled.
    fn most(&self) -> usize {
        self.settings.maximum_concurrency.map_or(usize::MAX, |most| most as usize)
    }

    fn begin(&mut self, now: StackTime, batch: Batch) -> BatchId {
        self.batches_so_far += 1;
        let id = BatchId(self.batches_so_far);
        self.busy.extend(batch.groups().map(str::to_owned));
        self.batches.insert(id, batch);
        self.scale.look(now, self.batches.len());
        id
    }

    fn take(&mut self, id: BatchId) -> Option<Batch> {
        let batch = self.batches.remove(&id)?;
        batch.groups().for_each(|group| {
            self.busy.remove(group);
        });
        Some(batch)
    }

    /// The next throttled batch whose time has come.
    fn try_again(&mut self, now: StackTime) -> Option<BatchId> {
        self.batches.iter_mut().find_map(|(id, batch)| batch.try_again(now).then_some(*id))
    }

    /// Lets go of messages that are back in their queue.
    fn give_up(&mut self, now: StackTime) {
        let over = self.batches.iter().filter(|(_, batch)| batch.is_over(now));
        let over: Vec<_> = over.map(|(id, _)| *id).collect();
        for id in over {
            if let Some(batch) = self.take(id) {
                self.settle(Some(id), Vec::new(), batch.into_records(), Reason::Throttled);
            }
        }
        if self.gives_up_what_waits() {
            let back = self.waiting.give_up(now);
            if !back.is_empty() {
                self.settle(None, Vec::new(), back, Reason::LeftOver);
            }
        }
    }

    /// While a window gathers messages of a standard queue, those first received may come back to
    /// the queue before it is over; they are handed to the function all the same.
    fn gives_up_what_waits(&self) -> bool {
        self.settings.is_fifo() || self.settings.window == StackDuration::ZERO
    }

    fn settle(
        &mut self,
        batch: Option<BatchId>,
        deleted: Vec<Record>,
        returned: Vec<Record>,
        reason: Reason,
    ) {
        self.settled.push_back(Settled { batch, deleted, returned, reason });
    }
}
