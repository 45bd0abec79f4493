//! A composite alarm is evaluated when it is put, and when a child changes.

use havoq_base::StackTime;

use crate::cloudwatch::alarm::{AlarmKey, State};
use crate::cloudwatch::spec::AlarmState;
use crate::cloudwatch::{dates, documents};
use crate::core::Core;

impl Core {
    /// All children count as what made it change.
    pub(in crate::cloudwatch) fn evaluate_put_composite(
        &mut self,
        now: StackTime,
        key: &AlarmKey,
        verb: &str,
    ) {
        let Some((value, arn, children)) = self.evaluate_rule(key) else { return };
        let reason = format!("{arn} was {verb} and its alarm rule evaluates to {value}");
        self.set_composite(now, key, value, reason, &children, &mut Vec::new());
    }

    /// `path` holds the alarms whose change led here: a rule that leads back to one of them is not
    /// evaluated any more.
    pub(in crate::cloudwatch) fn evaluate_parents(
        &mut self,
        now: StackTime,
        child: &AlarmKey,
        path: &mut Vec<AlarmKey>,
    ) {
        path.push(child.clone());
        for parent in self.cloudwatch.alarms.parents(child) {
            if path.contains(&parent) {
                continue;
            }
            let Some((value, ..)) = self.evaluate_rule(&parent) else { continue };
            let Some(changed) = self.cloudwatch.alarms.get(child) else { continue };
            let State { value: to, updated, .. } = &changed.state;
            let reason = format!("{} transitioned to {to} at {}", changed.arn, dates::long(*updated));
            self.set_composite(now, &parent, value, reason, std::slice::from_ref(child), path);
        }
        path.pop();
    }

    fn evaluate_rule(&self, key: &AlarmKey) -> Option<(AlarmState, String, Vec<AlarmKey>)> {
        let alarms = &self.cloudwatch.alarms;
        let alarm = alarms.get(key)?;
        let composite = alarm.composite()?;
        let is_in =
            |child: &AlarmKey, state| alarms.get(child).is_some_and(|child| child.state.value == state);
        let value = if composite.rule.holds(&is_in) { AlarmState::Alarm } else { AlarmState::Ok };
        Some((value, alarm.arn.clone(), composite.children.clone()))
    }

    fn set_composite(
        &mut self,
        now: StackTime,
        key: &AlarmKey,
        value: AlarmState,
        reason: String,
        triggering: &[AlarmKey],
        path: &mut Vec<AlarmKey>,
    ) {
        let children = triggering.iter().filter_map(|child| self.cloudwatch.alarms.get(child));
        let reason_data = Some(documents::composite_reason_data(children));
        let state = State { value, reason, reason_data, updated: now };
        self.change_state(now, key, state, path);
    }
}
