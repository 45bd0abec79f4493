//! What an alarm is, as it is put in process, and the words of its API.

use std::fmt;

use havoq_base::StackDuration;

/// A metric alarm. All names and ARNs are physical.
#[derive(Clone, Debug, PartialEq)]
pub struct AlarmSpec {
    pub name: String,
    pub namespace: String,
    pub metric: String,
    pub dimensions: Vec<(String, String)>,
    pub statistic: Statistic,
    pub period: StackDuration,
    pub evaluation_periods: u32,
    pub datapoints_to_alarm: u32,
    pub comparison: Comparison,
    pub threshold: f64,
    pub missing_data: MissingData,
    pub actions_enabled: bool,
    /// ARNs; an action is carried out only on a topic that exists.
    pub alarm_actions: Vec<String>,
    pub ok_actions: Vec<String>,
    pub insufficient_data_actions: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    SampleCount,
    Average,
    Sum,
    Minimum,
    Maximum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    GreaterThanOrEqualToThreshold,
    GreaterThanThreshold,
    LessThanThreshold,
    LessThanOrEqualToThreshold,
}

/// TreatMissingData.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingData {
    Missing,
    Ignore,
    Breaching,
    NotBreaching,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AlarmState {
    Ok,
    Alarm,
    InsufficientData,
}

impl AlarmState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Alarm => "ALARM",
            Self::InsufficientData => "INSUFFICIENT_DATA",
        }
    }
}

impl fmt::Display for AlarmState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl AlarmState {
    /// In the order in which AWS's front end lists them.
    pub(crate) const ALL: [Self; 3] = [Self::InsufficientData, Self::Alarm, Self::Ok];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

impl MissingData {
    pub(crate) const ALL: [Self; 4] = [Self::Breaching, Self::NotBreaching, Self::Ignore, Self::Missing];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Ignore => "ignore",
            Self::Breaching => "breaching",
            Self::NotBreaching => "notBreaching",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name)
    }
}

impl Comparison {
    pub(crate) const ALL: [Self; 4] = [
        Self::GreaterThanOrEqualToThreshold,
        Self::GreaterThanThreshold,
        Self::LessThanThreshold,
        Self::LessThanOrEqualToThreshold,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::GreaterThanOrEqualToThreshold => "GreaterThanOrEqualToThreshold",
            Self::GreaterThanThreshold => "GreaterThanThreshold",
            Self::LessThanThreshold => "LessThanThreshold",
            Self::LessThanOrEqualToThreshold => "LessThanOrEqualToThreshold",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|comparison| comparison.as_str() == name)
    }

    pub(crate) fn breaches(self, value: f64, threshold: f64) -> bool {
        match self {
            Self::GreaterThanOrEqualToThreshold => value >= threshold,
            Self::GreaterThanThreshold => value > threshold,
            Self::LessThanThreshold => value < threshold,
            Self::LessThanOrEqualToThreshold => value <= threshold,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The usual alarm on a dead-letter queue (semantics 4.3).
    pub(crate) fn dlq_alarm(queue: &str) -> AlarmSpec {
        AlarmSpec {
            name: "dlq".into(),
            namespace: "AWS/SQS".into(),
            metric: "ApproximateNumberOfMessagesVisible".into(),
            dimensions: vec![("QueueName".into(), queue.into())],
            statistic: Statistic::Maximum,
            period: StackDuration::from_secs(60),
            evaluation_periods: 1,
            datapoints_to_alarm: 1,
            comparison: Comparison::GreaterThanThreshold,
            threshold: 0.0,
            missing_data: MissingData::NotBreaching,
            actions_enabled: true,
            alarm_actions: Vec::new(),
            ok_actions: Vec::new(),
            insufficient_data_actions: Vec::new(),
        }
    }
}
