//! PutMetricData.

use havoq_base::{StackDuration, StackTime};
use havoq_wire::ServiceError;
use serde::Deserialize;

use super::dates::from_epoch;
use super::double;
use super::errors::{invalid_combination, invalid_value, missing, not_in, validation};
use super::members::{Dimension, pairs};
use super::metric::MetricId;
use super::number;
use super::series::Resolution;
use super::stats::Stats;
use super::track::Sample;
use super::unit::Unit;
use super::values::Values;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

/// EntityMetricData and StrictEntityValidation are not looked at.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutMetricData {
    namespace: Option<String>,
    metric_data: Vec<MetricDatum>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct MetricDatum {
    metric_name: Option<String>,
    dimensions: Vec<Dimension>,
    timestamp: Option<f64>,
    #[serde(deserialize_with = "double::optional")]
    value: Option<f64>,
    statistic_values: Option<StatisticSet>,
    #[serde(deserialize_with = "double::list")]
    values: Vec<f64>,
    #[serde(deserialize_with = "double::list")]
    counts: Vec<f64>,
    unit: Option<String>,
    storage_resolution: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct StatisticSet {
    #[serde(deserialize_with = "double::optional")]
    sample_count: Option<f64>,
    #[serde(deserialize_with = "double::optional")]
    sum: Option<f64>,
    #[serde(deserialize_with = "double::optional")]
    minimum: Option<f64>,
    #[serde(deserialize_with = "double::optional")]
    maximum: Option<f64>,
}

/// A datum that was checked.
struct Checked {
    id: MetricId,
    at: StackTime,
    unit: Unit,
    resolution: Resolution,
    sample: Sample,
}

const MOST_DATA: usize = 1_000;
const MOST_VALUES: usize = 150;
/// What numbers may be: between -2^360 and 2^360.
const LARGEST: f64 = 2.348542582773833e108;
const PAST: StackDuration = StackDuration::from_secs(14 * 86_400);
const FUTURE: StackDuration = StackDuration::from_secs(2 * 3_600);

impl Core {
    /// All of it is put, or nothing.
    pub(crate) fn put_metric_data(
        &mut self,
        now: StackTime,
        place: Place,
        input: PutMetricData,
    ) -> Result<(), ServiceError> {
        let namespace = input.check()?;
        let datum = |(index, datum): (usize, &MetricDatum)| datum.checked(namespace, index + 1, now);
        let checked: Result<Vec<_>, _> = input.metric_data.iter().enumerate().map(datum).collect();
        for Checked { id, at, unit, resolution, sample } in checked? {
            let stats = sample.stats;
            let series = self.cloudwatch.metrics.series(place, &id);
            series.put(now, at, unit, resolution, sample);
            self.cloudwatch.news.extend(series.news(stats));
        }
        self.tell_news(now);
        Ok(())
    }
}

impl PutMetricData {
    fn check(&self) -> Result<&str, ServiceError> {
        let mut checks = Checks::default();
        checks.length("namespace", self.namespace.as_deref(), 1, 255);
        for (index, datum) in self.metric_data.iter().enumerate() {
            let member = format!("metricData.{}.member.", index + 1);
            checks.required_text(&format!("{member}metricName"), &datum.metric_name, 1, 255);
            checks.dimensions(&member, &datum.dimensions);
        }
        checks.done(validation)?;
        let namespace = self.namespace.as_deref().ok_or_else(|| missing("Namespace"))?;
        if namespace.starts_with("AWS/") {
            return Err(invalid_value("The value AWS/ for parameter Namespace is invalid."));
        }
        let parameter = "Namespace";
        if namespace.starts_with(':') || !is_plain(namespace) {
            return Err(invalid_value(format!(
                "The value {namespace} for parameter {parameter} is invalid."
            )));
        }
        if self.metric_data.is_empty() {
            return Err(missing("MetricData"));
        }
        if self.metric_data.len() > MOST_DATA {
            return Err(invalid_value(format!(
                "The collection MetricData must not have a size greater than {MOST_DATA}."
            )));
        }
        Ok(namespace)
    }
}

impl MetricDatum {
    fn checked(&self, namespace: &str, number: usize, now: StackTime) -> Result<Checked, ServiceError> {
        let path = format!("MetricData.member.{number}");
        let name = self.metric_name.as_deref().unwrap_or_default();
        let dimensions = pairs(&self.dimensions);
        let texts = dimensions.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
        if let Some(bad) = texts.chain([name]).find(|text| !is_plain(text)) {
            return Err(invalid_value(format!("The value {bad:?} for parameter {path} is invalid.")));
        }
        let unit = match self.unit.as_deref() {
            None => Unit::None,
            Some(unit) => Unit::named(unit).ok_or_else(|| not_in(&format!("{path}.Unit"), &Unit::names()))?,
        };
        let resolution = match self.storage_resolution {
            None | Some(60) => Resolution::Minute,
            Some(1) => Resolution::Second,
            Some(_) => return Err(not_in(&format!("{path}.StorageResolution"), &["1", "60"])),
        };
        let sample = self.sample(&path)?;
        let at = self.timestamp.map_or(now, from_epoch);
        if at + PAST < now || at > now + FUTURE {
            return Err(invalid_value(format!(
                "The parameter {path}.Timestamp must specify a time within the past two weeks."
            )));
        }
        Ok(Checked { id: MetricId::new(namespace, name, &dimensions), at, unit, resolution, sample })
    }

    fn sample(&self, path: &str) -> Result<Sample, ServiceError> {
        let given = [
            ("Value", self.value.is_some()),
            ("Values", !self.values.is_empty()),
            ("StatisticValues", self.statistic_values.is_some()),
        ];
        let mut given = given.iter().filter(|(_, given)| *given).map(|(name, _)| name);
        match (given.next(), given.next()) {
            (Some(one), Some(other)) => {
                return Err(invalid_combination(format!(
                    "The parameters {path}.{one} and {path}.{other} are mutually exclusive and you have specified \
                     both."
                )));
            }
            (None, _) => {
                return Err(missing_one(path));
            }
            (Some(_), None) => {}
        }
        if let Some(set) = &self.statistic_values {
            return set.sample(path);
        }
        if !self.counts.is_empty() && self.counts.len() != self.values.len() {
            return Err(invalid_value(format!(
                "The parameters {path}.Values and {path}.Counts must be of the same size."
            )));
        }
        if self.values.len() > MOST_VALUES {
            return Err(invalid_value(format!(
                "The collection {path}.Values must not have a size greater than {MOST_VALUES}."
            )));
        }
        let counts = self.counts.iter().copied().chain(std::iter::repeat(1.0));
        let pairs: Vec<_> = self.value.into_iter().chain(self.values.iter().copied()).zip(counts).collect();
        for (value, count) in &pairs {
            in_range(&format!("{path}.Value"), *value)?;
            if !(0.0..=LARGEST).contains(count) {
                return Err(invalid_value(format!(
                    "The value {count} for parameter {path}.Counts is invalid."
                )));
            }
        }
        let values = Values::of(pairs);
        let each =
            values.iter().map(|(value, count)| Stats { sum: value * count, count, min: value, max: value });
        match each.reduce(Stats::merge) {
            Some(stats) => Ok(Sample { stats, values: Some(values) }),
            None => Err(missing_one(path)),
        }
    }
}

impl StatisticSet {
    fn sample(&self, path: &str) -> Result<Sample, ServiceError> {
        let path = format!("{path}.StatisticValues");
        let member = |name: &str, value: Option<f64>| {
            let value = value.ok_or_else(|| missing(&format!("{path}.{name}")))?;
            in_range(&format!("{path}.{name}"), value)?;
            Ok::<f64, ServiceError>(value)
        };
        let stats = Stats {
            count: member("SampleCount", self.sample_count)?,
            sum: member("Sum", self.sum)?,
            min: member("Minimum", self.minimum)?,
            max: member("Maximum", self.maximum)?,
        };
        if stats.count <= 0.0 {
            return Err(invalid_value(format!(
                "The value {:?} for parameter {path}.SampleCount is invalid.",
                stats.count
            )));
        }
        if stats.min > stats.max {
            return Err(invalid_value(format!(
                "The parameter {path}.Minimum must be less than or equal to {path}.Maximum."
            )));
        }
        Ok(Sample::of(stats))
    }
}

fn missing_one(path: &str) -> ServiceError {
    invalid_combination(format!(
        "At least one of the parameters {path}.Value, {path}.Values and {path}.StatisticValues must be specified."
    ))
}

fn in_range(parameter: &str, value: f64) -> Result<(), ServiceError> {
    if value.abs() <= LARGEST {
        return Ok(());
    }
    Err(invalid_value(format!("The value {} for parameter {parameter} is invalid.", number::text(value))))
}

/// Names hold no control characters; that also tells them apart in the store.
fn is_plain(text: &str) -> bool {
    !text.chars().any(char::is_control)
}
