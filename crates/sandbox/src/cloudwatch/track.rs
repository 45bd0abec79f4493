//! The datapoints of one series in one unit and one resolution, run-length encoded: datapoints that
//! follow one another and stay equal, or grow evenly as an age does, take the room of one.

use std::collections::{BTreeMap, VecDeque};

use super::stats::Stats;
use super::values::{DIFFERENT_VALUES, Values};

/// Which datapoint, counted in steps since the epoch.
pub(crate) type Slot = u64;

/// What a datapoint holds, or part of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    pub(crate) stats: Stats,
    /// None if only the statistic set is known.
    pub(crate) values: Option<Values>,
}

impl Sample {
    pub(crate) fn of(stats: Stats) -> Self {
        let values = stats.only_value().map(|value| Values::of([(value, stats.count)]));
        Self { stats, values }
    }

    pub(crate) fn merge(self, other: Self) -> Self {
        let values = match (self.values, other.values) {
            (Some(a), Some(b)) => Some(Values::of(a.iter().chain(b.iter()))),
            _ => None,
        };
        let values = values.filter(|values| values.len() <= DIFFERENT_VALUES);
        Self { stats: self.stats.merge(other.stats), values }
    }
}

/// Datapoints without a gap. The one after `n` others has `n` times the slope more than the first,
/// which is of one single value unless the slope is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    first: Slot,
    count: u64,
    stats: Stats,
    slope: f64,
}

#[derive(Debug, Default)]
pub(crate) struct Track {
    /// In order, without overlaps.
    runs: VecDeque<Run>,
    /// The values of datapoints that have more than one. They are runs of one.
    values: BTreeMap<Slot, Values>,
}

impl Track {
    /// Adds to a datapoint, which may be an older one.
    pub(crate) fn add(&mut self, slot: Slot, sample: Sample) {
        match self.runs.back() {
            Some(last) if slot < last.end() => self.insert(slot, sample),
            _ => self.append(slot, sample),
        }
    }

    /// A sample of which the statistic set is all that there is to know, later than all others.
    pub(crate) fn add_plain(&mut self, slot: Slot, stats: Stats) {
        let goes_on = match self.runs.back_mut() {
            Some(last) if slot < last.end() => return self.insert(slot, Sample::of(stats)),
            Some(last) => last.extend(slot, stats),
            None => false,
        };
        if !goes_on {
            self.runs.push_back(Run::single(slot, stats));
        }
    }

    fn append(&mut self, slot: Slot, sample: Sample) {
        if sample.stats.only_value().is_some() {
            return self.add_plain(slot, sample.stats);
        }
        self.runs.push_back(Run::single(slot, sample.stats));
        if let Some(values) = sample.values {
            self.values.insert(slot, values);
        }
    }

    /// Adds a late sample: the run that it falls into is cut there.
    fn insert(&mut self, slot: Slot, sample: Sample) {
        let index = self.runs.partition_point(|run| run.end() <= slot);
        let (mut sample, mut index) = (sample, index);
        if let Some(run) = self.runs.get(index).copied().filter(|run| run.first <= slot) {
            self.runs.remove(index);
            let (before, after) = (run.part(run.first, slot), run.part(slot + 1, run.end()));
            for part in [after, before].into_iter().flatten() {
                self.runs.insert(index, part);
            }
            index += usize::from(before.is_some());
            sample = self.at(&run, slot).merge(sample);
        }
        self.runs.insert(index, Run::single(slot, sample.stats));
        let known = sample.values.filter(|_| sample.stats.only_value().is_none());
        match known {
            Some(values) => self.values.insert(slot, values),
            None => self.values.remove(&slot),
        };
    }

    /// Drops what is older.
    pub(crate) fn drop_before(&mut self, slot: Slot) {
        if self.runs.front().is_none_or(|run| run.end() > slot) {
            return;
        }
        while self.runs.pop_front_if(|run| run.end() <= slot).is_some() {}
        self.values = self.values.split_off(&slot);
    }

    pub(crate) fn last(&self) -> Option<Slot> {
        self.runs.back().map(|run| run.end() - 1)
    }

    /// The first datapoint from `from` on.
    pub(crate) fn first_from(&self, from: Slot) -> Option<Slot> {
        let run = self.runs.get(self.runs.partition_point(|run| run.end() <= from))?;
        Some(run.first.max(from))
    }

    /// The statistic set of all datapoints from `from` on, before `until`.
    pub(crate) fn stats(&self, from: Slot, until: Slot) -> Option<Stats> {
        self.parts(from, until).map(|run| run.total()).reduce(Stats::merge)
    }

    /// The statistic sets of ranges of slots that come in their order.
    pub(crate) fn stats_of_each(
        &self,
        ranges: impl Iterator<Item = (Slot, Slot)>,
    ) -> impl Iterator<Item = Option<Stats>> {
        let mut first = 0;
        ranges.map(move |(from, until)| {
            if first == 0 {
                first = self.runs.partition_point(|run| run.end() <= from);
            }
            while self.runs.get(first).is_some_and(|run| run.end() <= from) {
                first += 1;
            }
            let (mut sum, mut index) = (None::<Stats>, first);
            while let Some(run) = self.runs.get(index).filter(|run| run.first < until) {
                if let Some(part) = run.part(from, until) {
                    let stats = part.total();
                    sum = Some(sum.map_or(stats, |sum| sum.merge(stats)));
                }
                index += 1;
            }
            sum
        })
    }

    /// Their values, each with how often it was seen; none if not all are known.
    pub(crate) fn values(&self, from: Slot, until: Slot) -> Option<Vec<(f64, f64)>> {
        let mut all = Vec::new();
        for run in self.parts(from, until) {
            match (run.slope == 0.0, run.stats.only_value()) {
                (true, Some(value)) => all.push((value, run.total().count)),
                _ => {
                    for slot in run.first..run.end() {
                        all.extend(self.at(&run, slot).values?.iter());
                    }
                }
            }
        }
        Some(all)
    }

    fn parts(&self, from: Slot, until: Slot) -> impl Iterator<Item = Run> {
        let first = self.runs.partition_point(|run| run.end() <= from);
        let runs = self.runs.range(first..).take_while(move |run| run.first < until);
        runs.filter_map(move |run| run.part(from, until))
    }

    fn at(&self, run: &Run, slot: Slot) -> Sample {
        match (run.part(slot, slot + 1), self.values.get(&slot)) {
            (Some(one), None) => Sample::of(one.stats),
            (part, values) => Sample { stats: part.unwrap_or(*run).stats, values: values.cloned() },
        }
    }
}

impl Run {
    fn single(first: Slot, stats: Stats) -> Self {
        Self { first, count: 1, stats, slope: 0.0 }
    }

    fn end(&self) -> Slot {
        self.first + self.count
    }

    /// Takes a datapoint in if it goes on as the run does, to the last bit.
    fn extend(&mut self, slot: Slot, stats: Stats) -> bool {
        if slot != self.end() {
            return false;
        }
        let (first, next) = (self.stats, stats);
        let single = |stats: Stats| stats.count == 1.0 && stats.only_value().is_some();
        if self.count == 1 && single(first) && single(next) {
            self.slope = next.min - first.min;
        }
        let goes_on = self.nth(self.count) == next;
        self.count += u64::from(goes_on);
        if self.count == 1 {
            self.slope = 0.0;
        }
        goes_on
    }

    fn nth(&self, n: u64) -> Stats {
        if self.slope == 0.0 { self.stats } else { Stats::of(self.stats.min + self.slope * n as f64) }
    }

    /// What of it lies from `from` on, before `until`.
    fn part(&self, from: Slot, until: Slot) -> Option<Self> {
        let (first, end) = (self.first.max(from), self.end().min(until));
        let stats = (first < end).then(|| self.nth(first - self.first))?;
        Some(Self { first, count: end - first, stats, slope: self.slope })
    }

    fn total(&self) -> Stats {
        let (n, last) = (self.count as f64, self.nth(self.count - 1));
        Stats {
            sum: (self.stats.sum + last.sum) / 2.0 * n,
            count: self.stats.count * n,
            min: self.stats.min.min(last.min),
            max: self.stats.max.max(last.max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(track: &mut Track, slots: impl IntoIterator<Item = (Slot, f64)>) {
        slots.into_iter().for_each(|(slot, value)| track.add_plain(slot, Stats::of(value)));
    }

    #[test]
    fn a_quiet_gauge_and_an_even_age_take_the_room_of_one_datapoint() {
        let mut track = Track::default();
        plain(&mut track, (0..20_000).map(|slot| (slot, 0.0)));
        plain(&mut track, (20_000..40_000).map(|slot| (slot, slot as f64 * 60.0)));
        assert_eq!(track.runs.len(), 2);
        assert_eq!(track.stats(0, 20_000), Some(Stats { sum: 0.0, count: 20_000.0, min: 0.0, max: 0.0 }));
        let ages = Stats { sum: 60.0 * 60_003.0, count: 3.0, min: 1_200_000.0, max: 1_200_120.0 };
        assert_eq!(track.stats(20_000, 20_003), Some(ages));
    }

    #[test]
    fn a_late_sample_joins_its_datapoint_and_leaves_the_others() {
        let mut track = Track::default();
        plain(&mut track, (0..10).map(|slot| (slot, 2.0)));
        track.add(4, Sample::of(Stats::of(6.0)));
        let whole = Stats { sum: 26.0, count: 11.0, min: 2.0, max: 6.0 };
        assert_eq!(track.stats(0, 10), Some(whole));
        assert_eq!(track.stats(4, 5), Some(Stats { sum: 8.0, count: 2.0, min: 2.0, max: 6.0 }));
        assert_eq!(track.values(4, 5), Some(vec![(2.0, 1.0), (6.0, 1.0)]));
        assert_eq!(track.runs.len(), 3);
    }

    #[test]
    fn what_is_old_is_dropped() {
        let mut track = Track::default();
        plain(&mut track, [(1, 1.0), (5, 5.0), (9, 9.0)]);
        track.drop_before(6);
        assert_eq!(track.values(0, 100), Some(vec![(9.0, 1.0)]));
        assert_eq!(track.last(), Some(9));
    }

    #[test]
    fn a_statistic_set_of_several_values_has_no_values() {
        let mut track = Track::default();
        track.add(3, Sample::of(Stats { sum: 9.0, count: 3.0, min: 1.0, max: 5.0 }));
        track.add(4, Sample::of(Stats::of(1.0)));
        assert!(track.values(4, 5).is_some());
        assert_eq!(track.values(3, 5), None);
    }

    proptest! {
        #[test]
        fn it_says_what_a_list_of_all_samples_says(
            samples in prop::collection::vec((0..12u64, 0..4u8, 1..3u8), 0..40),
            (from, until) in (0..12u64, 0..13u64),
        ) {
            let mut track = Track::default();
            let mut all: Vec<(Slot, f64)> = Vec::new();
            for (slot, value, times) in samples {
                let value = f64::from(value);
                let values = Values::of([(value, f64::from(times)), (value + 1.0, 1.0)]);
                let mut stats = Stats::of(value + 1.0);
                (0..times).for_each(|_| stats = stats.merge(Stats::of(value)));
                track.add(slot, Sample { stats, values: Some(values) });
                all.push((slot, value + 1.0));
                all.extend((0..times).map(|_| (slot, value)));
            }
            let expected: Vec<f64> =
                all.iter().filter(|(slot, _)| (from..until).contains(slot)).map(|(_, value)| *value).collect();
            let stats = expected.iter().map(|value| Stats::of(*value)).reduce(Stats::merge);
            prop_assert_eq!(track.stats(from, until), stats);
            let values = Values::of(expected.iter().map(|value| (*value, 1.0)));
            prop_assert_eq!(track.values(from, until).map(Values::of), Some(values));
        }

        #[test]
        fn runs_say_what_single_datapoints_say(values in prop::collection::vec(0..3u8, 1..60), late in 0..60usize) {
            let (mut track, mut single) = (Track::default(), BTreeMap::new());
            for (slot, value) in values.iter().enumerate() {
                plain(&mut track, [(slot as Slot, f64::from(*value))]);
                single.insert(slot as Slot, Stats::of(f64::from(*value)));
            }
            track.add(late as Slot, Sample::of(Stats::of(7.0)));
            let merged = single.get(&(late as Slot)).map_or(Stats::of(7.0), |stats| stats.merge(Stats::of(7.0)));
            single.insert(late as Slot, merged);
            for slot in 0..61 {
                prop_assert_eq!(track.stats(slot, slot + 1), single.get(&slot).copied());
            }
        }
    }
}
