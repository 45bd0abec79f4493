//! ListMetrics.

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::errors::validation;
use super::members::{Dimension, dimensions};
use super::pages::page;
use super::series::Series;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListMetrics {
    namespace: Option<String>,
    metric_name: Option<String>,
    dimensions: Vec<Dimension>,
    next_token: Option<String>,
    recently_active: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ListedMetrics {
    metrics: Vec<Metric>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metric {
    namespace: String,
    metric_name: String,
    dimensions: Vec<Dimension>,
}

const PAGE: usize = 500;
/// Metrics without data for longer than that are not listed.
const LISTED: StackDuration = StackDuration::from_secs(14 * 86_400);
const RECENT: StackDuration = StackDuration::from_secs(3 * 3_600);

impl Core {
    pub(crate) fn list_metrics(
        &self,
        now: StackTime,
        place: Place,
        input: ListMetrics,
    ) -> Result<ListedMetrics, ServiceError> {
        let mut checks = Checks::default();
        checks.length("namespace", input.namespace.as_deref(), 1, 255);
        checks.length("metricName", input.metric_name.as_deref(), 1, 255);
        let names: Vec<_> = input.dimensions.iter().filter_map(|filter| filter.name.as_deref()).collect();
        checks.count("dimensions", &names, 10);
        for (index, filter) in input.dimensions.iter().enumerate() {
            checks.required_text(&format!("dimensions.{}.member.name", index + 1), &filter.name, 1, 255);
        }
        let recent = |text: &str| (text == "PT3H").then_some(RECENT);
        let recent = checks.one_of("recentlyActive", input.recently_active.as_deref(), &["PT3H"], recent);
        checks.done(validation)?;
        let oldest = now - recent.unwrap_or(LISTED);
        let listed = self.cloudwatch.metrics.of(place);
        let listed = listed.filter(|series| series.last_added >= oldest && input.wants(series));
        let (page, next_token) = page(listed, input.next_token.as_deref(), PAGE)?;
        let metrics = page.into_iter().map(|series| Metric {
            namespace: series.id.namespace.clone(),
            metric_name: series.id.metric.clone(),
            dimensions: dimensions(&series.id.dimensions),
        });
        Ok(ListedMetrics { metrics: metrics.collect(), next_token })
    }
}

impl ListMetrics {
    fn wants(&self, series: &Series) -> bool {
        let id = &series.id;
        let has = |filter: &Dimension| {
            let mut named = id.dimensions.iter().filter(|(name, _)| Some(name) == filter.name.as_ref());
            named.any(|(_, value)| filter.value.as_ref().is_none_or(|wanted| wanted == value))
        };
        self.namespace.as_ref().is_none_or(|namespace| *namespace == id.namespace)
            && self.metric_name.as_ref().is_none_or(|metric| *metric == id.metric)
            && self.dimensions.iter().all(has)
    }
}
