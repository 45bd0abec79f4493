//! How services' metrics come in.

use havoq_base::StackTime;

use super::CloudWatch;
use super::stats::Stats;
use super::store::News;
#[cfg(test)]
use super::{metric::MetricId, series::Span, unit::Unit};
use crate::core::Core;
use crate::fact::Fact;
use crate::place::Place;

impl CloudWatch {
    /// Adds the datapoint of the minute that ends at `at`. The dimensions must be sorted by name. A
    /// metric that stays as it was takes no more room, and hardly any time.
    pub(crate) fn record(
        &mut self,
        at: StackTime,
        place: Place,
        namespace: &'static str,
        metric: &'static str,
        dimensions: &[(&'static str, &str)],
        stats: Stats,
    ) {
        self.has_recorded = true;
        let news = self.metrics.record(at, place, (namespace, metric), dimensions, stats);
        self.news.extend(news);
    }
}

impl Core {
    /// Makes the news of watched metrics known.
    pub(super) fn tell_news(&mut self, at: StackTime) {
        for News { id, value } in std::mem::take(&mut self.cloudwatch.news) {
            let values: Vec<_> = id.dimensions.into_iter().map(|(_, value)| value).collect();
            let (namespace, metric, dimension) = (id.namespace, id.metric, values.join(", "));
            self.emit(at, Fact::Metric { namespace, metric, dimension, value });
        }
    }
}

#[cfg(test)]
impl CloudWatch {
    /// What a queue's metric came to in these seconds since the epoch.
    pub(crate) fn queue_stats(&self, queue: &str, metric: &str, secs: std::ops::Range<u64>) -> Option<Stats> {
        self.stats_of(Place::HOME, "AWS/SQS", metric, &[("QueueName", queue)], secs)
    }

    /// What a service's metric came to in these seconds since the epoch.
    pub(crate) fn stats_of(
        &self,
        place: Place,
        namespace: &str,
        metric: &str,
        dimensions: &[(&str, &str)],
        secs: std::ops::Range<u64>,
    ) -> Option<Stats> {
        let dimensions: Vec<_> =
            dimensions.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let id = MetricId::new(namespace, metric, &dimensions);
        let unit = Unit::of_service_metric(metric);
        let span = Span::Begun { from: secs.start, until: secs.end };
        self.metrics.find(place, &id)?.stats(unit, span)
    }
}
