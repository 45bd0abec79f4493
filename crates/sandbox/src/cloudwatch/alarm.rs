//! An alarm of either kind: what it is, what state it is in, and all alarms together.

use std::collections::{BTreeMap, BTreeSet};

use havoq_base::StackTime;

use super::composite::Composite;
use super::metric_rule::MetricRule;
use super::spec::AlarmState;
use crate::place::Place;

/// Names an alarm: names are unique in a place, whatever the kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AlarmKey {
    pub(crate) place: Place,
    pub(crate) name: String,
}

/// One alarm in its lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AlarmId(pub(crate) u64);

#[derive(Debug)]
pub(crate) struct Alarm {
    pub(crate) id: AlarmId,
    pub(crate) arn: String,
    pub(crate) description: Option<String>,
    pub(crate) actions: Actions,
    pub(crate) kind: Kind,
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) configured: StackTime,
    pub(crate) created: StackTime,
    /// Whether it is past its warm-up.
    pub(crate) is_warm: bool,
    /// The state before the one it is in.
    pub(crate) old_value: AlarmState,
    pub(crate) state: State,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Metric(Box<MetricRule>),
    Composite(Box<Composite>),
}

/// What is done on a change of state: ARNs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Actions {
    pub(crate) enabled: bool,
    pub(crate) ok: Vec<String>,
    pub(crate) alarm: Vec<String>,
    pub(crate) insufficient_data: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) value: AlarmState,
    pub(crate) reason: String,
    /// JSON.
    pub(crate) reason_data: Option<String>,
    pub(crate) updated: StackTime,
}

/// The alarms of all places.
#[derive(Debug, Default)]
pub(crate) struct Alarms {
    pub(crate) all: BTreeMap<AlarmKey, Alarm>,
    pub(crate) made_so_far: u64,
}

impl Actions {
    pub(crate) fn on(&self, state: AlarmState) -> &[String] {
        match state {
            AlarmState::Ok => &self.ok,
            AlarmState::Alarm => &self.alarm,
            AlarmState::InsufficientData => &self.insufficient_data,
        }
    }
}

impl State {
    /// Of an alarm just made (semantics 4.1).
    pub(crate) fn initial(now: StackTime) -> Self {
        let reason = "Unchecked: Initial alarm creation".to_owned();
        Self { value: AlarmState::InsufficientData, reason, reason_data: None, updated: now }
    }
}

impl Alarm {
    pub(crate) fn metric_rule(&self) -> Option<&MetricRule> {
        match &self.kind {
            Kind::Metric(rule) => Some(rule),
            Kind::Composite(_) => None,
        }
    }

    pub(crate) fn composite(&self) -> Option<&Composite> {
        match &self.kind {
            Kind::Metric(_) => None,
            Kind::Composite(composite) => Some(composite),
        }
    }

    /// AlarmType.
    pub(crate) fn type_name(&self) -> &'static str {
        match self.kind {
            Kind::Metric(_) => "MetricAlarm",
            Kind::Composite(_) => "CompositeAlarm",
        }
    }
}

impl Alarms {
    pub(crate) fn get(&self, key: &AlarmKey) -> Option<&Alarm> {
        self.all.get(key)
    }

    pub(crate) fn get_mut(&mut self, key: &AlarmKey) -> Option<&mut Alarm> {
        self.all.get_mut(key)
    }

    pub(crate) fn of(&self, place: Place) -> impl Iterator<Item = (&AlarmKey, &Alarm)> {
        self.all.iter().filter(move |(key, _)| key.place == place)
    }

    /// The composite alarms whose rules name this alarm.
    pub(crate) fn parents(&self, key: &AlarmKey) -> BTreeSet<AlarmKey> {
        let names =
            |alarm: &Alarm| alarm.composite().is_some_and(|composite| composite.children.contains(key));
        self.all.iter().filter(|(_, alarm)| names(alarm)).map(|(key, _)| key.clone()).collect()
    }

    /// The composite alarms whose actions this alarm suppresses.
    pub(crate) fn suppressed_by(&self, key: &AlarmKey) -> BTreeSet<AlarmKey> {
        let names = |alarm: &Alarm| {
            let suppressor = alarm.composite().and_then(|composite| composite.suppressor.as_ref());
            suppressor.is_some_and(|suppressor| suppressor.alarm == *key)
        };
        self.all.iter().filter(|(_, alarm)| names(alarm)).map(|(key, _)| key.clone()).collect()
    }

    pub(crate) fn key_of(&self, id: AlarmId) -> Option<AlarmKey> {
        self.all.iter().find(|(_, alarm)| alarm.id == id).map(|(key, _)| key.clone())
    }
}
