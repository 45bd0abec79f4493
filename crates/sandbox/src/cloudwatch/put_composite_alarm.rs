//! PutCompositeAlarm.

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;
use serde::Deserialize;

use super::actions_input::{check_actions, check_arns};
use super::alarm::{Actions, AlarmKey, Kind};
use super::composite::{Composite, Rule, Suppressor};
use super::errors::validation;
use super::members::{Tag, tag_map};
use super::put::NewAlarm;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutCompositeAlarm {
    alarm_name: Option<String>,
    alarm_description: Option<String>,
    alarm_rule: Option<String>,
    actions_enabled: Option<bool>,
    #[serde(rename = "OKActions")]
    ok_actions: Vec<String>,
    alarm_actions: Vec<String>,
    insufficient_data_actions: Vec<String>,
    tags: Vec<Tag>,
    actions_suppressor: Option<String>,
    actions_suppressor_wait_period: Option<i64>,
    actions_suppressor_extension_period: Option<i64>,
}

impl Core {
    pub(crate) fn put_composite_alarm(
        &mut self,
        now: StackTime,
        place: Place,
        input: PutCompositeAlarm,
    ) -> Result<(), ServiceError> {
        input.check()?;
        let actions = input.actions();
        check_arns(&actions, &self.places.name(place).region)?;
        let key = AlarmKey { place, name: input.alarm_name.clone().unwrap_or_default() };
        if self.cloudwatch.alarms.get(&key).is_some_and(|alarm| alarm.composite().is_none()) {
            return Err(validation(format!("A metric alarm with the name {} exists already", key.name)));
        }
        let composite = self.composite(place, &input)?;
        let new = NewAlarm {
            key,
            description: input.alarm_description.clone(),
            actions,
            kind: Kind::Composite(Box::new(composite)),
            tags: tag_map(input.tags),
        };
        self.save_alarm(now, new);
        Ok(())
    }

    fn composite(&self, place: Place, input: &PutCompositeAlarm) -> Result<Composite, ServiceError> {
        let text = input.alarm_rule.clone().unwrap_or_default();
        let rule = Rule::parse(&text).map_err(validation)?;
        let mut missing = Vec::new();
        let mut children: Vec<AlarmKey> = Vec::new();
        for name in rule.alarms() {
            let child = self.alarm_named(place, name);
            if self.cloudwatch.alarms.get(&child).is_none() && !missing.contains(name) {
                missing.push(name.clone());
            }
            if !children.contains(&child) {
                children.push(child);
            }
        }
        if !missing.is_empty() {
            return Err(validation(format!(
                "Could not save the composite alarm as alarms [{}] in the alarm rule do not exist",
                missing.join(", ")
            )));
        }
        let rule = rule.map(&|name| self.alarm_named(place, name));
        let suppressor = self.suppressor(place, input)?;
        Ok(Composite { text, rule, children, suppressor, phase: None })
    }

    fn suppressor(
        &self,
        place: Place,
        input: &PutCompositeAlarm,
    ) -> Result<Option<Suppressor>, ServiceError> {
        let (wait, extension) =
            (input.actions_suppressor_wait_period, input.actions_suppressor_extension_period);
        let Some(text) = &input.actions_suppressor else {
            return match (wait, extension) {
                (None, None) => Ok(None),
                _ => Err(validation(
                    "ActionsSuppressorWaitPeriod and ActionsSuppressorExtensionPeriod can only be set with an \
                     ActionsSuppressor",
                )),
            };
        };
        let (Some(wait), Some(extension)) = (wait, extension) else {
            return Err(validation(
                "ActionsSuppressorWaitPeriod and ActionsSuppressorExtensionPeriod must be set with an \
                 ActionsSuppressor",
            ));
        };
        let alarm = self.alarm_named(place, text);
        if self.cloudwatch.alarms.get(&alarm).is_none() {
            return Err(validation(format!(
                "Could not save the composite alarm as the actions suppressor alarm {text} does not exist"
            )));
        }
        let span = |secs: i64| StackDuration::from_secs(secs.max(0) as u64);
        let (wait, extension) = (span(wait), span(extension));
        Ok(Some(Suppressor { text: text.clone(), alarm, wait, extension }))
    }
}

impl PutCompositeAlarm {
    fn actions(&self) -> Actions {
        Actions {
            enabled: self.actions_enabled.unwrap_or(true),
            ok: self.ok_actions.clone(),
            alarm: self.alarm_actions.clone(),
            insufficient_data: self.insufficient_data_actions.clone(),
        }
    }

    fn check(&self) -> Result<(), ServiceError> {
        let mut checks = Checks::default();
        checks.required_text("alarmName", &self.alarm_name, 1, 255);
        checks.required_text("alarmRule", &self.alarm_rule, 1, 10_240);
        checks.length("alarmDescription", self.alarm_description.as_deref(), 0, 1024);
        checks.length("actionsSuppressor", self.actions_suppressor.as_deref(), 1, 1600);
        checks.range("actionsSuppressorWaitPeriod", self.actions_suppressor_wait_period, 0, i64::MAX);
        checks.range(
            "actionsSuppressorExtensionPeriod",
            self.actions_suppressor_extension_period,
            0,
            i64::MAX,
        );
        checks.tags(&self.tags);
        check_actions(&mut checks, &self.actions());
        checks.done(validation)
    }
}
