//! DescribeAlarmHistory.

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::dates::{epoch, from_epoch};
use super::errors::validation;
use super::history::{Item, ItemKind};
use super::members::is_of_type;
use super::pages::page;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct DescribeAlarmHistory {
    alarm_name: Option<String>,
    alarm_types: Option<Vec<String>>,
    history_item_type: Option<String>,
    start_date: Option<f64>,
    end_date: Option<f64>,
    max_records: Option<i64>,
    next_token: Option<String>,
    scan_by: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct AlarmHistory {
    alarm_history_items: Vec<AlarmHistoryItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct AlarmHistoryItem {
    alarm_name: String,
    alarm_type: &'static str,
    timestamp: f64,
    history_item_type: &'static str,
    history_summary: String,
    history_data: String,
}

pub(super) const SCANS: [&str; 2] = ["TimestampDescending", "TimestampAscending"];

impl Core {
    pub(crate) fn describe_alarm_history(
        &self,
        place: Place,
        input: DescribeAlarmHistory,
    ) -> Result<AlarmHistory, ServiceError> {
        input.check()?;
        let items = self.cloudwatch.history.items().filter(|item| input.wants(place, item));
        let items: Box<dyn Iterator<Item = &Item>> = match input.scan_by.as_deref() {
            Some("TimestampAscending") => Box::new(items),
            _ => Box::new(items.rev()),
        };
        let most = input.max_records.unwrap_or(100) as usize;
        let (items, next_token) = page(items, input.next_token.as_deref(), most)?;
        Ok(AlarmHistory { alarm_history_items: items.into_iter().map(described).collect(), next_token })
    }
}

fn described(item: &Item) -> AlarmHistoryItem {
    AlarmHistoryItem {
        alarm_name: item.alarm.name.clone(),
        alarm_type: item.alarm_type,
        timestamp: epoch(item.at),
        history_item_type: item.kind.as_str(),
        history_summary: item.summary.clone(),
        history_data: item.data.clone(),
    }
}

impl DescribeAlarmHistory {
    fn check(&self) -> Result<(), ServiceError> {
        let mut checks = Checks::default();
        checks.length("alarmName", self.alarm_name.as_deref(), 1, 255);
        checks.range("maxRecords", self.max_records, 1, 100);
        let kinds = [
            ItemKind::ConfigurationUpdate.as_str(),
            ItemKind::StateUpdate.as_str(),
            ItemKind::Action.as_str(),
            "AlarmContributorStateUpdate",
            "AlarmContributorAction",
        ];
        checks.among("historyItemType", self.history_item_type.as_deref(), &kinds);
        checks.among("scanBy", self.scan_by.as_deref(), &SCANS);
        checks.alarm_types(&self.alarm_types);
        checks.done(validation)
    }

    fn wants(&self, place: Place, item: &Item) -> bool {
        item.alarm.place == place
            && is_of_type(&self.alarm_types, item.alarm_type)
            && self.alarm_name.as_ref().is_none_or(|name| item.alarm.name == *name)
            && self.history_item_type.as_ref().is_none_or(|kind| item.kind.as_str() == kind)
            && self.start_date.is_none_or(|start| item.at >= from_epoch(start))
            && self.end_date.is_none_or(|end| item.at <= from_epoch(end))
    }
}
