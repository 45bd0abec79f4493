//! What groups and schedules are called, and their ARNs.

use std::sync::Arc;

use crate::checks::Checks;
use crate::place::{Place, Places};

/// Where everything is that names no group.
pub(super) const DEFAULT: &str = "default";

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupKey {
    pub(super) place: Place,
    pub(super) name: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScheduleKey {
    pub(super) group: GroupKey,
    pub(super) name: Arc<str>,
}

impl GroupKey {
    pub(super) fn new(place: Place, name: Option<&str>) -> Self {
        Self { place, name: Arc::from(name.unwrap_or(DEFAULT)) }
    }

    pub(super) fn arn(&self, places: &Places) -> String {
        places.arn(self.place, "scheduler", &format!("schedule-group/{}", self.name))
    }

    pub(super) fn of_arn(places: &Places, arn: &str) -> Option<Self> {
        let (place, resource) = places.resource("scheduler", arn)?;
        Some(Self { place, name: Arc::from(resource.strip_prefix("schedule-group/")?) })
    }

    pub(super) fn is_default(&self) -> bool {
        &*self.name == DEFAULT
    }
}

impl ScheduleKey {
    pub(super) fn new(place: Place, group: Option<&str>, name: &str) -> Self {
        Self { group: GroupKey::new(place, group), name: Arc::from(name) }
    }

    pub(super) fn arn(&self, places: &Places) -> String {
        let resource = format!("schedule/{}/{}", self.group.name, self.name);
        places.arn(self.group.place, "scheduler", &resource)
    }
}

/// A name that may be absent.
pub(super) fn check(checks: &mut Checks, member: &str, name: Option<&str>) {
    let is_one = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    checks.characters(member, name, "[0-9a-zA-Z-_.]+", is_one);
    checks.length(member, name, 1, 64);
}

pub(super) fn check_required(checks: &mut Checks, member: &str, name: &Option<String>) {
    checks.required(member, name);
    check(checks, member, name.as_deref());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_and_groups_have_arns() {
        let places = Places::new("123456789012", "eu-central-1");
        let key = ScheduleKey::new(Place::HOME, None, "s");
        assert_eq!(key.arn(&places), "arn:aws:scheduler:eu-central-1:123456789012:schedule/default/s");
        let group = GroupKey::new(Place::HOME, Some("g"));
        let arn = "arn:aws:scheduler:eu-central-1:123456789012:schedule-group/g";
        assert_eq!((group.arn(&places).as_str(), GroupKey::of_arn(&places, arn)), (arn, Some(group)));
        assert_eq!(GroupKey::of_arn(&places, &key.arn(&places)), None);
    }
}
