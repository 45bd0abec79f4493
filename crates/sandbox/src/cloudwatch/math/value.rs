//! What expressions come to. A time series has values at some times; of two, only the times that
//! both have count.

use std::collections::BTreeMap;

use super::parse::Expression;

#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::cloudwatch) struct TimeSeries {
    pub(in crate::cloudwatch) label: String,
    /// Seconds since the epoch.
    pub(in crate::cloudwatch) points: BTreeMap<u64, f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::cloudwatch) enum Value {
    Scalar(f64),
    Series(TimeSeries),
    Array(Vec<TimeSeries>),
}

/// What an expression can refer to.
pub(in crate::cloudwatch) trait Math {
    /// Another query's value.
    fn query(&self, id: &str) -> Result<Value, String>;

    /// METRICS(): all queries that are metrics, or those whose ids hold this text.
    fn metrics(&self, holding: &str) -> Vec<TimeSeries>;

    /// When periods begin, for FILL.
    fn times(&self) -> Result<Vec<u64>, String>;

    fn value(&self, expression: &Expression) -> Result<Value, String> {
        match expression {
            Expression::Number(number) => Ok(Value::Scalar(*number)),
            Expression::Text(text) => Err(format!("a text is no value: {text:?}")),
            Expression::Id(id) => self.query(id),
            Expression::Negative(inner) => Ok(self.value(inner)?.map(|value| Some(-value))),
            Expression::Chain(first, rest) => {
                rest.iter().try_fold(self.value(first)?, |left, (operator, right)| {
                    binary(*operator, left, self.value(right)?)
                })
            }
            Expression::List(list) => self.list(list).map(Value::Array),
            Expression::Call(name, arguments) => self.call(&name.to_ascii_uppercase(), arguments),
        }
    }

    fn list(&self, list: &[Expression]) -> Result<Vec<TimeSeries>, String> {
        let mut all = Vec::new();
        for expression in list {
            match self.value(expression)? {
                Value::Series(series) => all.push(series),
                Value::Array(series) => all.extend(series),
                Value::Scalar(_) => return Err("a list holds time series only".to_owned()),
            }
            // Lists of lists would grow without end.
            if all.len() > MOST_SERIES {
                return Err(format!("a list holds at most {MOST_SERIES} time series"));
            }
        }
        Ok(all)
    }

    fn call(&self, name: &str, arguments: &[Expression]) -> Result<Value, String> {
        match (name, arguments) {
            ("METRICS", []) => Ok(Value::Array(self.metrics(""))),
            ("METRICS", [Expression::Text(holding)]) => Ok(Value::Array(self.metrics(holding))),
            ("ABS", [of]) => Ok(self.value(of)?.map(|value| Some(value.abs()))),
            ("CEIL", [of]) => Ok(self.value(of)?.map(|value| Some(value.ceil()))),
            ("FLOOR", [of]) => Ok(self.value(of)?.map(|value| Some(value.floor()))),
            ("SUM" | "AVG" | "MIN" | "MAX", [of]) => aggregate(name, self.value(of)?),
            ("DIFF" | "RATE" | "RUNNING_SUM", [of]) => self.value(of)?.each(|points| change(name, points)),
            ("FILL", [of, with]) => {
                let times = self.times()?;
                let with = match (Fill::word(with), with) {
                    (Some(fill), _) => fill,
                    (None, with) => match self.value(with)? {
                        Value::Scalar(value) => Fill::With(value),
                        _ => return Err("FILL takes a number, REPEAT or LINEAR".to_owned()),
                    },
                };
                self.value(of)?.each(|points| fill(points, &times, with))
            }
            _ => {
                Err(format!("the function {name} is not implemented in havoq's sandbox with these arguments"))
            }
        }
    }
}

/// As many as a call can have queries.
const MOST_SERIES: usize = 500;

#[derive(Clone, Copy)]
enum Fill {
    With(f64),
    Repeat,
    Linear,
}

impl Fill {
    fn word(argument: &Expression) -> Option<Self> {
        match argument {
            Expression::Id(word) if word.eq_ignore_ascii_case("REPEAT") => Some(Self::Repeat),
            Expression::Id(word) if word.eq_ignore_ascii_case("LINEAR") => Some(Self::Linear),
            _ => None,
        }
    }
}

impl Expression {
    /// The ids of the queries that it refers to.
    pub(in crate::cloudwatch) fn references(&self) -> Vec<&str> {
        match self {
            Self::Number(_) | Self::Text(_) => Vec::new(),
            Self::Id(id) => vec![id],
            Self::Negative(inner) => inner.references(),
            Self::Chain(first, rest) => {
                let rest = rest.iter().flat_map(|(_, operand)| operand.references());
                first.references().into_iter().chain(rest).collect()
            }
            Self::Call(name, arguments) => match &arguments[..] {
                [of, with] if name.eq_ignore_ascii_case("FILL") && Fill::word(with).is_some() => {
                    of.references()
                }
                arguments => arguments.iter().flat_map(Self::references).collect(),
            },
            Self::List(list) => list.iter().flat_map(Self::references).collect(),
        }
    }
}

impl Value {
    fn map(self, to: impl Fn(f64) -> Option<f64>) -> Self {
        let series = |series: TimeSeries| TimeSeries {
            points: series.points.iter().filter_map(|(at, value)| Some((*at, to(*value)?))).collect(),
            ..series
        };
        match self {
            Self::Scalar(value) => Self::Scalar(to(value).unwrap_or(f64::NAN)),
            Self::Series(one) => Self::Series(series(one)),
            Self::Array(all) => Self::Array(all.into_iter().map(series).collect()),
        }
    }

    fn each(self, to: impl Fn(&BTreeMap<u64, f64>) -> BTreeMap<u64, f64>) -> Result<Self, String> {
        let series = |series: TimeSeries| TimeSeries { points: to(&series.points), ..series };
        match self {
            Self::Scalar(_) => Err("a number is no time series".to_owned()),
            Self::Series(one) => Ok(Self::Series(series(one))),
            Self::Array(all) => Ok(Self::Array(all.into_iter().map(series).collect())),
        }
    }
}

fn binary(operator: char, left: Value, right: Value) -> Result<Value, String> {
    Ok(match (left, right) {
        (left, Value::Scalar(right)) => left.map(|left| arithmetic(operator, left, right)),
        (Value::Scalar(left), right) => right.map(|right| arithmetic(operator, left, right)),
        (Value::Series(left), Value::Series(right)) => Value::Series(both(operator, left, &right)),
        (Value::Array(left), Value::Series(right)) => {
            Value::Array(left.into_iter().map(|left| both(operator, left, &right)).collect())
        }
        (Value::Series(left), Value::Array(right)) => Value::Array(
            right
                .into_iter()
                .map(|right| TimeSeries {
                    label: right.label.clone(),
                    ..both(operator, left.clone(), &right)
                })
                .collect(),
        ),
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => Value::Array(
            left.into_iter().zip(&right).map(|(left, right)| both(operator, left, right)).collect(),
        ),
        (Value::Array(_), Value::Array(_)) => return Err("the lists have different lengths".to_owned()),
    })
}

fn both(operator: char, left: TimeSeries, right: &TimeSeries) -> TimeSeries {
    let pairs = left.points.iter().filter_map(|(at, left)| Some((*at, *left, *right.points.get(at)?)));
    let points =
        pairs.filter_map(|(at, left, right)| Some((at, arithmetic(operator, left, right)?))).collect();
    TimeSeries { points, ..left }
}

/// None where there is no result, as after a division by zero.
fn arithmetic(operator: char, left: f64, right: f64) -> Option<f64> {
    let result = match operator {
        '+' => left + right,
        '-' => left - right,
        '*' => left * right,
        '/' => left / right,
        _ => left.powf(right),
    };
    result.is_finite().then_some(result)
}

/// Of a list, time by time; of one time series, a number.
fn aggregate(name: &str, of: Value) -> Result<Value, String> {
    let reduce = |values: &[f64]| {
        let sum: f64 = values.iter().sum();
        match name {
            "SUM" => sum,
            "AVG" => sum / values.len() as f64,
            "MIN" => values.iter().copied().fold(f64::INFINITY, f64::min),
            _ => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    };
    match of {
        Value::Scalar(value) => Ok(Value::Scalar(value)),
        Value::Series(series) if series.points.is_empty() => Err(format!("{name} of no datapoints")),
        Value::Series(series) => Ok(Value::Scalar(reduce(&series.points.into_values().collect::<Vec<_>>()))),
        Value::Array(all) => {
            let mut times: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
            for (at, value) in all.into_iter().flat_map(|series| series.points) {
                times.entry(at).or_default().push(value);
            }
            let points = times.into_iter().map(|(at, values)| (at, reduce(&values))).collect();
            Ok(Value::Series(TimeSeries { label: String::new(), points }))
        }
    }
}

fn change(name: &str, points: &BTreeMap<u64, f64>) -> BTreeMap<u64, f64> {
    if name == "RUNNING_SUM" {
        let mut sum = 0.0;
        let add = |(at, value): (&u64, &f64)| {
            sum += value;
            (*at, sum)
        };
        return points.iter().map(add).collect();
    }
    let pairs = points.iter().zip(points.iter().skip(1));
    let change = |((before, old), (at, new)): ((&u64, &f64), (&u64, &f64))| {
        let span = if name == "RATE" { (at - before) as f64 } else { 1.0 };
        (*at, (new - old) / span)
    };
    pairs.map(change).collect()
}

fn fill(points: &BTreeMap<u64, f64>, times: &[u64], with: Fill) -> BTreeMap<u64, f64> {
    let mut filled = points.clone();
    for at in times.iter().filter(|at| !points.contains_key(at)) {
        let before = points.range(..at).next_back();
        let after = points.range(at..).next();
        let value = match (with, before, after) {
            (Fill::With(value), ..) => Some(value),
            (Fill::Linear, Some((from, old)), Some((to, new))) => {
                Some(old + (new - old) * (at - from) as f64 / (to - from) as f64)
            }
            (Fill::Repeat | Fill::Linear, Some((_, old)), _) => Some(*old),
            (Fill::Linear, None, Some((_, new))) => Some(*new),
            (Fill::Repeat | Fill::Linear, None, _) => None,
        };
        filled.extend(value.map(|value| (*at, value)));
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a` at 0 and 60, `b` at 60 and 120.
    struct Two;

    impl Math for Two {
        fn query(&self, id: &str) -> Result<Value, String> {
            let points = match id {
                "a" => BTreeMap::from([(0, 1.0), (60, 2.0)]),
                "b" => BTreeMap::from([(60, 10.0), (120, 0.0)]),
                _ => return Err(format!("there is no {id}")),
            };
            Ok(Value::Series(TimeSeries { label: id.to_owned(), points }))
        }

        fn metrics(&self, holding: &str) -> Vec<TimeSeries> {
            let all = ["a", "b"].into_iter().filter(|id| id.contains(holding));
            all.filter_map(|id| match self.query(id) {
                Ok(Value::Series(series)) => Some(series),
                _ => None,
            })
            .collect()
        }

        fn times(&self) -> Result<Vec<u64>, String> {
            Ok(vec![0, 60, 120, 180])
        }
    }

    fn points(text: &str) -> Vec<(u64, f64)> {
        let expression = Expression::parse(text).expect("an expression");
        match Two.value(&expression).expect("a value") {
            Value::Series(series) => series.points.into_iter().collect(),
            Value::Scalar(value) => vec![(0, value)],
            Value::Array(all) => all.into_iter().flat_map(|series| series.points).collect(),
        }
    }

    #[test]
    fn arithmetic_is_done_where_both_have_data() {
        assert_eq!(points("a + b"), [(60, 12.0)]);
        assert_eq!(points("-(a * 2 + 1)"), [(0, -3.0), (60, -5.0)]);
        assert_eq!(points("10 / b"), [(60, 1.0)], "nothing comes of a division by zero");
        assert_eq!(points("a ^ 2 - 1"), [(0, 0.0), (60, 3.0)]);
    }

    #[test]
    fn functions_over_metrics() {
        assert_eq!(points("SUM(METRICS())"), [(0, 1.0), (60, 12.0), (120, 0.0)]);
        assert_eq!(points("MAX([a, b])"), [(0, 1.0), (60, 10.0), (120, 0.0)]);
        assert_eq!(points("AVG(METRICS(\"a\"))"), [(0, 1.0), (60, 2.0)]);
        assert_eq!(points("SUM(a)"), [(0, 3.0)]);
        assert_eq!(points("RATE(b)"), [(120, -10.0 / 60.0)]);
        assert_eq!(points("DIFF(b)"), [(120, -10.0)]);
        assert_eq!(points("RUNNING_SUM(a)"), [(0, 1.0), (60, 3.0)]);
        assert_eq!(points("FILL(b, 0)"), [(0, 0.0), (60, 10.0), (120, 0.0), (180, 0.0)]);
        assert_eq!(points("FILL(a, REPEAT)"), [(0, 1.0), (60, 2.0), (120, 2.0), (180, 2.0)]);
        assert_eq!(points("FILL(b, LINEAR)")[..2], [(0, 10.0), (60, 10.0)]);
    }

    #[test]
    fn what_is_not_built_is_refused_by_name() {
        let refused = Two.value(&Expression::parse("SEARCH(\"x\")").expect("an expression"));
        assert!(refused.is_err_and(|error| error.contains("SEARCH")));
        assert!(Two.value(&Expression::parse("a + c").expect("an expression")).is_err());
        assert!(Two.value(&Expression::parse("RATE(1)").expect("an expression")).is_err());
    }
}
