//! CloudWatch: the metrics that queues emit each minute, and the metric alarms on them (semantics
//! 1.16, 4.1-4.3). Metrics are sampled only while an alarm watches them.

mod evaluate;
mod metric;
mod reason;
mod series;
mod spec;
mod tick;

#[cfg(test)]
pub(crate) use spec::tests::dlq_alarm;
pub use spec::{AlarmSpec, AlarmState, Comparison, MissingData, Statistic};
pub(crate) use tick::CloudWatch;
