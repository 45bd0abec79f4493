//! CloudWatch: the metrics that services emit each minute, and the metric alarms on them (semantics
//! 1.16, 4.1-4.3).

mod evaluate;
mod metric;
mod reason;
mod record;
mod series;
mod spec;
mod stat;
mod stats;
mod store;
mod tick;
mod track;
mod unit;
mod values;

#[cfg(test)]
pub(crate) use spec::tests::dlq_alarm;
pub use spec::{AlarmSpec, AlarmState, Comparison, MissingData, Statistic};
pub(crate) use stats::Stats;
pub(crate) use tick::CloudWatch;
