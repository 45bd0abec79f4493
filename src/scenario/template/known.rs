//! The resource types that are implemented, and every property that CloudFormation knows of them.

use super::super::lower::Kind;

pub(super) const TYPES: [&str; 3] = ["AWS::SQS::Queue", "AWS::CloudWatch::Alarm", "AWS::SNS::Topic"];

pub(super) fn kind_of(of_type: &str) -> Kind {
    match of_type {
        "AWS::SQS::Queue" => Kind::Queue,
        "AWS::CloudWatch::Alarm" => Kind::Alarm,
        "AWS::SNS::Topic" => Kind::Topic,
        _ => Kind::Other,
    }
}

/// The property that sets the physical name.
pub(super) fn name_property(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Queue => Some("QueueName"),
        Kind::Alarm => Some("AlarmName"),
        Kind::Topic => Some("TopicName"),
        Kind::Other => None,
    }
}

/// The properties of a type.
pub(super) struct Known {
    pub(super) read: &'static [&'static str],
    /// These change nothing that a run could show.
    pub(super) quiet: &'static [&'static str],
    pub(super) ignored: &'static [&'static str],
}

pub(super) fn properties(kind: Kind) -> Known {
    match kind {
        Kind::Queue => Known {
            read: &[
                "QueueName",
                "VisibilityTimeout",
                "DelaySeconds",
                "MessageRetentionPeriod",
                "ReceiveMessageWaitTimeSeconds",
                "MaximumMessageSize",
                "RedrivePolicy",
                "FifoQueue",
            ],
            quiet: &[],
            ignored: &[
                "ContentBasedDeduplication",
                "DeduplicationScope",
                "FifoThroughputLimit",
                "KmsDataKeyReusePeriodSeconds",
                "KmsMasterKeyId",
                "RedriveAllowPolicy",
                "SqsManagedSseEnabled",
                "Tags",
            ],
        },
        Kind::Alarm => Known {
            read: &[
                "AlarmName",
                "Namespace",
                "MetricName",
                "Dimensions",
                "Statistic",
                "Period",
                "EvaluationPeriods",
                "DatapointsToAlarm",
                "ComparisonOperator",
                "Threshold",
                "TreatMissingData",
                "ActionsEnabled",
                "AlarmActions",
                "OKActions",
                "InsufficientDataActions",
                "Unit",
                "ExtendedStatistic",
                "Metrics",
                "ThresholdMetricId",
                "EvaluationCriteria",
                "EvaluationInterval",
            ],
            quiet: &["AlarmDescription"],
            ignored: &["EvaluateLowSampleCountPercentile", "Tags", "EvaluationWindow", "WarmUpConfiguration"],
        },
        Kind::Topic => Known {
            read: &["TopicName", "FifoTopic"],
            quiet: &["DisplayName"],
            ignored: &[
                "ArchivePolicy",
                "ContentBasedDeduplication",
                "DataProtectionPolicy",
                "DeliveryStatusLogging",
                "FifoThroughputScope",
                "KmsMasterKeyId",
                "SignatureVersion",
                "Subscription",
                "Tags",
                "TracingConfig",
            ],
        },
        Kind::Other => Known { read: &[], quiet: &[], ignored: &[] },
    }
}

/// What stands beside `Type` and `Properties` in a resource and is left out.
pub(super) const ATTRIBUTES: [&str; 7] = [
    "Condition",
    "CreationPolicy",
    "DeletionPolicy",
    "DependsOn",
    "Metadata",
    "UpdatePolicy",
    "UpdateReplacePolicy",
];
