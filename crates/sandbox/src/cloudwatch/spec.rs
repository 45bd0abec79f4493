//! What an alarm is, as PutMetricAlarm takes it, and what is refused.

use std::borrow::Cow;
use std::fmt;

use havoq_base::StackDuration;
use havoq_wire::ServiceError;

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

impl Comparison {
    pub(crate) fn breaches(self, value: f64, threshold: f64) -> bool {
        match self {
            Self::GreaterThanOrEqualToThreshold => value >= threshold,
            Self::GreaterThanThreshold => value > threshold,
            Self::LessThanThreshold => value < threshold,
            Self::LessThanOrEqualToThreshold => value <= threshold,
        }
    }
}

const MINUTE: u64 = 60;
const HOUR: u64 = 3_600;
const DAY: u64 = 86_400;

impl AlarmSpec {
    /// Period x EvaluationPeriods.
    pub(crate) fn window(&self) -> StackDuration {
        self.period.times(self.evaluation_periods.into())
    }

    /// How often it is evaluated (semantics 4.1).
    pub(crate) fn cadence(&self) -> StackDuration {
        StackDuration::from_secs(if self.period.as_secs() < MINUTE {
            10
        } else if self.window() > StackDuration::from_secs(DAY) {
            HOUR
        } else {
            MINUTE
        })
    }

    pub(crate) fn actions(&self, state: AlarmState) -> &[String] {
        match state {
            AlarmState::Ok => &self.ok_actions,
            AlarmState::Alarm => &self.alarm_actions,
            AlarmState::InsufficientData => &self.insufficient_data_actions,
        }
    }

    /// The limits of PutMetricAlarm (semantics 4.1).
    pub(crate) fn check(&self) -> Result<(), ServiceError> {
        let secs = self.period.as_secs();
        let whole = self.period == StackDuration::from_secs(secs);
        if !whole || !(matches!(secs, 10 | 20 | 30) || (secs > 0 && secs.is_multiple_of(MINUTE))) {
            return Err(refused(format!(
                "period of {} must be 10, 20, 30 or a multiple of 60 seconds",
                self.period
            )));
        }
        let (periods, datapoints) = (self.evaluation_periods, self.datapoints_to_alarm);
        if datapoints == 0 || datapoints > periods {
            return Err(refused(format!("datapoints to alarm must be 1 to {periods}, not {datapoints}")));
        }
        let limit = StackDuration::from_secs(if secs < HOUR { DAY } else { 7 * DAY });
        if self.window() > limit {
            return Err(refused(format!("period x evaluation periods must be at most {limit}")));
        }
        if !self.threshold.is_finite() {
            return Err(refused("threshold must be a finite number".to_owned()));
        }
        Ok(())
    }
}

fn refused(message: String) -> ServiceError {
    ServiceError {
        shape: Cow::Borrowed("com.amazon.coral.validate#ValidationException"),
        query_code: Cow::Borrowed("ValidationError"),
        message,
        status: http::StatusCode::BAD_REQUEST,
        sender: true,
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

    fn with(period: u64, evaluation_periods: u32, datapoints_to_alarm: u32) -> AlarmSpec {
        let period = StackDuration::from_secs(period);
        AlarmSpec { period, evaluation_periods, datapoints_to_alarm, ..dlq_alarm("q") }
    }

    #[test]
    fn period_is_10_20_30_or_a_multiple_of_60_and_the_window_has_limits() {
        for (period, periods) in [(10, 1), (20, 1), (30, 1), (60, 1440), (120, 1), (3_600, 168)] {
            assert_eq!(with(period, periods, 1).check(), Ok(()), "{period} x {periods}");
        }
        for (period, periods) in [(0, 1), (15, 1), (90, 1), (60, 1441), (3_600, 169)] {
            assert!(with(period, periods, 1).check().is_err(), "{period} x {periods}");
        }
        assert!(with(60, 3, 4).check().is_err());
        assert!(with(60, 3, 0).check().is_err());
    }

    #[test]
    fn short_periods_are_evaluated_every_10_s_and_windows_above_a_day_hourly() {
        assert_eq!(with(10, 1, 1).cadence(), StackDuration::from_secs(10));
        assert_eq!(with(300, 3, 3).cadence(), StackDuration::from_secs(60));
        assert_eq!(with(3_600, 25, 1).cadence(), StackDuration::from_secs(3_600));
    }
}
