//! All metrics that there are.

use std::collections::BTreeMap;

use havoq_base::StackTime;

use super::metric::{MetricId, write_key};
use super::series::Series;
use super::stats::Stats;
use crate::place::Place;

#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// By namespace, name and dimensions, in each place.
    series: BTreeMap<Place, BTreeMap<Box<str>, Series>>,
    /// Kept for its memory.
    key: String,
}

/// A datapoint that differs from the one before, of a metric that an alarm watches.
#[derive(Debug, PartialEq)]
pub(crate) struct News {
    pub(crate) id: MetricId,
    pub(crate) value: f64,
}

impl Metrics {
    /// Adds a sample of a service's metric. Its dimensions must be sorted by name.
    pub(crate) fn record(
        &mut self,
        at: StackTime,
        place: Place,
        (namespace, metric): (&'static str, &'static str),
        dimensions: &[(&'static str, &str)],
        stats: Stats,
    ) -> Option<News> {
        write_key(&mut self.key, namespace, metric, dimensions);
        let series = self.series.entry(place).or_default();
        if let Some(known) = series.get_mut(self.key.as_str()) {
            known.record(at, stats);
            return known.news(stats);
        }
        let owned: Vec<_> =
            dimensions.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let id = MetricId::new(namespace, metric, &owned);
        series.entry(id.key().into()).or_insert_with(|| Series::new(id)).record(at, stats);
        None
    }

    /// The metric of this name, made if there is none.
    pub(crate) fn series(&mut self, place: Place, id: &MetricId) -> &mut Series {
        let series = self.series.entry(place).or_default();
        series.entry(id.key().into()).or_insert_with(|| Series::new(id.clone()))
    }

    pub(crate) fn find(&self, place: Place, id: &MetricId) -> Option<&Series> {
        self.series.get(&place)?.get(id.key())
    }

    /// From now on these are watched, and no others.
    pub(crate) fn watch<'a>(&mut self, watched: impl Iterator<Item = (Place, &'a MetricId)>) {
        for series in self.series.values_mut().flat_map(BTreeMap::values_mut) {
            series.watched = false;
        }
        for (place, id) in watched {
            self.series(place, id).watched = true;
        }
    }

    /// The metrics of one place that have data, by their names.
    pub(crate) fn of(&self, place: Place) -> impl Iterator<Item = &Series> {
        self.series.get(&place).into_iter().flat_map(BTreeMap::values).filter(|series| !series.is_empty())
    }
}

impl Series {
    /// What to make known of a sample just recorded. Of several values in one datapoint, which only
    /// sizes have, the mean stands for all.
    pub(crate) fn news(&mut self, stats: Stats) -> Option<News> {
        let value = stats.average();
        let differs = self.watched && self.reported.replace(value) != Some(value);
        differs.then(|| News { id: self.id.clone(), value })
    }
}
