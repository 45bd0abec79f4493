//! EventBridge.

use super::super::shape::Shape::{Free, Json, List, Map, Record, Text, Whole};
use super::super::shape::{Field, ignored, needed, quiet, read};

pub(in super::super) const BUS: &[Field] = &[
    quiet("Name"),
    quiet("Description"),
    read("DeadLetterConfig", Record(DEAD_LETTERS)),
    ignored("EventSourceName"),
    ignored("KmsKeyIdentifier"),
    ignored("LogConfig"),
    ignored("Policy"),
    ignored("Tags"),
];

pub(in super::super) const RULE: &[Field] = &[
    quiet("Name"),
    quiet("Description"),
    quiet("RoleArn"),
    read("EventBusName", Text),
    read("EventPattern", Json),
    read("ScheduleExpression", Text),
    read("State", Text),
    read("Targets", List(&Record(TARGET))),
    ignored("Tags"),
];

pub(super) const TARGET: &[Field] = &[
    needed("Arn", Text),
    needed("Id", Text),
    read("Input", Free),
    read("InputPath", Free),
    read("InputTransformer", Record(TRANSFORMER)),
    read("DeadLetterConfig", Record(DEAD_LETTERS)),
    read("RetryPolicy", Record(RETRIES)),
    read("SqsParameters", Record(&[needed("MessageGroupId", Free)])),
    quiet("RoleArn"),
    ignored("AppSyncParameters"),
    ignored("BatchParameters"),
    ignored("EcsParameters"),
    ignored("HttpParameters"),
    ignored("KinesisParameters"),
    ignored("RedshiftDataParameters"),
    ignored("RunCommandParameters"),
    ignored("SageMakerPipelineParameters"),
];

pub(super) const TRANSFORMER: &[Field] = &[read("InputPathsMap", Map(&Free)), needed("InputTemplate", Free)];

pub(super) const DEAD_LETTERS: &[Field] = &[read("Arn", Text)];

pub(super) const RETRIES: &[Field] =
    &[read("MaximumEventAgeInSeconds", Whole(60, 86_400)), read("MaximumRetryAttempts", Whole(0, 185))];

pub(in super::super) const ARCHIVE: &[Field] = &[
    quiet("ArchiveName"),
    quiet("Description"),
    needed("SourceArn", Text),
    read("EventPattern", Json),
    read("RetentionDays", Whole(0, 1_000_000)),
    ignored("KmsKeyIdentifier"),
];
