//! What a scenario must have for a mutation to change anything.

use crate::scenario::{Action, Scenario};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Consumer,
    /// A step of `inject` that makes messages.
    Messages,
    Effect,
    /// A queue with a redrive policy.
    DeadLetters,
    Alarm,
    AlarmAction,
    /// A kill or a fault of its own.
    Fault,
}

impl Need {
    /// Why the scenario does not have it, if so.
    pub fn lacking(self, scenario: &Scenario) -> Option<&'static str> {
        let alarms = &scenario.stack.alarms;
        let mut steps = scenario.inject.iter();
        let (has, why) = match self {
            Self::Consumer => (!scenario.consumers.is_empty(), "it has no consumer"),
            Self::Messages => (!scenario.injected_labels().is_empty(), "it injects no messages"),
            Self::Effect => (!scenario.effects.is_empty(), "it has no effects"),
            Self::DeadLetters => {
                let has = scenario.stack.queues.values().any(|queue| queue.redrive.is_some());
                (has, "no queue has a redrive policy")
            }
            Self::Alarm => (!alarms.is_empty(), "it has no alarms"),
            Self::AlarmAction => {
                let acts = alarms.values().any(|alarm| {
                    let actions = [&alarm.alarm_actions, &alarm.ok_actions, &alarm.insufficient_data_actions];
                    alarm.actions_enabled && actions.iter().any(|actions| !actions.is_empty())
                });
                (acts, "no alarm has an action")
            }
            Self::Fault => {
                let has = steps.any(|step| matches!(step.action, Action::Kill(_) | Action::Fault(_)));
                (has, "it has no kills and faults")
            }
        };
        (!has).then_some(why)
    }
}
