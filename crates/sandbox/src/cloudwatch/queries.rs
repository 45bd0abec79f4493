//! The queries of one GetMetricData call, and what they come to.

use std::collections::BTreeMap;

use super::math::{Expression, Math, TimeSeries, Value};
use super::metric::MetricId;
use super::series::Span;
use super::stat::Stat;
use super::store::Metrics;
use super::unit::Unit;
use crate::place::Place;

/// That one call returns.
pub(super) const MOST_DATAPOINTS: u64 = 100_800;

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
        let mut evaluation = Evaluation { queries: self, known: BTreeMap::new() };
        for query in self.all.iter().filter(|query| query.returns) {
            let value = evaluation.of(query).map_err(|error| wrong(&query.id, &error))?;
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

    fn named(&self, id: &str) -> Option<&Query> {
        self.all.iter().find(|query| query.id == id)
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
        let starts = series.periods_with_data(unit, self.from, self.until, *period);
        let points = starts.filter_map(|from| {
            let span = Span::Begun { from, until: (from + period).min(self.until) };
            Some((from, series.value(unit, span, stat)?))
        });
        TimeSeries { label, points: points.collect() }
    }
}

/// What is known of one call's queries: each is computed once, and after all that it refers to.
struct Evaluation<'a> {
    queries: &'a Queries<'a>,
    known: BTreeMap<&'a str, Value>,
}

impl<'a> Evaluation<'a> {
    /// The value of a query. Hundreds may build on one another, so nothing here calls itself.
    fn of(&mut self, query: &'a Query) -> Result<Value, String> {
        if let Some(known) = self.known.get(&*query.id) {
            return Ok(known.clone());
        }
        let mut path = vec![query];
        while let Some(query) = path.last().copied() {
            match self.next_unknown(query) {
                Some(next) if path.iter().any(|on| on.id == next.id) => {
                    return Err(format!("the query {} depends on itself", next.id));
                }
                Some(next) => path.push(next),
                None => {
                    let value = self.computed(query)?;
                    self.known.insert(&query.id, value);
                    path.pop();
                }
            }
        }
        self.query(&query.id)
    }

    fn next_unknown(&self, query: &Query) -> Option<&'a Query> {
        let Kind::Expression(expression) = &query.kind else { return None };
        let mut unknown = expression.references().into_iter().filter(|id| !self.known.contains_key(id));
        unknown.find_map(|id| self.queries.named(id))
    }

    fn computed(&self, query: &Query) -> Result<Value, String> {
        let Kind::Expression(expression) = &query.kind else {
            return Ok(Value::Series(self.queries.metric_series(query)));
        };
        let label = query.label.as_ref();
        Ok(match self.value(expression)? {
            Value::Series(series) => {
                Value::Series(TimeSeries { label: label.unwrap_or(&query.id).clone(), ..series })
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
}

impl Math for Evaluation<'_> {
    fn query(&self, id: &str) -> Result<Value, String> {
        self.known.get(id).cloned().ok_or_else(|| format!("there is no query {id}"))
    }

    fn metrics(&self, holding: &str) -> Vec<TimeSeries> {
        let metrics = self.queries.all.iter().filter(|query| query.period().is_some());
        let wanted = metrics.filter(|query| query.id.contains(holding));
        wanted.map(|query| self.queries.metric_series(query)).collect()
    }

    fn times(&self) -> Result<Vec<u64>, String> {
        let period = self.queries.all.iter().filter_map(Query::period).min().unwrap_or(60);
        let Queries { from, until, .. } = *self.queries;
        match until.saturating_sub(from).div_ceil(period) {
            ..=MOST_DATAPOINTS => Ok((from..until).step_by(period as usize).collect()),
            count => Err(format!(
                "FILL over {count} periods is not implemented in havoq's sandbox: it fills at most {MOST_DATAPOINTS}"
            )),
        }
    }
}

fn wrong(id: &str, error: &str) -> String {
    format!("Error in expression '{id}': {error}")
}
