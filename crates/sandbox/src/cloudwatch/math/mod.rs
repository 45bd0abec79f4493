//! Metric math, a small part of it: arithmetic, METRICS(), and a few functions over time series.
//! Whatever else there is, such as SEARCH, IF or anomaly bands, is refused by name.

mod parse;
mod value;

pub(super) use parse::Expression;
pub(super) use value::{Math, TimeSeries, Value};
