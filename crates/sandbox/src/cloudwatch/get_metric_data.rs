//! GetMetricData.

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::dates::from_epoch;
use super::describe_history::SCANS;
use super::errors::{invalid_token, missing, validation};
use super::get_metric_statistics::{is_period, rounded_down, rounded_up};
use super::members::{Dimension, pairs};
use super::metric::MetricId;
use super::queries::{Answered, MOST_DATAPOINTS, Queries, Query};
use super::stat::Stat;
use super::unit::Unit;
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct GetMetricData {
    metric_data_queries: Option<Vec<MetricDataQuery>>,
    start_time: Option<f64>,
    end_time: Option<f64>,
    next_token: Option<String>,
    scan_by: Option<String>,
    max_datapoints: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct MetricDataQuery {
    id: Option<String>,
    metric_stat: Option<MetricStat>,
    expression: Option<String>,
    label: Option<String>,
    return_data: Option<bool>,
    period: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct MetricStat {
    metric: Option<Metric>,
    period: Option<i64>,
    stat: Option<String>,
    unit: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Metric {
    namespace: Option<String>,
    metric_name: Option<String>,
    dimensions: Vec<Dimension>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct MetricData {
    metric_data_results: Vec<MetricDataResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
    messages: Vec<Message>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct MetricDataResult {
    id: String,
    label: String,
    timestamps: Vec<f64>,
    values: Vec<f64>,
    status_code: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<Message>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Message {
    code: &'static str,
    value: String,
}

const MOST_QUERIES: usize = 500;

impl Core {
    pub(crate) fn get_metric_data(
        &self,
        place: Place,
        input: GetMetricData,
    ) -> Result<MetricData, ServiceError> {
        let (start, end) = input.check()?;
        let queries = input.queries()?;
        let shortest = queries.iter().filter_map(Query::period).min().unwrap_or(60);
        let (from, until) = (rounded_down(start, shortest), rounded_up(end));
        let queries = Queries { metrics: &self.cloudwatch.metrics, place, all: queries, from, until };
        let answered = queries.answer().map_err(validation)?;
        let ascending = input.scan_by.as_deref() == Some(SCANS[1]);
        let most = input.max_datapoints.unwrap_or(MOST_DATAPOINTS as i64) as usize;
        cut(answered, ascending, input.next_token.as_deref(), most)
    }
}

/// The page of datapoints that the token names: it tells how many were given before.
fn cut(
    answered: Vec<Answered>,
    ascending: bool,
    token: Option<&str>,
    most: usize,
) -> Result<MetricData, ServiceError> {
    let mut skip: usize = token.map_or(Some(0), |token| token.parse().ok()).ok_or_else(invalid_token)?;
    let (given_before, mut room) = (skip, most);
    let mut results = Vec::new();
    let mut is_whole = true;
    for answer in answered {
        let mut points: Vec<(u64, f64)> = answer.series.points.into_iter().collect();
        if !ascending {
            points.reverse();
        }
        let skipped = skip.min(points.len());
        skip -= skipped;
        let left = points.len() - skipped;
        if left == 0 && skipped > 0 {
            continue;
        }
        let taken = left.min(room);
        room -= taken;
        is_whole &= taken == left;
        let page = &points[skipped..skipped + taken];
        if page.is_empty() && left > 0 {
            continue;
        }
        let messages = answer.units.map(|units| Message {
            code: "MultipleUnits",
            value: format!("Multiple units returned: '[{units}]'"),
        });
        results.push(MetricDataResult {
            id: answer.id,
            label: answer.series.label,
            timestamps: page.iter().map(|(at, _)| *at as f64).collect(),
            values: page.iter().map(|(_, value)| *value).collect(),
            status_code: if taken == left { "Complete" } else { "PartialData" },
            messages: messages.into_iter().collect(),
        });
    }
    let next_token = (!is_whole).then(|| (given_before + most).to_string());
    Ok(MetricData { metric_data_results: results, next_token, messages: Vec::new() })
}

impl GetMetricData {
    fn check(&self) -> Result<(StackTime, StackTime), ServiceError> {
        let mut checks = Checks::default();
        checks.required("metricDataQueries", &self.metric_data_queries);
        checks.required("startTime", &self.start_time);
        checks.required("endTime", &self.end_time);
        checks.range("maxDatapoints", self.max_datapoints, 1, MOST_DATAPOINTS as i64);
        checks.among("scanBy", self.scan_by.as_deref(), &SCANS);
        for (index, query) in self.metric_data_queries.iter().flatten().enumerate() {
            query.check(&mut checks, &format!("metricDataQueries.{}.member", index + 1));
        }
        checks.done(validation)?;
        let start = from_epoch(self.start_time.ok_or_else(|| missing("StartTime"))?);
        let end = from_epoch(self.end_time.ok_or_else(|| missing("EndTime"))?);
        if start >= end {
            return Err(validation("The parameter StartTime must be less than the parameter EndTime."));
        }
        Ok((start, end))
    }

    fn queries(&self) -> Result<Vec<Query>, ServiceError> {
        let queries = self.metric_data_queries.as_deref().unwrap_or_default();
        if queries.is_empty() || queries.len() > MOST_QUERIES {
            return Err(validation(format!(
                "The collection MetricDataQueries must have a size between 1 and {MOST_QUERIES}."
            )));
        }
        let (mut parsed, mut complaints) = (Vec::<Query>::new(), Vec::new());
        for (index, query) in queries.iter().enumerate() {
            let path = format!("MetricDataQueries.member.{}", index + 1);
            match query.parsed(&path) {
                Ok(query) if parsed.iter().any(|other| other.id == query.id) => {
                    complaints
                        .push("The values for parameter id in MetricDataQueries are not unique.".to_owned());
                }
                Ok(query) => parsed.push(query),
                Err(complaint) => complaints.push(complaint),
            }
        }
        if !complaints.is_empty() {
            return Err(validation(complaints.join("\n")));
        }
        if !parsed.iter().any(|query| query.returns) {
            return Err(validation("At least one of the MetricDataQueries must return data."));
        }
        Ok(parsed)
    }
}

impl MetricDataQuery {
    fn check(&self, checks: &mut Checks, member: &str) {
        checks.required_text(&format!("{member}.id"), &self.id, 1, 255);
        checks.length(&format!("{member}.expression"), self.expression.as_deref(), 1, 2_048);
        checks.range(&format!("{member}.period"), self.period, 1, i64::MAX);
        let Some(stat) = &self.metric_stat else { return };
        let member = format!("{member}.metricStat");
        checks.required(&format!("{member}.metric"), &stat.metric);
        checks.required(&format!("{member}.period"), &stat.period);
        checks.range(&format!("{member}.period"), stat.period, 1, i64::MAX);
        checks.required(&format!("{member}.stat"), &stat.stat);
        checks.unit(&format!("{member}.unit"), stat.unit.as_deref());
        if let Some(metric) = &stat.metric {
            checks.dimensions(&format!("{member}.metric."), &metric.dimensions);
        }
    }

    fn parsed(&self, path: &str) -> Result<Query, String> {
        let id = self.id.clone().unwrap_or_default();
        let legal = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if !id.starts_with(|letter: char| letter.is_ascii_lowercase()) || !id.chars().all(legal) {
            return Err(format!("The value {id} for parameter {path}.Id is not a valid identifier."));
        }
        if self.label.as_ref().is_some_and(|label| label.contains("${")) {
            return Err(format!("dynamic labels ({path}.Label) are not implemented in havoq's sandbox yet"));
        }
        let returns = self.return_data.unwrap_or(true);
        let label = self.label.clone();
        match (&self.metric_stat, &self.expression) {
            (Some(stat), None) => {
                let (metric, period, stat, unit) = stat.parsed(path)?;
                Ok(Query::metric(id, label, returns, metric, period, stat, unit))
            }
            (None, Some(expression)) => Query::expression(id, label, returns, expression),
            (Some(_), Some(_)) => Err(format!(
                "The parameters {path}.Expression and {path}.MetricStat are mutually exclusive and you have specified \
                 both."
            )),
            (None, None) => Err(format!(
                "At least one of the parameters {path}.Expression and {path}.MetricStat must be specified."
            )),
        }
    }
}

type Parsed = (MetricId, u64, Stat, Option<Unit>);

impl MetricStat {
    fn parsed(&self, path: &str) -> Result<Parsed, String> {
        let path = format!("{path}.MetricStat");
        let metric = self.metric.as_ref();
        let name = |of: fn(&Metric) -> &Option<String>, what: &str| {
            let name = metric.and_then(|metric| of(metric).as_deref());
            name.ok_or_else(|| format!("The parameter {path}.Metric.{what} is required."))
        };
        let namespace = name(|metric| &metric.namespace, "Namespace")?;
        let metric_name = name(|metric| &metric.metric_name, "MetricName")?;
        let dimensions = metric.map(|metric| pairs(&metric.dimensions)).unwrap_or_default();
        let text = self.stat.as_deref().unwrap_or_default();
        let stat = Stat::parse(text)
            .ok_or_else(|| format!("The value {text} for parameter {path}.Stat is not a valid statistic."))?;
        let period = self.period.unwrap_or_default() as u64;
        if !is_period(period) {
            return Err(format!("The value {period} for parameter {path}.Period is not a valid period."));
        }
        let unit = self.unit.as_deref().and_then(Unit::named);
        Ok((MetricId::new(namespace, metric_name, &dimensions), period, stat, unit))
    }
}
