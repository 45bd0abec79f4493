//! Lambda. What a function runs is told by the scenario, so its code is nothing to a run.

use super::super::shape::Shape::{Bool, Free, List, Map, Record, Text, Whole};
use super::super::shape::{Field, ignored, needed, quiet, read};

pub(in super::super) const FUNCTION: &[Field] = &[
    quiet("FunctionName"),
    read("Timeout", Whole(1, 900)),
    read("MemorySize", Whole(128, 10_240)),
    read("Handler", Text),
    read("Runtime", Text),
    read("Environment", Record(ENVIRONMENT)),
    read("ReservedConcurrentExecutions", Whole(0, 1_000_000)),
    read("DeadLetterConfig", Record(&[read("TargetArn", Text)])),
    quiet("Architectures"),
    quiet("Code"),
    quiet("Description"),
    quiet("LoggingConfig"),
    quiet("PackageType"),
    quiet("Role"),
    ignored("CapacityProviderConfig"),
    ignored("CodeSigningConfigArn"),
    ignored("DurableConfig"),
    ignored("EphemeralStorage"),
    ignored("FileSystemConfigs"),
    ignored("FunctionScalingConfig"),
    ignored("ImageConfig"),
    ignored("KmsKeyArn"),
    ignored("Layers"),
    ignored("PublishToLatestPublished"),
    ignored("RecursiveLoop"),
    ignored("RuntimeManagementConfig"),
    ignored("SnapStart"),
    ignored("Tags"),
    ignored("TenancyConfig"),
    ignored("TracingConfig"),
    ignored("VpcConfig"),
];

pub(super) const ENVIRONMENT: &[Field] = &[read("Variables", Map(&Free))];

pub(in super::super) const MAPPING: &[Field] = &[
    needed("EventSourceArn", Text),
    needed("FunctionName", Text),
    read("BatchSize", Whole(1, 10_000)),
    read("MaximumBatchingWindowInSeconds", Whole(0, 300)),
    read("FunctionResponseTypes", List(&Text)),
    read("ScalingConfig", Record(SCALING)),
    read("FilterCriteria", Record(FILTERS)),
    read("Enabled", Bool),
    ignored("AmazonManagedKafkaEventSourceConfig"),
    ignored("BisectBatchOnFunctionError"),
    ignored("DestinationConfig"),
    ignored("DocumentDBEventSourceConfig"),
    ignored("KmsKeyArn"),
    ignored("LoggingConfig"),
    ignored("MaximumRecordAgeInSeconds"),
    ignored("MaximumRetryAttempts"),
    ignored("MetricsConfig"),
    ignored("ParallelizationFactor"),
    ignored("ProvisionedPollerConfig"),
    ignored("Queues"),
    ignored("SelfManagedEventSource"),
    ignored("SelfManagedKafkaEventSourceConfig"),
    ignored("SourceAccessConfigurations"),
    ignored("StartingPosition"),
    ignored("StartingPositionTimestamp"),
    ignored("Tags"),
    ignored("Topics"),
    ignored("TumblingWindowInSeconds"),
];

pub(super) const SCALING: &[Field] = &[read("MaximumConcurrency", Whole(2, 1_000))];

pub(super) const FILTERS: &[Field] = &[read("Filters", List(&Record(&[read("Pattern", Free)])))];

pub(in super::super) const PERMISSION: &[Field] = &[
    needed("FunctionName", Text),
    needed("Action", Text),
    needed("Principal", Text),
    read("SourceArn", Text),
    read("SourceAccount", Text),
    read("EventSourceToken", Text),
    read("FunctionUrlAuthType", Text),
    read("InvokedViaFunctionUrl", Bool),
    read("PrincipalOrgID", Text),
];

pub(in super::super) const INVOKE_CONFIG: &[Field] = &[
    needed("FunctionName", Text),
    read("Qualifier", Text),
    read("MaximumRetryAttempts", Whole(0, 2)),
    read("MaximumEventAgeInSeconds", Whole(60, 21_600)),
    read("DestinationConfig", Record(DESTINATIONS)),
];

const DESTINATIONS: &[Field] =
    &[read("OnSuccess", Record(DESTINATION)), read("OnFailure", Record(DESTINATION))];

const DESTINATION: &[Field] = &[needed("Destination", Text)];
