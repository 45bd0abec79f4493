//! The values behind a datapoint, each with how often it was seen, for percentiles and the like.

/// Above this many different values in one datapoint they are not kept, and it has no percentiles,
/// as one that came as a statistic set has none.
pub(crate) const DIFFERENT_VALUES: usize = 10_000;

/// Sorted, each value once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values(Vec<(f64, f64)>);

impl Values {
    pub(crate) fn of(values: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut all: Vec<_> = values.into_iter().filter(|(_, count)| *count > 0.0).collect();
        all.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        all.dedup_by(|(value, count), (kept, total)| {
            let same = value == kept;
            if same {
                *total += *count;
            }
            same
        });
        Self(all)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (f64, f64)> {
        self.0.iter().copied()
    }

    pub(crate) fn count(&self) -> f64 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    /// The smallest value at or below which that share of all values lies.
    pub(crate) fn percentile(&self, percent: f64) -> Option<f64> {
        let wanted = self.count() * percent / 100.0;
        let mut seen = 0.0;
        let reached = self.0.iter().find(|(_, count)| {
            seen += count;
            seen >= wanted
        });
        reached.or(self.0.last()).map(|(value, _)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sorted_and_each_is_kept_once() {
        let values = Values::of([(3.0, 1.0), (1.0, 2.0), (3.0, 4.0), (2.0, 0.0)]);
        assert_eq!(values.iter().collect::<Vec<_>>(), [(1.0, 2.0), (3.0, 5.0)]);
        assert_eq!((values.len(), values.count()), (2, 7.0));
    }

    #[test]
    fn a_percentile_is_a_value_that_was_seen() {
        let values = Values::of((1..=10).map(|value| (f64::from(value), 1.0)));
        for (percent, value) in
            [(0.0, 1.0), (10.0, 1.0), (50.0, 5.0), (90.0, 9.0), (95.0, 10.0), (100.0, 10.0)]
        {
            assert_eq!(values.percentile(percent), Some(value), "p{percent}");
        }
        assert_eq!(Values::default().percentile(50.0), None);
    }
}
