//! What a metric alarm watches, and when it breaches.

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;

use super::errors::validation;
use super::metric::MetricId;
use super::spec::{AlarmSpec, Comparison, MissingData};
use super::stat::Stat;
use super::unit::Unit;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MetricRule {
    pub(crate) metric: MetricId,
    /// In the order in which they were given.
    pub(crate) dimensions: Vec<(String, String)>,
    pub(crate) stat: Stat,
    pub(crate) unit: Option<Unit>,
    pub(crate) period: StackDuration,
    pub(crate) evaluation_periods: u32,
    pub(crate) datapoints_to_alarm: Option<u32>,
    pub(crate) comparison: Comparison,
    pub(crate) threshold: f64,
    pub(crate) treat_missing_data: Option<MissingData>,
    pub(crate) low_samples: Option<LowSamples>,
    pub(crate) window: Option<Window>,
    pub(crate) warm_up: Option<WarmUp>,
}

/// EvaluateLowSampleCountPercentile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LowSamples {
    Evaluate,
    Ignore,
}

/// EvaluationWindow.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Window {
    Sliding,
    /// Periods begin on the clock, in a time zone that is so far ahead of UTC.
    WallClock {
        timezone: Option<String>,
        ahead_secs: i64,
    },
}

/// WarmUpConfiguration: how long an alarm stays without enough data after it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WarmUp {
    pub(crate) minutes: u32,
    /// Whether it lasts even if enough data is there before.
    pub(crate) whole: Option<bool>,
}

impl LowSamples {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Evaluate => "evaluate",
            Self::Ignore => "ignore",
        }
    }
}

const MINUTE: u64 = 60;
const HOUR: u64 = 3_600;
const DAY: u64 = 86_400;
const WEEK: u64 = 7 * DAY;

impl MetricRule {
    /// M of "M out of N".
    pub(crate) fn needed(&self) -> u32 {
        self.datapoints_to_alarm.unwrap_or(self.evaluation_periods)
    }

    /// Alarms on DynamoDB's metrics always keep their state (semantics 4.1).
    pub(crate) fn missing_data(&self) -> MissingData {
        if self.metric.namespace == "AWS/DynamoDB" {
            MissingData::Ignore
        } else {
            self.treat_missing_data.unwrap_or(MissingData::Missing)
        }
    }

    /// Period x EvaluationPeriods.
    fn watched_secs(&self) -> u64 {
        self.period.times(self.evaluation_periods.into()).as_secs()
    }

    /// How often it is evaluated (semantics 4.1).
    pub(crate) fn cadence(&self) -> StackDuration {
        StackDuration::from_secs(if self.period.as_secs() < MINUTE {
            10
        } else if self.watched_secs() > DAY {
            HOUR
        } else {
            MINUTE
        })
    }

    /// Where the newest period to evaluate ends.
    pub(crate) fn window_end(&self, now: StackTime) -> StackTime {
        let Some(Window::WallClock { ahead_secs, .. }) = &self.window else { return now };
        let period = self.period.as_secs() as i64;
        // Weeks begin on Monday; the epoch began on a Thursday.
        let first = if self.period.as_secs() == WEEK { 4 * DAY as i64 } else { 0 };
        let local = now.as_secs() as i64 + ahead_secs - first;
        StackTime::from_secs((local - local.rem_euclid(period) + first - ahead_secs).max(0) as u64)
    }

    /// How few samples are not significant for its percentile; none if all are evaluated. (AWS
    /// names the numbers 10/(1 - percentile) and 10/percentile.)
    pub(crate) fn fewest_samples(&self) -> Option<f64> {
        let Stat::Extended(extended) = &self.stat else { return None };
        let percentile = extended.as_percentile()? / 100.0;
        let tail = if percentile >= 0.5 { 1.0 - percentile } else { percentile };
        (self.low_samples == Some(LowSamples::Ignore) && tail > 0.0).then(|| 10.0 / tail)
    }

    /// The limits of PutMetricAlarm (semantics 4.1).
    pub(crate) fn check(&self) -> Result<(), ServiceError> {
        let secs = self.period.as_secs();
        let whole = self.period == StackDuration::from_secs(secs);
        if !whole || !(matches!(secs, 10 | 20 | 30) || (secs > 0 && secs.is_multiple_of(MINUTE))) {
            return Err(validation("Period must be 10, 20, 30 or a multiple of 60"));
        }
        if self.needed() == 0 || self.needed() > self.evaluation_periods {
            return Err(validation("DatapointsToAlarm must be less than or equal to EvaluationPeriods"));
        }
        let watched = self.watched_secs();
        if secs < HOUR && watched > DAY {
            return Err(validation(
                "Metrics cannot be checked across more than a day (EvaluationPeriods * Period must be <= 86400) for \
                 alarms using period < 3600",
            ));
        }
        if watched > WEEK {
            return Err(validation(
                "Metrics cannot be checked across more than a week (EvaluationPeriods * Period must be <= 604800) \
                 for alarms using period >= 3600",
            ));
        }
        if !self.threshold.is_finite() {
            return Err(validation("Threshold must be a finite number"));
        }
        let on_clock = matches!(self.window, Some(Window::WallClock { .. }));
        if on_clock && ![MINUTE, 300, HOUR, DAY, WEEK].contains(&secs) {
            return Err(validation(
                "Period must be 60, 300, 3600, 86400 or 604800 for alarms using a wall clock evaluation window",
            ));
        }
        Ok(())
    }
}

impl From<&AlarmSpec> for MetricRule {
    fn from(spec: &AlarmSpec) -> Self {
        let needed = Some(spec.datapoints_to_alarm);
        Self {
            metric: MetricId::new(&spec.namespace, &spec.metric, &spec.dimensions),
            dimensions: spec.dimensions.clone(),
            stat: Stat::Simple(spec.statistic),
            unit: None,
            period: spec.period,
            evaluation_periods: spec.evaluation_periods,
            datapoints_to_alarm: needed.filter(|needed| *needed != spec.evaluation_periods),
            comparison: spec.comparison,
            threshold: spec.threshold,
            treat_missing_data: Some(spec.missing_data),
            low_samples: None,
            window: None,
            warm_up: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloudwatch::dlq_alarm;

    fn with(period: u64, evaluation_periods: u32, datapoints_to_alarm: u32) -> MetricRule {
        let period = StackDuration::from_secs(period);
        MetricRule::from(&AlarmSpec { period, evaluation_periods, datapoints_to_alarm, ..dlq_alarm("q") })
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

    #[test]
    fn alarms_on_dynamodb_keep_their_state_when_data_is_missing() {
        let mut rule = with(60, 1, 1);
        assert_eq!(rule.missing_data(), MissingData::NotBreaching);
        rule.metric = MetricId::new("AWS/DynamoDB", "m", &[]);
        assert_eq!(rule.missing_data(), MissingData::Ignore);
    }

    #[test]
    fn wall_clock_windows_end_where_periods_end_on_the_clock() {
        let at = |text: &str| text.parse::<StackTime>().expect("a time");
        let mut rule = with(3_600, 1, 1);
        let now = at("2026-11-05T10:15:00Z");
        assert_eq!(rule.window_end(now), now);
        rule.window = Some(Window::WallClock { timezone: None, ahead_secs: 0 });
        assert_eq!(rule.window_end(now), at("2026-11-05T10:00:00Z"));
        rule.window = Some(Window::WallClock { timezone: Some("+05:30".into()), ahead_secs: 19_800 });
        assert_eq!(rule.window_end(now), at("2026-11-05T09:30:00Z"));
        rule.window = Some(Window::WallClock { timezone: None, ahead_secs: 0 });
        rule.period = StackDuration::from_secs(604_800);
        assert_eq!(rule.window_end(now), at("2026-11-02T00:00:00Z"), "a Monday");
    }

    #[test]
    fn few_samples_of_a_percentile_are_ignored_only_if_asked_for() {
        let mut rule = with(60, 1, 1);
        rule.stat = Stat::parse("p90").expect("a statistic");
        assert_eq!(rule.fewest_samples(), None);
        rule.low_samples = Some(LowSamples::Ignore);
        assert_eq!(rule.fewest_samples().map(f64::round), Some(100.0));
        rule.stat = Stat::parse("p10").expect("a statistic");
        assert_eq!(rule.fewest_samples().map(f64::round), Some(100.0));
    }
}
