//! One metric's datapoints, by unit and resolution.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use havoq_base::{StackDuration, StackTime};

use super::metric::MetricId;
use super::stat::Stat;
use super::stats::Stats;
use super::track::{Sample, Slot, Track};
use super::unit::Unit;
use super::values::Values;

/// How long datapoints are kept. AWS keeps them longer, in coarser and coarser form.
pub(crate) const KEPT: StackDuration = StackDuration::from_secs(15 * 86_400);

/// How finely a metric's datapoints lie; AWS drops the finer ones after 3 hours, here they stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Resolution {
    Second,
    Minute,
}

impl Resolution {
    fn secs(self) -> u64 {
        match self {
            Self::Second => 1,
            Self::Minute => 60,
        }
    }
}

/// Some seconds since the epoch, and which datapoints are theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// Those that begin in it.
    Begun { from: u64, until: u64 },
    /// Those that have come to their end in it: what an alarm sees of a period that may be
    /// shorter than a minute.
    Ended { from: u64, until: u64 },
}

impl Span {
    fn slots(self, resolution: Resolution) -> (Slot, Slot) {
        let step = resolution.secs();
        match self {
            Self::Begun { from, until } => (from.div_ceil(step), until.div_ceil(step)),
            Self::Ended { from, until } => (from / step, until / step),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Series {
    pub(crate) id: MetricId,
    tracks: BTreeMap<(Unit, Resolution), Track>,
    /// When something was last added, on the stack's clock.
    pub(crate) last_added: StackTime,
    /// Whether an alarm is on it.
    pub(crate) watched: bool,
    /// The value last made known.
    pub(crate) reported: Option<f64>,
}

/// The value of one period; none is missing data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Datapoint {
    pub(crate) start: StackTime,
    pub(crate) value: Option<f64>,
    /// How many samples it was made of.
    pub(crate) samples: f64,
}

impl Series {
    pub(crate) fn new(id: MetricId) -> Self {
        Self { id, tracks: BTreeMap::new(), last_added: StackTime::default(), watched: false, reported: None }
    }

    /// The sample of a service's metric for the minute that ends at `at`.
    pub(crate) fn record(&mut self, at: StackTime, stats: Stats) {
        let minute = at.as_micros().saturating_sub(1) / 60_000_000;
        let unit = Unit::of_service_metric(&self.id.metric);
        let track = self.tracks.entry((unit, Resolution::Minute)).or_default();
        track.add_plain(minute, stats);
        track.drop_before((at - KEPT).as_secs() / 60);
        self.last_added = at;
    }

    /// What a caller puts in at `now`, for a time that may be another.
    pub(crate) fn put(
        &mut self,
        now: StackTime,
        at: StackTime,
        unit: Unit,
        resolution: Resolution,
        sample: Sample,
    ) {
        let track = self.tracks.entry((unit, resolution)).or_default();
        track.add(at.as_secs() / resolution.secs(), sample);
        track.drop_before((now - KEPT).as_secs() / resolution.secs());
        self.last_added = now;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tracks.values().all(|track| track.last().is_none())
    }

    /// The units that have data there, by name.
    pub(crate) fn units(&self, span: Span) -> Vec<Unit> {
        let mut units: Vec<_> = self.tracks.keys().map(|(unit, _)| *unit).collect();
        units.dedup();
        units.retain(|unit| self.stats(*unit, span).is_some());
        units
    }

    pub(crate) fn stats(&self, unit: Unit, span: Span) -> Option<Stats> {
        self.tracks_of(unit, span)
            .filter_map(|(track, from, until)| track.stats(from, until))
            .reduce(Stats::merge)
    }

    /// The statistic of what is there; none without data, or if it takes values that are unknown.
    pub(crate) fn value(&self, unit: Unit, span: Span, stat: &Stat) -> Option<f64> {
        match stat {
            Stat::Simple(statistic) => self.stats(unit, span).map(|stats| statistic.of(stats)),
            Stat::Extended(extended) => {
                let mut values = Vec::new();
                for (track, from, until) in self.tracks_of(unit, span) {
                    values.extend(track.values(from, until)?);
                }
                extended.of(&Values::of(values))
            }
        }
    }

    /// Where those of the periods begin that have data, counted from `from` on.
    pub(crate) fn periods_with_data(
        &self,
        unit: Unit,
        from: u64,
        until: u64,
        period: u64,
    ) -> impl Iterator<Item = u64> {
        let mut rest = from;
        std::iter::from_fn(move || {
            let data = self.first_start(unit, rest).filter(|start| *start < until)?;
            let start = from + (data - from) / period * period;
            rest = start + period;
            Some(start)
        })
    }

    /// When the first datapoint begins that does so at `from` or later.
    fn first_start(&self, unit: Unit, from: u64) -> Option<u64> {
        let tracks =
            self.tracks.range(of_unit(unit)).map(|((_, resolution), track)| (resolution.secs(), track));
        tracks.filter_map(|(step, track)| Some(track.first_from(from.div_ceil(step))? * step)).min()
    }

    fn tracks_of(&self, unit: Unit, span: Span) -> impl Iterator<Item = (&Track, Slot, Slot)> {
        self.tracks.range(of_unit(unit)).map(move |((_, resolution), track)| {
            let (from, until) = span.slots(*resolution);
            (track, from, until)
        })
    }

    /// The last `count` periods before `until`, oldest first, as an alarm sees them. Without a
    /// unit, the first that has data is taken.
    pub(crate) fn datapoints(
        &self,
        stat: &Stat,
        unit: Option<Unit>,
        period: StackDuration,
        count: u32,
        until: StackTime,
    ) -> Vec<Datapoint> {
        let whole =
            Span::Ended { from: (until - period.times(count.into())).as_secs(), until: until.as_secs() };
        let unit = unit.or_else(|| self.units(whole).first().copied()).unwrap_or(Unit::None);
        let starts: Vec<_> = (1..=u64::from(count)).rev().map(|back| until - period.times(back)).collect();
        let span =
            |start: StackTime| Span::Ended { from: start.as_secs(), until: (start + period).as_secs() };
        let spans: Vec<_> = starts.iter().map(|start| span(*start)).collect();
        let datapoint = |(start, stats): (StackTime, Option<Stats>)| {
            let value = stats.and_then(|stats| match stat {
                Stat::Simple(statistic) => Some(statistic.of(stats)),
                Stat::Extended(_) => self.value(unit, span(start), stat),
            });
            Datapoint { start, value, samples: stats.map_or(0.0, |stats| stats.count) }
        };
        starts.iter().copied().zip(self.stats_of_each(unit, &spans)).map(datapoint).collect()
    }

    /// The statistic sets of spans that come in their order: the runs are read once for all of them.
    fn stats_of_each(&self, unit: Unit, spans: &[Span]) -> Vec<Option<Stats>> {
        let mut all: Vec<Option<Stats>> = vec![None; spans.len()];
        for ((_, resolution), track) in self.tracks.range(of_unit(unit)) {
            let slots = spans.iter().map(|span| span.slots(*resolution));
            for (sum, stats) in all.iter_mut().zip(track.stats_of_each(slots)) {
                *sum = match (*sum, stats) {
                    (Some(sum), Some(stats)) => Some(sum.merge(stats)),
                    (sum, stats) => sum.or(stats),
                };
            }
        }
        all
    }
}

/// The keys of a unit's tracks.
fn of_unit(unit: Unit) -> RangeInclusive<(Unit, Resolution)> {
    (unit, Resolution::Second)..=(unit, Resolution::Minute)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloudwatch::Statistic;
    use proptest::prelude::*;

    fn gauge(value: f64, minutes: u64) -> Series {
        let mut series = Series::new(MetricId::new("N", "m", &[]));
        (1..=minutes).for_each(|minute| series.record(StackTime::from_secs(minute * 60), Stats::of(value)));
        series
    }

    fn values(series: &Series, stat: Statistic, period: u64, count: u32, until: u64) -> Vec<Option<f64>> {
        let (period, until) = (StackDuration::from_secs(period), StackTime::from_secs(until));
        let points = series.datapoints(&Stat::Simple(stat), None, period, count, until);
        points.into_iter().map(|point| point.value).collect()
    }

    #[test]
    fn sum_on_a_gauge_multiplies_and_average_and_maximum_do_not() {
        let last = |statistic| values(&gauge(2.0, 5), statistic, 300, 1, 300)[0];
        assert_eq!(last(Statistic::Sum), Some(10.0));
        assert_eq!(last(Statistic::Average), Some(2.0));
        assert_eq!(last(Statistic::Maximum), Some(2.0));
        assert_eq!(last(Statistic::SampleCount), Some(5.0));
    }

    #[test]
    fn a_period_without_samples_is_missing_and_old_samples_are_dropped() {
        let mut series = gauge(1.0, 1);
        assert_eq!(values(&series, Statistic::Maximum, 60, 2, 120), [Some(1.0), None]);
        series.record(StackTime::from_secs(60) + KEPT + StackDuration::from_secs(60), Stats::of(1.0));
        assert_eq!(values(&series, Statistic::Maximum, 60, 1, 60), [None]);
    }

    #[test]
    fn a_minute_is_in_one_of_its_10_second_periods_only() {
        assert_eq!(values(&gauge(1.0, 1), Statistic::Sum, 10, 7, 70)[5..], [Some(1.0), None]);
        assert_eq!(values(&gauge(1.0, 1), Statistic::Sum, 10, 7, 70)[..5], [None; 5]);
    }

    #[test]
    fn many_periods_read_at_once_say_what_each_says_by_itself() {
        let mut series = gauge(1.0, 40);
        let now = StackTime::from_secs(60 * 60);
        for (second, resolution) in
            [(905, Resolution::Second), (906, Resolution::Second), (1_200, Resolution::Minute)]
        {
            let at = StackTime::from_secs(second);
            series.put(now, at, Unit::None, resolution, Sample::of(Stats::of(3.0)));
        }
        series.record(now, Stats::of(2.0));
        for (period, count) in [(60, 70), (300, 13), (10, 400)] {
            let many = values(&series, Statistic::Sum, period, count, 3_660);
            let unit = series.units(Span::Ended { from: 0, until: 3_660 })[0];
            let each = (1..=u64::from(count)).rev().map(|back| {
                let from = 3_660_u64.saturating_sub(back * period);
                let span = Span::Ended { from, until: from + period };
                series.value(unit, span, &Stat::Simple(Statistic::Sum))
            });
            assert_eq!(many, each.collect::<Vec<_>>(), "{period}");
        }
    }

    proptest! {
        #[test]
        fn the_periods_with_data_are_those_that_have_a_value(
            puts in prop::collection::vec((0..900u64, any::<bool>()), 0..12),
            (from, length) in (0..700u64, 1..700u64),
            period in prop::sample::select(vec![1u64, 5, 30, 60, 120]),
        ) {
            let mut series = Series::new(MetricId::new("N", "m", &[]));
            for (at, fine) in puts {
                let resolution = if fine { Resolution::Second } else { Resolution::Minute };
                let at = StackTime::from_secs(at);
                series.put(StackTime::from_secs(900), at, Unit::None, resolution, Sample::of(Stats::of(1.0)));
            }
            let until = from + length;
            let has_data = |start: &u64| {
                let span = Span::Begun { from: *start, until: (start + period).min(until) };
                series.stats(Unit::None, span).is_some()
            };
            let expected: Vec<_> = (from..until).step_by(period as usize).filter(has_data).collect();
            let found: Vec<_> = series.periods_with_data(Unit::None, from, until, period).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn without_a_unit_the_first_by_name_that_has_data_is_taken() {
        let mut series = Series::new(MetricId::new("N", "m", &[]));
        let now = StackTime::from_secs(600);
        for (unit, value) in [(Unit::Seconds, 60.0), (Unit::Milliseconds, 60_000.0)] {
            series.put(now, now, unit, Resolution::Minute, Sample::of(Stats::of(value)));
        }
        assert_eq!(values(&series, Statistic::Average, 60, 1, 660), [Some(60_000.0)]);
    }
}
