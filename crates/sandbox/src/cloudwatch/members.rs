//! Members that several operations have.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::unit::Unit;
use crate::checks::Checks;

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Dimension {
    pub(crate) name: Option<String>,
    pub(crate) value: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Tag {
    pub(crate) key: Option<String>,
    pub(crate) value: Option<String>,
}

/// Names and values; what is missing was complained about.
pub(super) fn pairs(dimensions: &[Dimension]) -> Vec<(String, String)> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    dimensions.iter().map(|dimension| (text(&dimension.name), text(&dimension.value))).collect()
}

pub(super) fn dimensions(pairs: &[(String, String)]) -> Vec<Dimension> {
    let dimension =
        |(name, value): &(String, String)| Dimension { name: Some(name.clone()), value: Some(value.clone()) };
    pairs.iter().map(dimension).collect()
}

pub(super) fn tag_map(tags: Vec<Tag>) -> BTreeMap<String, String> {
    tags.into_iter().filter_map(|tag| Some((tag.key?, tag.value.unwrap_or_default()))).collect()
}

const ALARM_TYPES: [&str; 3] = ["CompositeAlarm", "MetricAlarm", "LogAlarm"];

/// Whether alarms of this type are asked for: without types, metric alarms alone are meant.
pub(super) fn is_of_type(types: &Option<Vec<String>>, name: &str) -> bool {
    match types.as_deref().unwrap_or_default() {
        [] => name == "MetricAlarm",
        types => types.iter().any(|asked| asked == name),
    }
}

impl Checks {
    /// `prefix` is such as `metricData.1.member.`.
    pub(super) fn dimensions(&mut self, prefix: &str, dimensions: &[Dimension]) {
        let values: Vec<_> = dimensions.iter().filter_map(|dimension| dimension.name.as_deref()).collect();
        self.count(&format!("{prefix}dimensions"), &values, 30);
        for (index, dimension) in dimensions.iter().enumerate() {
            let member = format!("{prefix}dimensions.{}.member", index + 1);
            self.required_text(&format!("{member}.name"), &dimension.name, 1, 255);
            self.required_text(&format!("{member}.value"), &dimension.value, 1, 1024);
        }
    }

    pub(super) fn tags(&mut self, tags: &[Tag]) {
        for (index, tag) in tags.iter().enumerate() {
            let member = format!("tags.{}.member", index + 1);
            self.required_text(&format!("{member}.key"), &tag.key, 1, 128);
            self.required_text(&format!("{member}.value"), &tag.value, 0, 256);
        }
    }

    pub(super) fn alarm_types(&mut self, types: &Option<Vec<String>>) {
        for (index, name) in types.iter().flatten().enumerate() {
            self.among(&format!("alarmTypes.{}.member", index + 1), Some(name), &ALARM_TYPES);
        }
    }

    pub(super) fn unit(&mut self, member: &str, unit: Option<&str>) -> Option<Unit> {
        self.one_of(member, unit, &Unit::names(), Unit::named)
    }
}
