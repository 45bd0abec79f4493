//! SAM's functions and their events, which stand for several resources.

use super::super::shape::Shape::{Bool, Free, Json, List, Record, Text, Whole};
use super::super::shape::{Field, ignored, needed, quiet, read};
use super::events::{RETRIES, TRANSFORMER};
use super::lambda::{ENVIRONMENT, FILTERS, SCALING};

pub(in super::super) const SERVERLESS_FUNCTION: &[Field] = &[
    quiet("FunctionName"),
    read("Timeout", Whole(1, 900)),
    read("MemorySize", Whole(128, 10_240)),
    read("Handler", Text),
    read("Runtime", Text),
    read("Environment", Record(ENVIRONMENT)),
    read("ReservedConcurrentExecutions", Whole(0, 1_000_000)),
    read("DeadLetterQueue", Record(&[quiet("Type"), needed("TargetArn", Text)])),
    read("EventInvokeConfig", Record(SERVERLESS_INVOKE_CONFIG)),
    // Read apart, each by the table of its type.
    quiet("Events"),
    quiet("Architectures"),
    quiet("CodeUri"),
    quiet("Description"),
    quiet("ImageUri"),
    quiet("InlineCode"),
    quiet("LoggingConfig"),
    quiet("PackageType"),
    quiet("Policies"),
    quiet("Role"),
    quiet("RolePath"),
    quiet("PermissionsBoundary"),
    ignored("AssumeRolePolicyDocument"),
    ignored("AutoPublishAlias"),
    ignored("AutoPublishAliasAllProperties"),
    ignored("AutoPublishCodeSha256"),
    ignored("CapacityProviderConfig"),
    ignored("CodeSigningConfigArn"),
    ignored("DeploymentPreference"),
    ignored("DurableConfig"),
    ignored("EphemeralStorage"),
    ignored("FileSystemConfigs"),
    ignored("FunctionScalingConfig"),
    ignored("FunctionUrlConfig"),
    ignored("ImageConfig"),
    ignored("KmsKeyArn"),
    ignored("Layers"),
    ignored("PropagateTags"),
    ignored("ProvisionedConcurrencyConfig"),
    ignored("PublishToLatestPublished"),
    ignored("RecursiveLoop"),
    ignored("RuntimeManagementConfig"),
    ignored("SnapStart"),
    ignored("SourceKMSKeyArn"),
    ignored("Tags"),
    ignored("TenancyConfig"),
    ignored("Tracing"),
    ignored("VersionDescription"),
    ignored("VpcConfig"),
];

const SERVERLESS_INVOKE_CONFIG: &[Field] = &[
    read("MaximumRetryAttempts", Whole(0, 2)),
    read("MaximumEventAgeInSeconds", Whole(60, 21_600)),
    read("DestinationConfig", Record(DESTINATIONS)),
];

const DESTINATIONS: &[Field] =
    &[read("OnSuccess", Record(DESTINATION)), read("OnFailure", Record(DESTINATION))];

const DESTINATION: &[Field] = &[quiet("Type"), needed("Destination", Text)];

pub(in super::super) const SQS_EVENT: &[Field] = &[
    needed("Queue", Text),
    read("BatchSize", Whole(1, 10_000)),
    read("MaximumBatchingWindowInSeconds", Whole(0, 300)),
    read("FunctionResponseTypes", List(&Text)),
    read("ScalingConfig", Record(SCALING)),
    read("FilterCriteria", Record(FILTERS)),
    read("Enabled", Bool),
    ignored("KmsKeyArn"),
    ignored("LoggingConfig"),
    ignored("MetricsConfig"),
    ignored("ProvisionedPollerConfig"),
];

pub(in super::super) const SNS_EVENT: &[Field] = &[
    needed("Topic", Text),
    read("FilterPolicy", Json),
    read("FilterPolicyScope", Text),
    read("RedrivePolicy", Json),
    quiet("Region"),
    ignored("SqsSubscription"),
];

/// Of types EventBridgeRule and CloudWatchEvent.
pub(in super::super) const RULE_EVENT: &[Field] = &[
    needed("Pattern", Json),
    read("EventBusName", Text),
    read("Input", Free),
    read("InputPath", Free),
    read("InputTransformer", Record(TRANSFORMER)),
    read("DeadLetterConfig", Record(DEAD_LETTERS)),
    read("RetryPolicy", Record(RETRIES)),
    read("State", Text),
    read("Enabled", Bool),
    read("Target", Record(TARGET)),
    read("RuleName", Text),
];

pub(in super::super) const SCHEDULE_EVENT: &[Field] = &[
    needed("Schedule", Text),
    read("Input", Free),
    read("DeadLetterConfig", Record(DEAD_LETTERS)),
    read("RetryPolicy", Record(RETRIES)),
    read("State", Text),
    read("Enabled", Bool),
    read("Name", Text),
    quiet("Description"),
    ignored("RoleArn"),
];

const TARGET: &[Field] = &[read("Id", Text)];

/// Its own queue, or one that SAM would make.
const DEAD_LETTERS: &[Field] = &[read("Arn", Text), ignored("Type"), ignored("QueueLogicalId")];
