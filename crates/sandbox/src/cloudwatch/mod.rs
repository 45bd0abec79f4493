//! CloudWatch: the metrics that services emit and callers put, and the alarms on them (semantics
//! 1.16, 4.1-4.3).

mod actions_input;
mod alarm;
mod composite;
mod dates;
mod describe_alarms;
mod describe_history;
mod described;
mod documents;
mod double;
mod errors;
mod evaluate;
mod event;
mod get_metric_data;
mod get_metric_statistics;
mod history;
mod list_metrics;
mod manage;
mod math;
mod members;
mod message;
mod metric;
mod metric_rule;
mod number;
mod pages;
mod put;
mod put_composite_alarm;
mod put_metric_alarm;
mod put_metric_data;
mod queries;
mod reason;
mod record;
mod region;
mod root;
mod series;
mod spec;
mod stat;
mod state;
mod stats;
mod store;
mod tags;
mod tick;
mod track;
mod unit;
mod values;

pub(crate) use alarm::AlarmId;
pub(crate) use dates::{epoch, from_epoch, iso};
pub(crate) use errors::unsupported;
pub(crate) use root::CloudWatch;
#[cfg(test)]
pub(crate) use spec::tests::dlq_alarm;
pub use spec::{AlarmSpec, AlarmState, Comparison, MissingData, Statistic};
pub(crate) use stats::Stats;
