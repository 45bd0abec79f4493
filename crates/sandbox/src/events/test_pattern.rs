//! TestEventPattern.

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::errors::validation;
use super::put_rule::parse_pattern;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct TestEventPattern {
    event_pattern: String,
    event: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Tested {
    result: bool,
}

/// What an event must have to be one. The documentation names `resources` too, but AWS was seen to do
/// without.
const MANDATORY: [&str; 6] = ["id", "account", "source", "time", "region", "detail-type"];

impl TestEventPattern {
    pub(crate) fn test(self) -> Result<Tested, ServiceError> {
        let pattern = parse_pattern(&self.event_pattern)?;
        let event: Option<Value> = serde_json::from_str(&self.event).ok();
        let is_one = |event: &Value| MANDATORY.iter().all(|name| event.get(name).is_some());
        let event = event.filter(is_one).ok_or_else(|| validation("Parameter Event is not valid."))?;
        Ok(Tested { result: pattern.matches(&event) })
    }
}
