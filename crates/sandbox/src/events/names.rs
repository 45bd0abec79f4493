//! What buses and rules are called, and how calls name them.

use std::sync::Arc;

use havoq_wire::ServiceError;

use super::errors::no_bus;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::{Place, Places};

/// One bus.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BusKey {
    pub(super) place: Place,
    pub(super) name: Arc<str>,
}

/// One rule of a bus.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RuleKey {
    pub(super) bus: BusKey,
    pub(super) name: Arc<str>,
}

/// The bus that is there from the beginning.
pub(super) const DEFAULT: &str = "default";
const PREFIX: &str = "event-bus/";

impl BusKey {
    pub(super) fn default_of(place: Place) -> Self {
        Self { place, name: Arc::from(DEFAULT) }
    }

    pub(super) fn is_default(&self) -> bool {
        &*self.name == DEFAULT
    }

    pub(super) fn arn(&self, places: &Places) -> String {
        places.arn(self.place, "events", &format!("{PREFIX}{}", self.name))
    }

    /// The bus of this ARN, whether there is one or not. A place that nobody has spoken of has none.
    pub(super) fn of_arn(places: &Places, arn: &str) -> Option<Self> {
        let (place, resource) = places.resource("events", arn)?;
        Some(Self { place, name: Arc::from(resource.strip_prefix(PREFIX)?) })
    }

    /// The bus that a caller means by a name, an ARN or nothing at all.
    pub(super) fn meant(places: &Places, caller: Place, text: Option<&str>) -> Result<Self, ServiceError> {
        match text {
            None => Ok(Self::default_of(caller)),
            Some(arn) if arn.starts_with("arn:") => {
                let name = arn.split_once(PREFIX).map_or(arn, |(_, name)| name);
                Self::of_arn(places, arn).ok_or_else(|| no_bus(name))
            }
            Some(name) => Ok(Self { place: caller, name: Arc::from(name) }),
        }
    }
}

impl RuleKey {
    /// The rules of the default bus are named without it.
    pub(super) fn arn(&self, places: &Places) -> String {
        let resource = match self.bus.is_default() {
            true => format!("rule/{}", self.name),
            false => format!("rule/{}/{}", self.bus.name, self.name),
        };
        places.arn(self.bus.place, "events", &resource)
    }

    pub(super) fn of_arn(places: &Places, arn: &str) -> Option<Self> {
        let (place, resource) = places.resource("events", arn)?;
        let rest = resource.strip_prefix("rule/")?;
        // Names of rules have no slash, those of partner buses do.
        let (bus, name) = rest.rsplit_once('/').unwrap_or((DEFAULT, rest));
        Some(Self { bus: BusKey { place, name: Arc::from(bus) }, name: Arc::from(name) })
    }
}

impl Core {
    pub(super) fn bus_meant(&self, caller: Place, text: Option<&str>) -> Result<BusKey, ServiceError> {
        BusKey::meant(&self.places, caller, text)
    }
}

/// What names of rules and ids of targets are made of.
pub(super) fn is_name_char(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_')
}

pub(super) const NAME_PATTERN: &str = r"[\.\-_A-Za-z0-9]+";

/// A name that must be there.
pub(super) fn check_name(checks: &mut Checks, member: &str, name: &Option<String>, max: usize) {
    checks.required(member, name);
    checks.characters(member, name.as_deref(), NAME_PATTERN, is_name_char);
    checks.length(member, name.as_deref(), 1, max);
}

/// A bus, by name or ARN.
pub(super) fn check_bus_name(checks: &mut Checks, name: Option<&str>) {
    const PATTERN: &str =
        r"(arn:aws[\w-]*:events:[a-z]+-[a-z]+-[\w-]+:[0-9]{12}:event-bus\/)?[/\.\-_A-Za-z0-9]+";
    let is_one = |letter: char| is_name_char(letter) || matches!(letter, '/' | ':');
    checks.characters("eventBusName", name, PATTERN, is_one);
    checks.length("eventBusName", name, 1, 1600);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_buses_have_arns_and_are_found_by_them() {
        let places = Places::new("123456789012", "eu-central-1");
        let default = BusKey::default_of(Place::HOME);
        let orders = BusKey { place: Place::HOME, name: Arc::from("orders") };
        for (bus, arn) in [
            (default, "arn:aws:events:eu-central-1:123456789012:rule/r"),
            (orders, "arn:aws:events:eu-central-1:123456789012:rule/orders/r"),
        ] {
            let rule = RuleKey { bus: bus.clone(), name: Arc::from("r") };
            assert_eq!(rule.arn(&places), arn);
            assert_eq!(RuleKey::of_arn(&places, arn), Some(rule));
            assert_eq!(BusKey::of_arn(&places, &bus.arn(&places)), Some(bus));
        }
        assert_eq!(BusKey::of_arn(&places, "arn:aws:events:eu-central-1:123456789012:rule/r"), None);
    }
}
