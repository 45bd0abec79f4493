//! SetAlarmState, EnableAlarmActions, DisableAlarmActions, DeleteAlarms.

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::Deserialize;

use super::alarm::{AlarmKey, State};
use super::documents;
use super::errors::{invalid_format, not_found, validation};
use super::history::ItemKind;
use super::spec::AlarmState;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct SetAlarmState {
    alarm_name: Option<String>,
    state_value: Option<String>,
    state_reason: Option<String>,
    state_reason_data: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct AlarmNames {
    alarm_names: Option<Vec<String>>,
}

impl Core {
    /// A metric alarm goes back at its next evaluation, a composite one when a child changes
    /// (semantics 4.2).
    pub(crate) fn set_alarm_state(
        &mut self,
        now: StackTime,
        place: Place,
        input: SetAlarmState,
    ) -> Result<(), ServiceError> {
        let mut checks = Checks::default();
        checks.required_text("alarmName", &input.alarm_name, 1, 255);
        checks.required("stateValue", &input.state_value);
        let all = AlarmState::ALL.map(AlarmState::as_str);
        let value = checks.one_of("stateValue", input.state_value.as_deref(), &all, AlarmState::named);
        checks.required_text("stateReason", &input.state_reason, 0, 1023);
        checks.length("stateReasonData", input.state_reason_data.as_deref(), 0, 4000);
        checks.done(validation)?;
        let (Some(name), Some(value), Some(reason)) = (input.alarm_name, value, input.state_reason) else {
            return Err(not_found());
        };
        let key = AlarmKey { place, name };
        if self.cloudwatch.alarms.get(&key).is_none() {
            return Err(not_found());
        }
        let is_json = |data: &String| serde_json::from_str::<serde::de::IgnoredAny>(data).is_ok();
        if !input.state_reason_data.as_ref().is_none_or(is_json) {
            return Err(invalid_format("StateReasonData is not valid JSON"));
        }
        let state = State { value, reason, reason_data: input.state_reason_data, updated: now };
        self.change_state(now, &key, state, &mut Vec::new());
        Ok(())
    }

    /// Names without an alarm are passed over.
    pub(crate) fn switch_alarm_actions(
        &mut self,
        now: StackTime,
        place: Place,
        input: AlarmNames,
        enabled: bool,
    ) -> Result<(), ServiceError> {
        for key in input.keys(place)? {
            let Some(alarm) = self.cloudwatch.alarms.get_mut(&key) else { continue };
            if alarm.actions.enabled == enabled {
                continue;
            }
            alarm.actions.enabled = enabled;
            alarm.configured = now;
            let data = documents::configuration("Update", &key.name, alarm);
            let summary = format!("Alarm \"{}\" updated", key.name);
            self.note(now, &key, ItemKind::ConfigurationUpdate, summary, data);
        }
        Ok(())
    }

    /// Names without an alarm are passed over. An alarm that a composite alarm depends on stays, and
    /// with it all others of the call.
    pub(crate) fn delete_alarms(
        &mut self,
        now: StackTime,
        place: Place,
        input: AlarmNames,
    ) -> Result<(), ServiceError> {
        let keys = input.keys(place)?;
        let alarms = &self.cloudwatch.alarms;
        let is_composite = |key: &&AlarmKey| alarms.get(key).is_some_and(|alarm| alarm.composite().is_some());
        if keys.iter().filter(is_composite).count() > 1 {
            return Err(validation("The request can contain at most one composite alarm"));
        }
        let needed = |key: &&AlarmKey| {
            let stays = |parent: &AlarmKey| parent == *key || !keys.contains(parent);
            let mut parents = alarms.parents(key);
            parents.append(&mut alarms.suppressed_by(key));
            alarms.get(key).is_some() && parents.iter().any(stays)
        };
        let needed: Vec<_> = keys.iter().filter(needed).map(|key| key.name.as_str()).collect();
        if !needed.is_empty() {
            let it = if needed.len() == 1 { "it" } else { "them" };
            return Err(validation(format!(
                "Cannot delete {} as there are composite alarm(s) depending on {it}.",
                needed.join(",")
            )));
        }
        for key in keys {
            let Some(alarm) = self.cloudwatch.alarms.get(&key) else { continue };
            let data = documents::configuration("Delete", &key.name, alarm);
            let summary = format!("Alarm \"{}\" deleted", key.name);
            self.note(now, &key, ItemKind::ConfigurationUpdate, summary, data);
            self.set_phase(&key, None);
            self.cloudwatch.alarms.all.remove(&key);
        }
        self.watch_metrics();
        self.arm_tick(now);
        Ok(())
    }
}

impl AlarmNames {
    fn keys(self, place: Place) -> Result<Vec<AlarmKey>, ServiceError> {
        let mut checks = Checks::default();
        checks.required("alarmNames", &self.alarm_names);
        let names = self.alarm_names.unwrap_or_default();
        checks.count("alarmNames", &names, 100);
        checks.done(validation)?;
        Ok(names.into_iter().map(|name| AlarmKey { place, name }).collect())
    }
}
