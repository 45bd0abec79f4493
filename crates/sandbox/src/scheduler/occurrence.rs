//! What is on its way to targets: one entry and one timer for each occurrence of a schedule, however
//! many attempts there are. What had an attempt goes on as it began, whatever becomes of its schedule.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;

use super::ScheduleId;
use super::call::CallError;
use super::names::ScheduleKey;
use super::schedule::Scheduled;
use super::target::Target;
use crate::timers::{Timer, TimerKey, Timers};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OccurrenceId(u64);

#[derive(Debug)]
pub(super) struct Occurrence {
    pub(super) schedule: ScheduleId,
    pub(super) key: ScheduleKey,
    pub(super) schedule_arn: Arc<str>,
    pub(super) target: Arc<Target>,
    /// The time that was specified.
    pub(super) scheduled: StackTime,
    /// Of all attempts together.
    pub(super) execution_id: String,
    /// Of Scheduler's own notification.
    pub(super) notification_id: String,
    /// When the first attempt was made: its age counts from there.
    pub(super) began: Option<StackTime>,
    /// How many attempts were made.
    pub(super) attempts: u32,
    /// What the last one failed of.
    pub(super) error: Option<CallError>,
    timer: Option<TimerKey>,
}

impl Occurrence {
    /// An occurrence of a schedule. `id` is any id.
    pub(super) fn new(schedule: &Scheduled, key: ScheduleKey, scheduled: StackTime, id: String) -> Self {
        Self {
            schedule: schedule.id,
            key,
            schedule_arn: Arc::clone(&schedule.arn),
            target: Arc::clone(&schedule.spec.target),
            scheduled,
            execution_id: id.replace('-', "").get(..16).unwrap_or_default().to_owned(),
            notification_id: id,
            began: None,
            attempts: 0,
            error: None,
            timer: None,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Occurrences {
    made: u64,
    all: BTreeMap<OccurrenceId, Occurrence>,
}

impl Occurrences {
    /// Takes an occurrence whose first attempt is due then.
    pub(super) fn push(&mut self, due: StackTime, occurrence: Occurrence, timers: &mut Timers) {
        let id = OccurrenceId(self.made);
        self.made += 1;
        self.keep(due, id, occurrence, timers);
    }

    /// Takes one back, whose next attempt is due then.
    pub(super) fn keep(
        &mut self,
        due: StackTime,
        id: OccurrenceId,
        mut occurrence: Occurrence,
        timers: &mut Timers,
    ) {
        occurrence.timer = Some(timers.set(due, Timer::Occurrence { occurrence: id }));
        self.all.insert(id, occurrence);
    }

    /// Takes out what is due.
    pub(super) fn take(&mut self, id: OccurrenceId) -> Option<Occurrence> {
        self.all.remove(&id)
    }

    /// Forgets what a schedule has had no attempt of yet.
    pub(super) fn call_off(&mut self, schedule: ScheduleId, timers: &mut Timers) {
        self.all.retain(|_, occurrence| {
            let stays = occurrence.schedule != schedule || occurrence.attempts > 0;
            if !stays && let Some(timer) = occurrence.timer {
                timers.cancel(timer);
            }
            stays
        });
    }

    pub(super) fn any_of(&self, schedule: ScheduleId) -> bool {
        self.all.values().any(|occurrence| occurrence.schedule == schedule)
    }
}
