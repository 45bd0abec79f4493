//! SQS and SNS, queues aside.

use super::super::shape::Shape::{Bool, Json, List, Record, Text};
use super::super::shape::{Field, ignored, needed, quiet, read};

pub(in super::super) const QUEUE_POLICY: &[Field] =
    &[needed("PolicyDocument", Json), needed("Queues", List(&Text))];

pub(in super::super) const TOPIC_POLICY: &[Field] =
    &[needed("PolicyDocument", Json), needed("Topics", List(&Text))];

pub(in super::super) const TOPIC: &[Field] = &[
    quiet("TopicName"),
    read("FifoTopic", Bool),
    read("ContentBasedDeduplication", Bool),
    read("FifoThroughputScope", Text),
    read("ArchivePolicy", Json),
    read("DisplayName", Text),
    read("SignatureVersion", Text),
    read("Subscription", List(&Record(INLINE_SUBSCRIPTION))),
    ignored("DataProtectionPolicy"),
    ignored("DeliveryStatusLogging"),
    ignored("KmsMasterKeyId"),
    ignored("Tags"),
    ignored("TracingConfig"),
];

const INLINE_SUBSCRIPTION: &[Field] = &[needed("Endpoint", Text), needed("Protocol", Text)];

pub(in super::super) const SUBSCRIPTION: &[Field] = &[
    needed("TopicArn", Text),
    needed("Protocol", Text),
    needed("Endpoint", Text),
    read("FilterPolicy", Json),
    read("FilterPolicyScope", Text),
    read("RawMessageDelivery", Bool),
    read("RedrivePolicy", Json),
    read("DeliveryPolicy", Json),
    read("ReplayPolicy", Json),
    quiet("Region"),
    ignored("SubscriptionRoleArn"),
];
