//! All groups and schedules.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_wire::ServiceError;

use super::ScheduleId;
use super::errors::{no_group, no_schedule};
use super::group::Group;
use super::names::{DEFAULT, GroupKey, ScheduleKey};
use super::occurrence::Occurrences;
use super::schedule::Scheduled;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default)]
pub(crate) struct Scheduler {
    pub(super) groups: BTreeMap<GroupKey, Group>,
    schedules: BTreeMap<ScheduleKey, Scheduled>,
    keys: BTreeMap<ScheduleId, ScheduleKey>,
    /// Counts the schedules that were ever made.
    made: u64,
    pub(super) occurrences: Occurrences,
}

impl Scheduler {
    pub(super) fn next_id(&mut self) -> ScheduleId {
        self.made += 1;
        ScheduleId(self.made)
    }

    pub(super) fn insert(&mut self, key: ScheduleKey, schedule: Scheduled) {
        self.keys.insert(schedule.id, key.clone());
        self.schedules.insert(key, schedule);
    }

    pub(super) fn find(&self, key: &ScheduleKey) -> Option<&Scheduled> {
        self.schedules.get(key)
    }

    pub(super) fn get(&self, key: &ScheduleKey) -> Result<&Scheduled, ServiceError> {
        self.find(key).ok_or_else(|| no_schedule(&key.name))
    }

    pub(super) fn get_mut(&mut self, key: &ScheduleKey) -> Result<&mut Scheduled, ServiceError> {
        self.schedules.get_mut(key).ok_or_else(|| no_schedule(&key.name))
    }

    /// A schedule in its lifetime: one made anew under the same name is another.
    pub(super) fn of_id(&mut self, id: ScheduleId) -> Option<&mut Scheduled> {
        self.schedules.get_mut(self.keys.get(&id)?)
    }

    pub(super) fn key_of(&self, id: ScheduleId) -> Option<ScheduleKey> {
        self.keys.get(&id).cloned()
    }

    pub(super) fn remove(&mut self, key: &ScheduleKey) -> Option<Scheduled> {
        let removed = self.schedules.remove(key)?;
        self.keys.remove(&removed.id);
        Some(removed)
    }

    /// The schedules of a place, by group and name.
    pub(super) fn schedules_in(&self, place: Place) -> impl Iterator<Item = (&ScheduleKey, &Scheduled)> {
        self.schedules.iter().filter(move |(key, _)| key.group.place == place)
    }

    pub(super) fn group(&self, key: &GroupKey) -> Result<&Group, ServiceError> {
        self.groups.get(key).ok_or_else(|| no_group(&key.name))
    }

    pub(super) fn group_mut(&mut self, key: &GroupKey) -> Result<&mut Group, ServiceError> {
        self.groups.get_mut(key).ok_or_else(|| no_group(&key.name))
    }
}

impl Core {
    /// Each place has its default group from the beginning.
    pub(super) fn keep_default_group(&mut self, now: StackTime, place: Place) {
        let key = GroupKey::new(place, Some(DEFAULT));
        self.scheduler.groups.entry(key).or_insert_with(|| Group::new(now));
    }
}
