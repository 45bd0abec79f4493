//! One rule of a bus.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_pattern::EventPattern;
use serde::Serialize;
use serde_json::{Value, json};

use super::names::RuleKey;
use super::target::Target;
use crate::schedule::Schedule;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) enum RuleState {
    #[default]
    #[serde(rename = "ENABLED")]
    Enabled,
    #[serde(rename = "DISABLED")]
    Disabled,
    /// It matches the events of all API calls that CloudTrail tells of too; here nothing tells any.
    #[serde(rename = "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS")]
    EnabledWithCloudTrail,
}

impl RuleState {
    pub(super) const NAMES: [&str; 3] =
        ["ENABLED", "DISABLED", "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"];

    pub(super) fn named(name: &str) -> Option<Self> {
        let all = [Self::Enabled, Self::Disabled, Self::EnabledWithCloudTrail];
        all.into_iter().zip(Self::NAMES).find_map(|(state, own)| (own == name).then_some(state))
    }
}

/// A pattern, and as it was given.
#[derive(Clone, Debug)]
pub(super) struct RulePattern {
    pub(super) text: String,
    pub(super) parsed: EventPattern,
}

/// A schedule expression, and as it was given.
#[derive(Clone, Debug)]
pub(super) struct RuleSchedule {
    pub(super) text: String,
    pub(super) parsed: Schedule,
}

#[derive(Debug)]
pub(crate) struct Rule {
    pub(super) key: RuleKey,
    pub(super) arn: Arc<str>,
    pub(super) pattern: Option<RulePattern>,
    pub(super) schedule: Option<RuleSchedule>,
    pub(super) state: RuleState,
    pub(super) description: Option<String>,
    pub(super) role_arn: Option<String>,
    /// The account that made it.
    pub(super) created_by: Arc<str>,
    pub(super) tags: BTreeMap<String, String>,
    /// By id.
    pub(super) targets: BTreeMap<String, Arc<Target>>,
}

impl Rule {
    pub(super) fn is_enabled(&self) -> bool {
        self.state != RuleState::Disabled
    }

    /// Whether it takes an event that reached its bus.
    pub(super) fn takes(&self, event: &Value) -> bool {
        self.is_enabled() && self.pattern.as_ref().is_some_and(|pattern| pattern.parsed.matches(event))
    }

    /// As ListRules shows it.
    pub(super) fn listed(&self) -> Value {
        let mut listed = json!({
            "Name": &*self.key.name,
            "Arn": &*self.arn,
            "State": self.state,
            "EventBusName": &*self.key.bus.name,
        });
        let optional = [
            ("EventPattern", self.pattern.as_ref().map(|pattern| &pattern.text)),
            ("ScheduleExpression", self.schedule.as_ref().map(|schedule| &schedule.text)),
            ("Description", self.description.as_ref()),
            ("RoleArn", self.role_arn.as_ref()),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                listed[name] = json!(value);
            }
        }
        listed
    }
}
