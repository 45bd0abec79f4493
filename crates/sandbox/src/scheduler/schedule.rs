//! A schedule as it is kept.

use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};
use serde::{Deserialize, Serialize};

use super::ScheduleId;
use super::target::Target;
use crate::schedule::{Schedule, Zone};
use crate::timers::TimerKey;

#[derive(Debug)]
pub(crate) struct Scheduled {
    pub(super) id: ScheduleId,
    pub(super) arn: Arc<str>,
    pub(super) spec: Spec,
    pub(super) created: StackTime,
    pub(super) modified: StackTime,
    /// From when on a rate counts.
    pub(super) anchor: StackTime,
    /// Of the next occurrence, if there is one.
    pub(super) timer: Option<TimerKey>,
    /// Whether there was an occurrence since the expression was last changed.
    pub(super) has_run: bool,
}

/// What the caller says of a schedule, checked.
#[derive(Clone, Debug)]
pub(super) struct Spec {
    pub(super) description: Option<String>,
    /// As it was given.
    pub(super) expression: String,
    pub(super) schedule: Schedule,
    /// By its name.
    pub(super) timezone: String,
    pub(super) zone: Zone,
    pub(super) start: Option<StackTime>,
    pub(super) end: Option<StackTime>,
    pub(super) state: State,
    /// In minutes; exactly on time without one.
    pub(super) window: Option<u32>,
    pub(super) after_completion: AfterCompletion,
    pub(super) kms_key_arn: Option<String>,
    pub(super) target: Arc<Target>,
    pub(super) client_token: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum State {
    Enabled,
    Disabled,
}

/// ActionAfterCompletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum AfterCompletion {
    None,
    Delete,
}

/// As it is given and shown.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct FlexibleTimeWindow {
    pub(super) mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) maximum_window_in_minutes: Option<i64>,
}

impl State {
    pub(super) const WORDS: [&str; 2] = ["ENABLED", "DISABLED"];

    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "ENABLED" => Some(Self::Enabled),
            "DISABLED" => Some(Self::Disabled),
            _ => None,
        }
    }
}

impl AfterCompletion {
    pub(super) const WORDS: [&str; 2] = ["NONE", "DELETE"];

    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "NONE" => Some(Self::None),
            "DELETE" => Some(Self::Delete),
            _ => None,
        }
    }
}

impl Spec {
    pub(super) fn flexible_time_window(&self) -> FlexibleTimeWindow {
        let mode = if self.window.is_some() { "FLEXIBLE" } else { "OFF" };
        let maximum_window_in_minutes = self.window.map(i64::from);
        FlexibleTimeWindow { mode: Some(mode.to_owned()), maximum_window_in_minutes }
    }
}

const INSTANT: StackDuration = StackDuration::from_micros(1);

impl Scheduled {
    /// The next occurrence, `now` being over for what a wall shows. The start and the end are part of
    /// the time in which there are occurrences; for one-time schedules there is neither. One whose time
    /// came while it was disabled, or before it was made, has its occurrence at once.
    pub(super) fn next(&self, now: StackTime) -> Option<StackTime> {
        let Spec { schedule, zone, start, end, .. } = &self.spec;
        match schedule {
            Schedule::At(_) if self.has_run => None,
            Schedule::At(_) => {
                schedule.next_in(zone, self.anchor, StackTime::default()).map(|at| at.max(now))
            }
            Schedule::Rate(_) | Schedule::Cron(_) => {
                let start = start.map_or(StackTime::default(), |start| start - INSTANT);
                let next = schedule.next_in(zone, self.anchor, now.max(start))?;
                Some(next).filter(|next| end.is_none_or(|end| *next <= end))
            }
        }
    }
}
