//! GetMetricStatistics.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::dates::from_epoch;
use super::errors::{invalid_combination, invalid_value, missing, not_in, validation};
use super::members::{Dimension, pairs};
use super::metric::MetricId;
use super::series::{Series, Span};
use super::spec::Statistic;
use super::stat::{Extended, Stat};
use super::unit::Unit;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct GetMetricStatistics {
    namespace: Option<String>,
    metric_name: Option<String>,
    dimensions: Vec<Dimension>,
    start_time: Option<f64>,
    end_time: Option<f64>,
    period: Option<i64>,
    statistics: Vec<String>,
    extended_statistics: Vec<String>,
    unit: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct MetricStatistics {
    label: String,
    datapoints: Vec<Datapoint>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Datapoint {
    timestamp: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample_count: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<f64>,
    unit: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extended_statistics: BTreeMap<String, f64>,
}

const MOST_DATAPOINTS: u64 = 1_440;

/// What is asked for, checked.
struct Asked {
    from: u64,
    until: u64,
    period: u64,
    statistics: Vec<Stat>,
    unit: Option<Unit>,
}

impl Core {
    pub(crate) fn get_metric_statistics(
        &self,
        place: Place,
        input: GetMetricStatistics,
    ) -> Result<MetricStatistics, ServiceError> {
        let asked = input.check()?;
        let label = input.metric_name.unwrap_or_default();
        let namespace = input.namespace.unwrap_or_default();
        let id = MetricId::new(&namespace, &label, &pairs(&input.dimensions));
        let series = self.cloudwatch.metrics.find(place, &id);
        let datapoints = series.map(|series| asked.datapoints(series)).unwrap_or_default();
        Ok(MetricStatistics { label, datapoints })
    }
}

impl GetMetricStatistics {
    fn check(&self) -> Result<Asked, ServiceError> {
        let mut checks = Checks::default();
        checks.length("namespace", self.namespace.as_deref(), 1, 255);
        checks.length("metricName", self.metric_name.as_deref(), 1, 255);
        checks.dimensions("", &self.dimensions);
        checks.range("period", self.period, 1, i64::MAX);
        checks.done(validation)?;
        for (name, given) in [("Namespace", &self.namespace), ("MetricName", &self.metric_name)] {
            if given.is_none() {
                return Err(missing(name));
            }
        }
        let start = from_epoch(self.start_time.ok_or_else(|| missing("StartTime"))?);
        let end = from_epoch(self.end_time.ok_or_else(|| missing("EndTime"))?);
        let period = self.period.ok_or_else(|| missing("Period"))? as u64;
        let statistics = self.statistics()?;
        let unit = self.unit()?;
        if start >= end {
            return Err(invalid_value("The parameter StartTime must be less than the parameter EndTime."));
        }
        if !is_period(period) {
            return Err(invalid_value(
                "The parameter Period must be 1, 5, 10, 20, 30 or a multiple of 60.".to_owned(),
            ));
        }
        let count = end.since(start).as_secs().div_ceil(period);
        if count > MOST_DATAPOINTS {
            return Err(invalid_combination(format!(
                "You have requested up to {count} datapoints, which exceeds the limit of {MOST_DATAPOINTS}. You may \
                 reduce the datapoints requested by increasing Period, or decreasing the time range."
            )));
        }
        Ok(Asked { from: rounded_down(start, period), until: rounded_up(end), period, statistics, unit })
    }

    fn statistics(&self) -> Result<Vec<Stat>, ServiceError> {
        if self.statistics.is_empty() == self.extended_statistics.is_empty() {
            return Err(invalid_combination(if self.statistics.is_empty() {
                "At least one of the parameters Statistics and ExtendedStatistics must be specified."
            } else {
                "The parameters Statistics and ExtendedStatistics are mutually exclusive and you have specified both."
            }));
        }
        let simple = self.statistics.iter().enumerate().map(|(index, name)| {
            Statistic::named(name).map(Stat::Simple).ok_or_else(|| {
                let all = ["Minimum", "Maximum", "Average", "SampleCount", "Sum"];
                not_in(&format!("Statistics.member.{}", index + 1), &all)
            })
        });
        let extended = self.extended_statistics.iter().enumerate().map(|(index, name)| {
            Extended::parse(name).map(Stat::Extended).ok_or_else(|| {
                let parameter = format!("ExtendedStatistics.member.{}", index + 1);
                invalid_value(format!("The value {name} for parameter {parameter} is not supported."))
            })
        });
        simple.chain(extended).collect()
    }

    fn unit(&self) -> Result<Option<Unit>, ServiceError> {
        let Some(name) = self.unit.as_deref() else { return Ok(None) };
        Unit::named(name).map(Some).ok_or_else(|| not_in("Unit", &Unit::names()))
    }
}

impl Asked {
    /// Each period that has data, once for each unit that it has it in.
    fn datapoints(&self, series: &Series) -> Vec<Datapoint> {
        let whole = Span::Begun { from: self.from, until: self.until };
        let units =
            series.units(whole).into_iter().filter(|unit| self.unit.is_none_or(|asked| asked == *unit));
        let units: Vec<_> = units.collect();
        let mut datapoints = Vec::new();
        for from in (self.from..self.until).step_by(self.period as usize) {
            let span = Span::Begun { from, until: (from + self.period).min(self.until) };
            datapoints.extend(units.iter().filter_map(|unit| self.datapoint(series, *unit, span, from)));
        }
        datapoints
    }

    fn datapoint(&self, series: &Series, unit: Unit, span: Span, from: u64) -> Option<Datapoint> {
        let stats = series.stats(unit, span)?;
        let mut datapoint = Datapoint { timestamp: from as f64, unit: unit.as_str(), ..Datapoint::default() };
        for stat in &self.statistics {
            match stat {
                Stat::Simple(statistic) => {
                    let member = match statistic {
                        Statistic::SampleCount => &mut datapoint.sample_count,
                        Statistic::Average => &mut datapoint.average,
                        Statistic::Sum => &mut datapoint.sum,
                        Statistic::Minimum => &mut datapoint.minimum,
                        Statistic::Maximum => &mut datapoint.maximum,
                    };
                    *member = Some(statistic.of(stats));
                }
                Stat::Extended(_) => {
                    let value = series.value(unit, span, stat);
                    let named = value.map(|value| (stat.as_str().to_owned(), value));
                    datapoint.extended_statistics.extend(named);
                }
            }
        }
        Some(datapoint)
    }
}

pub(super) fn is_period(secs: u64) -> bool {
    matches!(secs, 1 | 5 | 10 | 20 | 30) || (secs > 0 && secs.is_multiple_of(60))
}

/// Where the first period begins: at a full minute, or at a multiple of a shorter period.
pub(super) fn rounded_down(start: StackTime, period: u64) -> u64 {
    let step = period.min(60);
    start.as_secs() / step * step
}

pub(super) fn rounded_up(end: StackTime) -> u64 {
    end.as_micros().div_ceil(1_000_000)
}
