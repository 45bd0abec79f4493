//! The queries of one GetMetricData call, and what they come to.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::math::{Expression, Math, TimeSeries, Value};
use super::metric::MetricId;
use super::series::Span;
use super::stat::Stat;
use super::store::Metrics;
use super::unit::Unit;
use crate::place::Place;

pub(super) struct Query {
    pub(super) id: String,
    label: Option<String>,
    pub(super) returns: bool,
    kind: Kind,
}

enum Kind {
    Metric { metric: MetricId, period: u64, stat: Stat, unit: Option<Unit> },
    Expression(Expression),
}

/// The queries over a span of time, in seconds since the epoch.
pub(super) struct Queries<'a> {
    pub(super) metrics: &'a Metrics,
    pub(super) place: Place,
    pub(super) all: Vec<Query>,
    pub(super) from: u64,
    pub(super) until: u64,
}

/// One time series of an answer.
pub(super) struct Answered {
    pub(super) id: String,
    pub(super) series: TimeSeries,
    /// The units that the metric has, if it has several and none was asked for.
    pub(super) units: Option<String>,
}

impl Query {
    pub(super) fn metric(
        id: String,
        label: Option<String>,
        returns: bool,
        metric: MetricId,
        period: u64,
        stat: Stat,
        unit: Option<Unit>,
    ) -> Self {
        Self { id, label, returns, kind: Kind::Metric { metric, period, stat, unit } }
    }

    pub(super) fn expression(
        id: String,
        label: Option<String>,
        returns: bool,
        text: &str,
    ) -> Result<Self, String> {
        let parsed = Expression::parse(text).map_err(|error| wrong(&id, &error))?;
        Ok(Self { id, label, returns, kind: Kind::Expression(parsed) })
    }

    pub(super) fn period(&self) -> Option<u64> {
        match &self.kind {
            Kind::Metric { period, .. } => Some(*period),
            Kind::Expression(_) => None,
        }
    }
}

impl Queries<'_> {
    pub(super) fn answer(&self) -> Result<Vec<Answered>, String> {
        let mut answers = Vec::new();
        for query in self.all.iter().filter(|query| query.returns) {
            let value = self.evaluation().query(&query.id).map_err(|error| wrong(&query.id, &error))?;
            let units = self.several_units(query);
            let answered = |series| Answered { id: query.id.clone(), series, units: units.clone() };
            match value {
                Value::Series(series) => answers.push(answered(series)),
                Value::Array(all) => answers.extend(all.into_iter().map(answered)),
                Value::Scalar(_) => {
                    return Err(wrong(&query.id, "an expression that returns data must be a time series"));
                }
            }
        }
        Ok(answers)
    }

    fn evaluation(&self) -> Evaluation<'_> {
        Evaluation { queries: self, path: RefCell::new(Vec::new()) }
    }

    fn several_units(&self, query: &Query) -> Option<String> {
        let Kind::Metric { metric, unit: None, .. } = &query.kind else { return None };
        let units = self.metrics.find(self.place, metric)?.units(self.span());
        let names: Vec<_> = units.iter().map(|unit| unit.as_str()).collect();
        (names.len() > 1).then(|| names.join(", "))
    }

    fn span(&self) -> Span {
        Span::Begun { from: self.from, until: self.until }
    }

    /// What tells the metrics of a call apart: their names, and the statistics and periods if they
    /// are not all the same.
    fn label(&self, query: &Query) -> String {
        let Kind::Metric { metric, period, stat, .. } = &query.kind else { return query.id.clone() };
        let differs = |same: &dyn Fn(u64, &Stat) -> bool| {
            self.all.iter().any(|other| match &other.kind {
                Kind::Metric { period, stat, .. } => !same(*period, stat),
                Kind::Expression(_) => false,
            })
        };
        let mut label = metric.metric.clone();
        if differs(&|_, other| other == stat) {
            label += &format!(" {}", stat.as_str());
        }
        if differs(&|other, _| other == *period) {
            label += &format!(" {period}");
        }
        label
    }

    fn metric_series(&self, query: &Query) -> TimeSeries {
        let label = query.label.clone().unwrap_or_else(|| self.label(query));
        let Kind::Metric { metric, period, stat, unit } = &query.kind else {
            return TimeSeries { label, points: BTreeMap::new() };
        };
        let Some(series) = self.metrics.find(self.place, metric) else {
            return TimeSeries { label, points: BTreeMap::new() };
        };
        let unit = unit.or_else(|| series.units(self.span()).first().copied()).unwrap_or(Unit::None);
        let times = (self.from..self.until).step_by(*period as usize);
        let points = times.filter_map(|from| {
            let span = Span::Begun { from, until: (from + period).min(self.until) };
            Some((from, series.value(unit, span, stat)?))
        });
        TimeSeries { label, points: points.collect() }
    }
}

/// One evaluation, and which queries it is in, so that it does not go round for ever.
struct Evaluation<'a> {
    queries: &'a Queries<'a>,
    path: RefCell<Vec<String>>,
}

impl Math for Evaluation<'_> {
    fn query(&self, id: &str) -> Result<Value, String> {
        let query = self.queries.all.iter().find(|query| query.id == id);
        let query = query.ok_or_else(|| format!("there is no query {id}"))?;
        let Kind::Expression(expression) = &query.kind else {
            return Ok(Value::Series(self.queries.metric_series(query)));
        };
        if self.path.borrow().iter().any(|on| on == id) {
            return Err(format!("the query {id} depends on itself"));
        }
        self.path.borrow_mut().push(id.to_owned());
        let value = self.value(expression);
        self.path.borrow_mut().pop();
        let label = query.label.as_ref();
        Ok(match value? {
            Value::Series(series) => {
                Value::Series(TimeSeries { label: label.cloned().unwrap_or_else(|| id.to_owned()), ..series })
            }
            Value::Array(all) => Value::Array(
                all.into_iter()
                    .map(|series| TimeSeries {
                        label: label.map_or_else(
                            || series.label.clone(),
                            |label| format!("{label} {}", series.label),
                        ),
                        ..series
                    })
                    .collect(),
            ),
            scalar => scalar,
        })
    }

    fn metrics(&self, holding: &str) -> Vec<TimeSeries> {
        let metrics = self.queries.all.iter().filter(|query| query.period().is_some());
        let wanted = metrics.filter(|query| query.id.contains(holding));
        wanted.map(|query| self.queries.metric_series(query)).collect()
    }

    fn times(&self) -> Vec<u64> {
        let period = self.queries.all.iter().filter_map(Query::period).min().unwrap_or(60);
        (self.queries.from..self.queries.until).step_by(period as usize).collect()
    }
}

fn wrong(id: &str, error: &str) -> String {
    format!("Error in expression '{id}': {error}")
}
