//! The recent datapoints of one metric, and their statistics over periods.

use std::collections::VecDeque;

use havoq_base::{StackDuration, StackTime};

use super::spec::Statistic;
use crate::sqs::Stats;

#[derive(Debug, Default)]
pub(crate) struct Series {
    samples: VecDeque<(StackTime, Stats)>,
    /// How far back alarms look.
    pub(crate) kept: StackDuration,
    /// The value last made known.
    pub(crate) reported: Option<f64>,
}

/// The value of one period, with the time at which the period begins; none is missing data.
pub(crate) type Datapoint = (StackTime, Option<f64>);

impl Series {
    /// Adds the sample of the minute that ends at `at`.
    pub(crate) fn push(&mut self, at: StackTime, stats: Stats) {
        let kept = self.kept;
        while self.samples.pop_front_if(|(old, _)| *old + kept < at).is_some() {}
        self.samples.push_back((at, stats));
    }

    /// The last `count` periods before `now`, oldest first. They slide: the last one ends now.
    pub(crate) fn datapoints(
        &self,
        statistic: Statistic,
        period: StackDuration,
        count: u32,
        now: StackTime,
    ) -> Vec<Datapoint> {
        let periods = (1..=u64::from(count)).rev();
        periods
            .map(|back| {
                let start = now - period.times(back);
                (start, self.between(start, start + period).map(|stats| value(stats, statistic)))
            })
            .collect()
    }

    fn between(&self, after: StackTime, until: StackTime) -> Option<Stats> {
        let first = self.samples.partition_point(|(at, _)| *at <= after);
        let samples = self.samples.range(first..).take_while(|(at, _)| *at <= until);
        samples.map(|(_, stats)| *stats).reduce(Stats::merge)
    }
}

fn value(stats: Stats, statistic: Statistic) -> f64 {
    match statistic {
        Statistic::SampleCount => stats.count,
        Statistic::Average => stats.sum / stats.count,
        Statistic::Sum => stats.sum,
        Statistic::Minimum => stats.min,
        Statistic::Maximum => stats.max,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_on_a_gauge_multiplies_and_average_and_maximum_do_not() {
        let mut series = Series { kept: StackDuration::from_secs(3_600), ..Series::default() };
        for minute in 1..=5 {
            series.push(StackTime::from_secs(minute * 60), Stats::of(2.0));
        }
        let last = |statistic| {
            let period = StackDuration::from_secs(300);
            series.datapoints(statistic, period, 1, StackTime::from_secs(300))[0].1
        };
        assert_eq!(last(Statistic::Sum), Some(10.0));
        assert_eq!(last(Statistic::Average), Some(2.0));
        assert_eq!(last(Statistic::Maximum), Some(2.0));
        assert_eq!(last(Statistic::SampleCount), Some(5.0));
    }

    #[test]
    fn a_period_without_samples_is_missing_and_old_samples_are_dropped() {
        let mut series = Series { kept: StackDuration::from_secs(120), ..Series::default() };
        series.push(StackTime::from_secs(6_000), Stats::of(1.0));
        let points = series.datapoints(
            Statistic::Maximum,
            StackDuration::from_secs(60),
            3,
            StackTime::from_secs(6_060),
        );
        let values: Vec<_> = points.iter().map(|(_, value)| *value).collect();
        assert_eq!(values, [None, Some(1.0), None]);
        series.push(StackTime::from_secs(9_000), Stats::of(3.0));
        assert_eq!(series.samples.len(), 1);
    }
}
