//! EventBridge Scheduler.

use super::super::shape::Shape::{Free, Record, Text, Time, Whole};
use super::super::shape::{Field, ignored, needed, quiet, read};
use super::events::{DEAD_LETTERS, RETRIES};

pub(in super::super) const SCHEDULE: &[Field] = &[
    quiet("Name"),
    read("Description", Free),
    read("GroupName", Text),
    needed("ScheduleExpression", Text),
    read("ScheduleExpressionTimezone", Text),
    read("StartDate", Time),
    read("EndDate", Time),
    needed("FlexibleTimeWindow", Record(WINDOW)),
    read("State", Text),
    needed("Target", Record(TARGET)),
    quiet("KmsKeyArn"),
];

const WINDOW: &[Field] = &[needed("Mode", Text), read("MaximumWindowInMinutes", Whole(1, 1_440))];

const TARGET: &[Field] = &[
    needed("Arn", Text),
    read("RoleArn", Text),
    read("Input", Free),
    read("DeadLetterConfig", Record(DEAD_LETTERS)),
    read("RetryPolicy", Record(RETRIES)),
    read("SqsParameters", Record(&[read("MessageGroupId", Free)])),
    read("EventBridgeParameters", Record(&[needed("DetailType", Free), needed("Source", Free)])),
    ignored("EcsParameters"),
    ignored("KinesisParameters"),
    ignored("SageMakerPipelineParameters"),
];
