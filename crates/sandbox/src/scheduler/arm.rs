//! The timer of each schedule's next occurrence, and what happens when it comes.

use havoq_base::{StackDuration, StackTime};

use super::ScheduleId;
use super::names::ScheduleKey;
use super::occurrence::Occurrence;
use super::schedule::{AfterCompletion, Scheduled, State};
use crate::core::Core;
use crate::schedule::Schedule;
use crate::timers::Timer;

const MINUTE: StackDuration = StackDuration::from_secs(60);

/// How far ahead a one-time schedule is something that will surely happen, like a message's delay.
/// Beyond, it is like a recurring one, whose end nobody waits for.
const NEAR: StackDuration = StackDuration::from_secs(86_400);

impl Core {
    /// Sets the timer of the next occurrence anew. An occurrence at `now` itself is one, unless a wall's
    /// time says so: that minute has begun.
    pub(super) fn arm_schedule(&mut self, now: StackTime, key: &ScheduleKey) {
        let Ok(schedule) = self.scheduler.get_mut(key) else { return };
        if let Some(timer) = schedule.timer.take() {
            self.timers.cancel(timer);
        }
        if schedule.spec.state == State::Disabled {
            return;
        }
        let after = match schedule.spec.schedule {
            Schedule::Rate(_) if !schedule.has_run => now - StackDuration::from_micros(1),
            _ => now,
        };
        let Some(next) = schedule.next(after).map(|next| next.max(now)) else { return };
        let id = schedule.id;
        let is_near = matches!(schedule.spec.schedule, Schedule::At(_)) && next.since(now) <= NEAR;
        let timer = if is_near { Timer::DueOnce { schedule: id } } else { Timer::Due { schedule: id } };
        schedule.timer = Some(self.timers.set(next, timer));
    }

    /// An occurrence has come: it waits for its turn in the window, and the next one gets its timer.
    pub(crate) fn schedule_due(&mut self, now: StackTime, id: ScheduleId) {
        let occurrence_id = self.new_id();
        let Some(key) = self.scheduler.key_of(id) else { return };
        let Some(schedule) = self.scheduler.of_id(id) else { return };
        schedule.timer = None;
        schedule.has_run = true;
        let occurrence = Occurrence::new(schedule, key.clone(), time_told(schedule, now), occurrence_id);
        let window = schedule.spec.window.map(|minutes| MINUTE.times(minutes.into()));
        // The draw is the occurrence's own: other schedules do not shift it.
        let delay = window.map_or(StackDuration::ZERO, |window| {
            let draw = self.draw(&format!("{} {}", occurrence.schedule_arn, occurrence.scheduled));
            StackDuration::from_micros(draw % window.as_micros())
        });
        self.scheduler.occurrences.push(now + delay, occurrence, &mut self.timers);
        self.arm_schedule(now, &key);
    }

    /// Takes back what has had no attempt yet: it was to be done as the schedule was.
    pub(super) fn call_off(&mut self, key: &ScheduleKey) {
        let Ok(schedule) = self.scheduler.get_mut(key) else { return };
        if let Some(timer) = schedule.timer.take() {
            self.timers.cancel(timer);
        }
        let id = schedule.id;
        self.scheduler.occurrences.call_off(id, &mut self.timers);
    }

    pub(super) fn drop_schedule(&mut self, key: &ScheduleKey) {
        self.call_off(key);
        self.scheduler.remove(key);
    }

    /// ActionAfterCompletion: a schedule goes when nothing of it is left to do.
    pub(super) fn complete(&mut self, key: &ScheduleKey, id: ScheduleId) {
        let Some(schedule) = self.scheduler.find(key).filter(|schedule| schedule.id == id) else { return };
        let is_over = schedule.timer.is_none() && schedule.spec.state == State::Enabled;
        let deletes = schedule.spec.after_completion == AfterCompletion::Delete;
        if deletes && is_over && !self.scheduler.occurrences.any_of(id) {
            self.drop_schedule(key);
        }
    }
}

/// The time of an occurrence that was specified, which may lie before the one at which it could happen.
fn time_told(schedule: &Scheduled, now: StackTime) -> StackTime {
    let Scheduled { spec, anchor, .. } = schedule;
    match spec.schedule {
        Schedule::At(_) => spec.schedule.next_in(&spec.zone, *anchor, StackTime::default()).unwrap_or(now),
        Schedule::Rate(_) | Schedule::Cron(_) => now,
    }
}
