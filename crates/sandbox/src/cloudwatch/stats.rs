//! A statistic set: what CloudWatch keeps of the values of one datapoint.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stats {
    pub(crate) sum: f64,
    pub(crate) count: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Stats {
    pub(crate) fn of(value: f64) -> Self {
        Self { sum: value, count: 1.0, min: value, max: value }
    }

    pub(crate) fn merge(self, other: Self) -> Self {
        Self {
            sum: self.sum + other.sum,
            count: self.count + other.count,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Average = Sum / SampleCount (semantics 4.3).
    pub(crate) fn average(self) -> f64 {
        self.sum / self.count
    }

    /// The one value that was seen, however often.
    pub(crate) fn only_value(self) -> Option<f64> {
        (self.min == self.max).then_some(self.min)
    }
}
