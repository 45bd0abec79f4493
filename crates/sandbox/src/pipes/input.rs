//! What CreatePipe and UpdatePipe are given, checked.

use havoq_base::StackDuration;
use havoq_lambda::{Filters, Reporting, Settings};
use havoq_pattern::Dialect;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::errors::validation;
use super::shape::InputTemplate;
use crate::checks::Checks;
use crate::targets::{TargetKind, service_of};
use crate::unbuilt::not_implemented;

/// What a pipe is. Its members have the names of the API, and are shown as they were given.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Spec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    pub(super) source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source_parameters: Option<SourceParameters>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) enrichment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) enrichment_parameters: Option<EnrichmentParameters>,
    pub(super) target: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target_parameters: Option<TargetParameters>,
    pub(super) role_arn: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct SourceParameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    filter_criteria: Option<FilterCriteria>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sqs_queue_parameters: Option<SourceQueue>,
    /// Of other kinds of sources.
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct FilterCriteria {
    filters: Vec<Filter>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Filter {
    pattern: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct SourceQueue {
    #[serde(skip_serializing_if = "Option::is_none")]
    batch_size: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum_batching_window_in_seconds: Option<i64>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct EnrichmentParameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input_template: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct TargetParameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input_template: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lambda_function_parameters: Option<TargetFunction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sqs_queue_parameters: Option<TargetQueue>,
    #[serde(rename = "EventBridgeEventBusParameters", skip_serializing_if = "Option::is_none")]
    pub(super) bus_parameters: Option<TargetBus>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct TargetFunction {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) invocation_type: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct TargetQueue {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message_group_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message_deduplication_id: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct TargetBus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) resources: Vec<String>,
}

/// An invocation that the pipe does not wait for.
pub(super) const AND_FORGET: &str = "FIRE_AND_FORGET";
const FIFO_BATCH: i64 = 10;
const BATCH_WITHOUT_WINDOW: i64 = 10;
const FILTERS: usize = 5;

impl Spec {
    /// What the poller is set to, if all of the pipe is sound.
    pub(super) fn settings(&self) -> Result<Settings, ServiceError> {
        self.check_members()?;
        self.check_kinds()?;
        for template in [self.target_template(), self.enrichment_template()].into_iter().flatten() {
            InputTemplate::parse(template).map_err(validation)?;
        }
        let mut settings = Settings::new(&self.source);
        // A function that is a target may always tell which messages failed (semantics 3.9).
        settings.reporting = Reporting::BatchItemFailures;
        let Some(parameters) = &self.source_parameters else { return Ok(settings) };
        if let Some(queue) = &parameters.sqs_queue_parameters {
            let window = queue.maximum_batching_window_in_seconds.unwrap_or(0);
            settings.window = StackDuration::from_secs(window.unsigned_abs());
            let size = queue.batch_size.unwrap_or(10);
            settings.batch_size = usize::try_from(size).unwrap_or(10);
            if settings.is_fifo() && (size > FIFO_BATCH || window > 0) {
                return Err(validation("A FIFO queue has batches of 10 at most and no batching window."));
            }
            if size > BATCH_WITHOUT_WINDOW && window == 0 {
                return Err(validation("A batch size above 10 needs a batching window of 1 second or more."));
            }
        }
        if let Some(criteria) = &parameters.filter_criteria {
            if criteria.filters.len() > FILTERS {
                return Err(validation(format!("A pipe has {FILTERS} filters at most.")));
            }
            let patterns = criteria.filters.iter().map(|filter| &filter.pattern);
            settings.filters =
                Filters::parse_in(Dialect::Pipes, patterns).map_err(|bad| validation(bad.to_string()))?;
        }
        Ok(settings)
    }

    fn check_members(&self) -> Result<(), ServiceError> {
        let mut checks = Checks::default();
        checks.length("source", Some(&self.source), 1, 1600);
        checks.length("target", Some(&self.target), 1, 1600);
        checks.length("roleArn", Some(&self.role_arn), 1, 1600);
        checks.length("description", self.description.as_deref(), 0, 512);
        let queue =
            self.source_parameters.as_ref().and_then(|parameters| parameters.sqs_queue_parameters.as_ref());
        checks.range("batchSize", queue.and_then(|queue| queue.batch_size), 1, 10_000);
        let window = queue.and_then(|queue| queue.maximum_batching_window_in_seconds);
        checks.range("maximumBatchingWindowInSeconds", window, 0, 300);
        checks.length("inputTemplate", self.target_template(), 0, 8192);
        let function = self.target_parameters.as_ref().and_then(|to| to.lambda_function_parameters.as_ref());
        let kind = function.and_then(|function| function.invocation_type.as_deref());
        checks.among("invocationType", kind, &["REQUEST_RESPONSE", AND_FORGET]);
        checks.done(validation)
    }

    /// Sources, enrichments and targets that the sandbox does not have are refused by name.
    fn check_kinds(&self) -> Result<(), ServiceError> {
        if TargetKind::of(&self.source) != Some(TargetKind::Queue) {
            return Err(refused("a pipe from", &self.source));
        }
        if let Some(name) =
            self.source_parameters.as_ref().and_then(|parameters| parameters.others.keys().next())
        {
            return Err(not_implemented(format_args!("{name} of a pipe")));
        }
        if let Some(function) = self.enrichment()
            && TargetKind::of(function) != Some(TargetKind::Function)
        {
            return Err(refused("a pipe with an enrichment by", function));
        }
        TargetKind::of(&self.target).map(|_| ()).ok_or_else(|| refused("a pipe to", &self.target))
    }

    /// An empty one is none.
    pub(super) fn enrichment(&self) -> Option<&str> {
        self.enrichment.as_deref().filter(|arn| !arn.is_empty())
    }

    pub(super) fn target_template(&self) -> Option<&str> {
        self.target_parameters.as_ref()?.input_template.as_deref().filter(|text| !text.is_empty())
    }

    pub(super) fn enrichment_template(&self) -> Option<&str> {
        self.enrichment_parameters.as_ref()?.input_template.as_deref().filter(|text| !text.is_empty())
    }

    pub(super) fn waits_for_target(&self) -> bool {
        let function = self.target_parameters.as_ref().and_then(|to| to.lambda_function_parameters.as_ref());
        function.and_then(|function| function.invocation_type.as_deref()) != Some(AND_FORGET)
    }
}

fn refused(what: &str, arn: &str) -> ServiceError {
    match service_of(arn) {
        Some(service) => not_implemented(format_args!("{what} {service}")),
        None => validation(format!("{arn} is not an ARN.")),
    }
}

impl Spec {
    /// This, with what it does not say taken from `before`.
    pub(super) fn over(self, before: &Self) -> Self {
        let or = |text: String, before: &String| if text.is_empty() { before.clone() } else { text };
        Self {
            description: self.description.or_else(|| before.description.clone()),
            source: before.source.clone(),
            source_parameters: self.source_parameters.or_else(|| before.source_parameters.clone()),
            enrichment: self.enrichment.or_else(|| before.enrichment.clone()),
            enrichment_parameters: self
                .enrichment_parameters
                .or_else(|| before.enrichment_parameters.clone()),
            target: or(self.target, &before.target),
            target_parameters: self.target_parameters.or_else(|| before.target_parameters.clone()),
            role_arn: or(self.role_arn, &before.role_arn),
        }
    }
}
