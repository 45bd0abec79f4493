//! What a composite alarm is made of.

use havoq_base::StackDuration;

use super::rule::Rule;
use crate::cloudwatch::alarm::AlarmKey;
use crate::timers::TimerKey;

#[derive(Debug)]
pub(crate) struct Composite {
    /// As it was given.
    pub(crate) text: String,
    pub(crate) rule: Rule<AlarmKey>,
    /// The alarms that the rule names, each once.
    pub(crate) children: Vec<AlarmKey>,
    pub(crate) suppressor: Option<Suppressor>,
    /// What holds the actions of the last change of state back.
    pub(crate) phase: Option<Phase>,
}

/// The alarm that suppresses actions while it is in ALARM.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Suppressor {
    /// As it was given: a name or an ARN.
    pub(crate) text: String,
    pub(crate) alarm: AlarmKey,
    /// How long actions wait for it to go into ALARM.
    pub(crate) wait: StackDuration,
    /// How long they wait after it went out of ALARM.
    pub(crate) extension: StackDuration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Waiting {
        until: TimerKey,
    },
    Extended {
        until: TimerKey,
    },
    /// The suppressor is in ALARM.
    Suppressed,
}

impl Phase {
    /// ActionsSuppressedBy.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Waiting { .. } => "WaitPeriod",
            Self::Extended { .. } => "ExtensionPeriod",
            Self::Suppressed => "Alarm",
        }
    }

    pub(super) fn timer(self) -> Option<TimerKey> {
        match self {
            Self::Waiting { until } | Self::Extended { until } => Some(until),
            Self::Suppressed => None,
        }
    }
}
