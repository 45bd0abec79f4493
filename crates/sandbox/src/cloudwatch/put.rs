//! Putting an alarm, of either kind: a new one begins without enough data, an update keeps the
//! state (semantics 4.1).

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_wire::ServiceError;

use super::alarm::{Actions, Alarm, AlarmId, AlarmKey, Kind, State};
use super::documents;
use super::history::ItemKind;
use super::metric_rule::MetricRule;
use super::spec::{AlarmSpec, AlarmState};
use crate::core::Core;
use crate::place::Place;

/// An alarm as it is put.
#[derive(Debug)]
pub(super) struct NewAlarm {
    pub(super) key: AlarmKey,
    pub(super) description: Option<String>,
    pub(super) actions: Actions,
    pub(super) kind: Kind,
    /// Tags are for new alarms; an update leaves them as they are.
    pub(super) tags: BTreeMap<String, String>,
}

impl Core {
    /// Puts a metric alarm in process, and gives its ARN.
    pub(crate) fn put_alarm(&mut self, now: StackTime, spec: AlarmSpec) -> Result<String, ServiceError> {
        let rule = MetricRule::from(&spec);
        rule.check()?;
        let key = AlarmKey { place: Place::HOME, name: spec.name };
        let actions = Actions {
            enabled: spec.actions_enabled,
            ok: spec.ok_actions,
            alarm: spec.alarm_actions,
            insufficient_data: spec.insufficient_data_actions,
        };
        let kind = Kind::Metric(Box::new(rule));
        let new = NewAlarm { key: key.clone(), description: None, actions, kind, tags: BTreeMap::new() };
        self.save_alarm(now, new);
        Ok(self.alarm_arn(&key))
    }

    /// Whether it was new.
    pub(super) fn save_alarm(&mut self, now: StackTime, new: NewAlarm) -> bool {
        let NewAlarm { key, description, actions, kind, tags } = new;
        // What it becomes ends what waited: the suppressor, and even the kind, may be another.
        self.set_phase(&key, None);
        let arn = self.alarm_arn(&key);
        let is_composite = matches!(kind, Kind::Composite(_));
        let before = self.cloudwatch.alarms.all.remove(&key);
        let is_new = before.is_none();
        let alarm = match before {
            Some(old) => Alarm { description, actions, kind, configured: now, ..old },
            None => Alarm {
                id: self.cloudwatch.alarms.next_id(),
                arn,
                description,
                actions,
                kind,
                tags,
                configured: now,
                created: now,
                is_warm: false,
                old_value: AlarmState::InsufficientData,
                state: State::initial(now),
            },
        };
        let (change, verb) = if is_new { ("Create", "created") } else { ("Update", "updated") };
        let data = documents::configuration(change, &key.name, &alarm);
        self.cloudwatch.alarms.all.insert(key.clone(), alarm);
        let summary = format!("Alarm \"{}\" {verb}", key.name);
        self.note(now, &key, ItemKind::ConfigurationUpdate, summary, data);
        self.watch_metrics();
        self.arm_tick(now);
        if is_composite {
            self.evaluate_put_composite(now, &key, verb);
        }
        is_new
    }

    /// Metrics that alarms are on are made known as they change.
    pub(super) fn watch_metrics(&mut self) {
        let super::CloudWatch { alarms, metrics, .. } = &mut self.cloudwatch;
        metrics.watch(alarms.all.iter().filter_map(|(key, alarm)| {
            let rule = alarm.metric_rule()?;
            Some((key.place, &rule.metric))
        }));
    }

    pub(super) fn alarm_arn(&self, key: &AlarmKey) -> String {
        self.places.arn(key.place, "cloudwatch", &format!("alarm:{}", key.name))
    }

    /// The alarm that a name or an ARN means, seen from a place.
    pub(super) fn alarm_named(&self, place: Place, text: &str) -> AlarmKey {
        let resource = self.places.resource("cloudwatch", text);
        let named = resource.and_then(|(place, resource)| Some((place, resource.strip_prefix("alarm:")?)));
        let (place, name) = named.unwrap_or((place, text));
        AlarmKey { place, name: name.to_owned() }
    }
}

impl super::alarm::Alarms {
    fn next_id(&mut self) -> AlarmId {
        self.made_so_far += 1;
        AlarmId(self.made_so_far)
    }
}
