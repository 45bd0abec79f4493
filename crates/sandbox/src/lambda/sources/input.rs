//! What CreateEventSourceMapping and UpdateEventSourceMapping are given, checked (semantics 5.1).

use havoq_base::StackDuration;
use havoq_lambda::{Filters, Reporting, Settings};
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checks::Checks;
use crate::lambda::errors::{invalid, validation};
use crate::unbuilt::not_implemented;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct MappingInput {
    pub(super) event_source_arn: Option<String>,
    pub(super) function_name: Option<String>,
    pub(super) enabled: Option<bool>,
    batch_size: Option<i64>,
    maximum_batching_window_in_seconds: Option<i64>,
    filter_criteria: Option<FilterCriteria>,
    function_response_types: Option<Vec<String>>,
    scaling_config: Option<ScalingConfig>,
    destination_config: Option<Value>,
    provisioned_poller_config: Option<Value>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct FilterCriteria {
    pub(super) filters: Vec<Filter>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct Filter {
    pub(super) pattern: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct ScalingConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) maximum_concurrency: Option<i64>,
}

const REPORT: &str = "ReportBatchItemFailures";
const MOST_OF_FIFO: usize = 10;
const MOST_WITHOUT_WINDOW: usize = 10;
const MOST_FILTERS: usize = 10;

impl MappingInput {
    pub(super) fn check(&self) -> Result<(), ServiceError> {
        let mut checks = Checks::default();
        checks.range("batchSize", self.batch_size, 1, 10_000);
        checks.range("maximumBatchingWindowInSeconds", self.maximum_batching_window_in_seconds, 0, 300);
        let most = self.scaling_config.as_ref().and_then(|config| config.maximum_concurrency);
        checks.range("scalingConfig.maximumConcurrency", most, 2, 1_000);
        for kind in self.function_response_types.iter().flatten() {
            let known = |text: &str| (text == REPORT).then_some(());
            checks.one_of("functionResponseTypes", Some(kind), &[REPORT], known);
        }
        checks.done(validation)?;
        if self.has_destination() {
            return Err(invalid(
                "Unsupported DestinationConfig parameter for given event source mapping type.",
            ));
        }
        if self.provisioned_poller_config.is_some() {
            return Err(not_implemented("ProvisionedPollerConfig"));
        }
        Ok(())
    }

    fn has_destination(&self) -> bool {
        let config = self.destination_config.as_ref();
        config.is_some_and(|config| !config["OnFailure"]["Destination"].is_null())
    }

    /// What holds with this in the place of what held before.
    pub(super) fn over(&self, before: Settings) -> Result<Settings, ServiceError> {
        let mut settings = before;
        if let Some(size) = self.batch_size {
            settings.batch_size = usize::try_from(size).unwrap_or(settings.batch_size);
        }
        if let Some(window) = self.maximum_batching_window_in_seconds {
            settings.window = StackDuration::from_secs(window.unsigned_abs());
        }
        if let Some(scaling) = &self.scaling_config {
            let most = scaling.maximum_concurrency.and_then(|most| u32::try_from(most).ok());
            settings.maximum_concurrency = most;
        }
        if let Some(types) = &self.function_response_types {
            let reports = types.iter().any(|kind| kind == REPORT);
            settings.reporting = if reports { Reporting::BatchItemFailures } else { Reporting::None };
        }
        if let Some(criteria) = &self.filter_criteria {
            if criteria.filters.len() > MOST_FILTERS {
                return Err(invalid(format!("A mapping can have no more than {MOST_FILTERS} filters.")));
            }
            let patterns = criteria.filters.iter().map(|filter| &filter.pattern);
            settings.filters = Filters::parse(patterns).map_err(|bad| invalid(bad.to_string()))?;
        }
        check_together(&settings)?;
        Ok(settings)
    }
}

fn check_together(settings: &Settings) -> Result<(), ServiceError> {
    let has_window = settings.window > StackDuration::ZERO;
    if settings.is_fifo() && settings.batch_size > MOST_OF_FIFO {
        return Err(invalid(format!("The batch size of a FIFO queue must not be above {MOST_OF_FIFO}.")));
    }
    if settings.is_fifo() && has_window {
        return Err(invalid("Batching window is not supported for FIFO queues"));
    }
    if settings.batch_size > MOST_WITHOUT_WINDOW && !has_window {
        return Err(invalid(
            "Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than 10",
        ));
    }
    Ok(())
}
