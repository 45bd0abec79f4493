//! Holding a composite alarm's actions back: while its suppressor is in ALARM, for a time before
//! that, in which it may go there, and for a time after that, in which the composite may calm down.
//!
//! ```text
//!  change of state ──suppressor in ALARM──> Suppressed ──it leaves ALARM──> Extended
//!        │                                      ↑  ↑                           │
//!        └──────────otherwise──────> Waiting ───┘  └─────goes into ALARM───────┤
//!                                       └────────time is over──> act <─────────┘
//! ```
//!
//! A change of state begins anew, wherever it was. What is done is what the state of that time asks
//! for.

use havoq_base::{StackDuration, StackTime};

use super::model::Phase;
use crate::cloudwatch::alarm::{AlarmId, AlarmKey, Kind};
use crate::cloudwatch::spec::AlarmState;
use crate::core::Core;
use crate::timers::{Timer, TimerKey};

impl Core {
    /// After a change of state: whether the actions have to wait.
    pub(in crate::cloudwatch) fn suppresses(&mut self, now: StackTime, key: &AlarmKey) -> bool {
        let alarms = &self.cloudwatch.alarms;
        let composite = alarms.get(key).and_then(|alarm| alarm.composite());
        let Some(suppressor) = composite.and_then(|composite| composite.suppressor.clone()) else {
            return false;
        };
        let suppressing =
            alarms.get(&suppressor.alarm).map(|alarm| alarm.state.value) == Some(AlarmState::Alarm);
        let phase = if suppressing {
            Some(Phase::Suppressed)
        } else {
            self.time_out(now, key, suppressor.wait).map(|until| Phase::Waiting { until })
        };
        self.set_phase(key, phase);
        phase.is_some()
    }

    /// The suppressor of this composite alarm went into ALARM, or left it.
    pub(in crate::cloudwatch) fn suppressor_changed(
        &mut self,
        now: StackTime,
        key: &AlarmKey,
        into_alarm: bool,
    ) {
        let composite = self.cloudwatch.alarms.get(key).and_then(|alarm| alarm.composite());
        let Some(composite) = composite else { return };
        let extension = composite.suppressor.as_ref().map_or(StackDuration::ZERO, |by| by.extension);
        match composite.phase {
            Some(Phase::Waiting { .. } | Phase::Extended { .. }) if into_alarm => {
                self.set_phase(key, Some(Phase::Suppressed));
            }
            Some(Phase::Suppressed) if !into_alarm => {
                let until = self.time_out(now, key, extension);
                self.set_phase(key, until.map(|until| Phase::Extended { until }));
                if until.is_none() {
                    self.act(now, key);
                }
            }
            _ => {}
        }
    }

    /// The time is over in which actions waited.
    pub(crate) fn end_suppression(&mut self, now: StackTime, id: AlarmId) {
        let Some(key) = self.cloudwatch.alarms.key_of(id) else { return };
        self.set_phase(&key, None);
        self.act(now, &key);
    }

    pub(in crate::cloudwatch) fn set_phase(&mut self, key: &AlarmKey, phase: Option<Phase>) {
        let alarm = self.cloudwatch.alarms.get_mut(key);
        let Some(Kind::Composite(composite)) = alarm.map(|alarm| &mut alarm.kind) else { return };
        let before = std::mem::replace(&mut composite.phase, phase);
        if let Some(timer) = before.and_then(Phase::timer) {
            self.timers.cancel(timer);
        }
    }

    /// None if there is no time to wait.
    fn time_out(&mut self, now: StackTime, key: &AlarmKey, span: StackDuration) -> Option<TimerKey> {
        let alarm = self.cloudwatch.alarms.get(key).filter(|_| span > StackDuration::ZERO)?.id;
        Some(self.timers.set(now + span, Timer::SuppressionEnd { alarm }))
    }
}
