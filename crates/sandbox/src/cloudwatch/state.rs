//! A change of an alarm's state, from whatever cause, and all that follows from it: it goes into
//! the history, its actions are done, and the composite alarms that depend on it are evaluated.

use havoq_base::StackTime;

use super::alarm::{AlarmKey, State};
use super::documents;
use super::history::{Item, ItemKind};
use super::message;
use super::spec::AlarmState;
use crate::acting::Acting;
use crate::core::Core;
use crate::fact::Fact;
use crate::sns::ServicePublish;

/// The principal of alarms.
const SERVICE: &str = "cloudwatch.amazonaws.com";

impl Core {
    /// A state that is none other than before changes nothing: actions are for changes only
    /// (semantics 4.2). `path` holds the alarms whose change led here.
    pub(super) fn change_state(
        &mut self,
        now: StackTime,
        key: &AlarmKey,
        state: State,
        path: &mut Vec<AlarmKey>,
    ) {
        let Some(alarm) =
            self.cloudwatch.alarms.get_mut(key).filter(|alarm| alarm.state.value != state.value)
        else {
            return;
        };
        let (from, to, reason) = (alarm.state.value, state.value, state.reason.clone());
        let data = documents::state_update(&alarm.state, &state);
        alarm.old_value = from;
        let before = std::mem::replace(&mut alarm.state, state);
        let summary = format!("Alarm updated from {from} to {to}");
        self.note(now, key, ItemKind::StateUpdate, summary, data);
        self.emit(now, Fact::AlarmChanged { alarm: key.name.clone(), from, to, reason });
        let is_suppressed = self.suppresses(now, key);
        self.tell_bus(now, key, &before);
        if !is_suppressed {
            self.act(now, key);
        }
        if from == AlarmState::Alarm || to == AlarmState::Alarm {
            for composite in self.cloudwatch.alarms.suppressed_by(key) {
                self.suppressor_changed(now, &composite, to == AlarmState::Alarm);
            }
        }
        self.evaluate_parents(now, key, path);
    }

    /// Does what the alarm's state asks for.
    pub(super) fn act(&mut self, now: StackTime, key: &AlarmKey) {
        let Some(alarm) = self.cloudwatch.alarms.get(key).filter(|alarm| alarm.actions.enabled) else {
            return;
        };
        let place = self.places.name(key.place);
        let message = message::message(place, &key.name, alarm);
        let subject = message::subject(place, &key.name, alarm);
        let (state, changed, source) = (alarm.state.value, alarm.state.updated, alarm.arn.clone());
        for target in alarm.actions.on(state).to_vec() {
            let publish = ServicePublish {
                topic_arn: &target,
                acting: Acting::Service { name: SERVICE, source_arn: &source },
                subject: Some(subject.clone()),
                message: message.clone(),
                trace_header: None,
            };
            let is_topic = target.starts_with("arn:aws:sns:");
            if is_topic && self.publish_as_service(now, publish).is_ok() {
                // What AWS publishes has a text for each protocol.
                let texts = serde_json::json!({ "default": message, "sms": subject }).to_string();
                let summary = format!("Successfully executed action {target}");
                let data = documents::action(&target, changed, Some(&texts), None);
                self.note(now, key, ItemKind::Action, summary, data);
                let alarm = key.name.clone();
                self.emit(now, Fact::AlarmAction { alarm, state, target_arn: target });
            } else {
                let error = if is_topic { NOT_TAKEN } else { NOT_BUILT };
                let summary = format!("Failed to execute action {target}. Received error: \"{error}\"");
                let data = documents::action(&target, changed, None, Some(error));
                self.note(now, key, ItemKind::Action, summary, data);
            }
        }
    }

    pub(super) fn note(
        &mut self,
        at: StackTime,
        key: &AlarmKey,
        kind: ItemKind,
        summary: String,
        data: String,
    ) {
        let alarm_type = self.cloudwatch.alarms.get(key).map_or("MetricAlarm", |alarm| alarm.type_name());
        let item = Item { at, alarm: key.clone(), alarm_type, kind, summary, data };
        self.cloudwatch.history.push(item);
    }
}

/// There is no such topic, or its policy does not let alarms publish.
const NOT_TAKEN: &str = "CloudWatch Alarms is not authorized to perform: SNS:Publish on the resource";

const NOT_BUILT: &str = "actions other than on SNS topics are not implemented in havoq's sandbox yet";
