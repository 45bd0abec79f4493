//! What answers say of a mapping.

use havoq_lambda::Reporting;
use serde::Serialize;

use super::input::{Filter, FilterCriteria, ScalingConfig};
use super::source::{Source, State};
use crate::cloudwatch::epoch;
use crate::place::Places;

#[derive(Debug, Serialize)]
pub(crate) struct Mapping {
    #[serde(rename = "UUID")]
    uuid: String,
    #[serde(rename = "BatchSize")]
    batch_size: usize,
    #[serde(rename = "MaximumBatchingWindowInSeconds")]
    window: u64,
    #[serde(rename = "EventSourceArn")]
    queue_arn: String,
    #[serde(rename = "EventSourceMappingArn")]
    arn: String,
    #[serde(rename = "FunctionArn")]
    function_arn: String,
    #[serde(rename = "LastModified")]
    modified: f64,
    #[serde(rename = "State")]
    state: &'static str,
    #[serde(rename = "StateTransitionReason")]
    reason: &'static str,
    #[serde(rename = "FunctionResponseTypes")]
    response_types: Vec<&'static str>,
    #[serde(rename = "FilterCriteria", skip_serializing_if = "Option::is_none")]
    filters: Option<FilterCriteria>,
    #[serde(rename = "ScalingConfig", skip_serializing_if = "Option::is_none")]
    scaling: Option<ScalingConfig>,
}

impl Mapping {
    /// `passing` is a state that AWS shows for a while after a change.
    pub(super) fn of(source: &Source, places: &Places, passing: Option<&'static str>) -> Self {
        let settings = source.mapping.settings();
        let filters: Vec<_> =
            settings.filters.texts().map(|text| Filter { pattern: text.to_owned() }).collect();
        Self {
            uuid: source.uuid.clone(),
            batch_size: settings.batch_size,
            window: settings.window.as_secs(),
            queue_arn: settings.queue_arn.clone(),
            arn: places.arn(source.place, "lambda", &format!("event-source-mapping:{}", source.uuid)),
            function_arn: source.function.qualified(),
            modified: epoch(source.modified),
            state: passing.unwrap_or(match source.state {
                State::Enabled => "Enabled",
                State::Disabled => "Disabled",
                State::Deleting => "Deleting",
            }),
            reason: "USER_INITIATED",
            response_types: match settings.reporting {
                Reporting::BatchItemFailures => vec!["ReportBatchItemFailures"],
                Reporting::None => Vec::new(),
            },
            filters: (!filters.is_empty()).then_some(FilterCriteria { filters }),
            scaling: settings
                .maximum_concurrency
                .map(|most| ScalingConfig { maximum_concurrency: Some(most.into()) }),
        }
    }
}
