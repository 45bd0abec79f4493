//! EventBridge Pipes, from queues.

use super::super::shape::Shape::{Free, List, Record, Text, Whole};
use super::super::shape::{Field, ignored, needed, quiet, read};

pub(in super::super) const PIPE: &[Field] = &[
    quiet("Name"),
    quiet("Description"),
    read("DesiredState", Text),
    needed("Source", Text),
    read("SourceParameters", Record(SOURCE)),
    read("Enrichment", Text),
    read("EnrichmentParameters", Record(ENRICHMENT)),
    needed("Target", Text),
    read("TargetParameters", Record(TARGET)),
    read("RoleArn", Text),
    quiet("LogConfiguration"),
    quiet("KmsKeyIdentifier"),
    ignored("Tags"),
];

const SOURCE: &[Field] = &[
    read("FilterCriteria", Record(super::lambda::FILTERS)),
    read("SqsQueueParameters", Record(QUEUE)),
    ignored("ActiveMQBrokerParameters"),
    ignored("DynamoDBStreamParameters"),
    ignored("KinesisStreamParameters"),
    ignored("ManagedStreamingKafkaParameters"),
    ignored("RabbitMQBrokerParameters"),
    ignored("SelfManagedKafkaParameters"),
];

const QUEUE: &[Field] =
    &[read("BatchSize", Whole(1, 10_000)), read("MaximumBatchingWindowInSeconds", Whole(0, 300))];

const ENRICHMENT: &[Field] = &[read("InputTemplate", Free), ignored("HttpParameters")];

const TARGET: &[Field] = &[
    read("InputTemplate", Free),
    read("SqsQueueParameters", Record(SQS)),
    read("EventBridgeEventBusParameters", Record(BUS)),
    read("LambdaFunctionParameters", Record(&[read("InvocationType", Text)])),
    ignored("BatchJobParameters"),
    ignored("CloudWatchLogsParameters"),
    ignored("EcsTaskParameters"),
    ignored("HttpParameters"),
    ignored("KinesisStreamParameters"),
    ignored("RedshiftDataParameters"),
    ignored("SageMakerPipelineParameters"),
    ignored("StepFunctionStateMachineParameters"),
    ignored("TimestreamParameters"),
];

const SQS: &[Field] = &[read("MessageGroupId", Free), read("MessageDeduplicationId", Free)];

const BUS: &[Field] = &[
    read("DetailType", Free),
    read("Source", Free),
    read("Resources", List(&Text)),
    read("Time", Free),
    ignored("EndpointId"),
];
