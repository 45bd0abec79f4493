//! How a metric is named: a namespace, a name, and dimensions. Metrics that differ in one of them
//! have nothing to do with one another.

use std::fmt::Write;

/// A metric's full name, with its dimensions in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MetricId {
    pub(crate) namespace: String,
    pub(crate) metric: String,
    pub(crate) dimensions: Vec<(String, String)>,
    key: Box<str>,
}

impl MetricId {
    pub(crate) fn new(namespace: &str, metric: &str, dimensions: &[(String, String)]) -> Self {
        let mut dimensions = dimensions.to_vec();
        dimensions.sort();
        let mut key = String::new();
        write_key(&mut key, namespace, metric, &dimensions);
        let (namespace, metric) = (namespace.to_owned(), metric.to_owned());
        Self { namespace, metric, dimensions, key: key.into() }
    }

    /// All of it in one text, by which metrics are kept and sorted.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }
}

/// The names hold no control characters, so that this tells all metrics apart.
pub(super) fn write_key<N: AsRef<str>, V: AsRef<str>>(
    key: &mut String,
    namespace: &str,
    metric: &str,
    dimensions: &[(N, V)],
) {
    key.clear();
    // Writing to a string does not fail.
    let _ = write!(key, "{namespace}\0{metric}");
    for (name, value) in dimensions {
        let _ = write!(key, "\0{}\0{}", name.as_ref(), value.as_ref());
    }
}
