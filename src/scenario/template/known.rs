//! The resource types that are implemented, and every property that CloudFormation knows of them.

use super::super::lower::Kind;
use super::super::model::MadeKind;

/// The types and what they are.
const KINDS: [(&str, Kind); 17] = [
    ("AWS::SQS::Queue", Kind::Queue),
    ("AWS::CloudWatch::Alarm", Kind::Alarm),
    ("AWS::SNS::Topic", Kind::Topic),
    ("AWS::Lambda::Function", Kind::Function),
    (SERVERLESS_FUNCTION, Kind::Function),
    ("AWS::Lambda::EventSourceMapping", Kind::Mapping),
    ("AWS::Events::EventBus", Kind::Made(MadeKind::Bus)),
    ("AWS::DynamoDB::Table", Kind::Made(MadeKind::Table)),
    ("AWS::SQS::QueuePolicy", Kind::Made(MadeKind::QueuePolicy)),
    ("AWS::SNS::TopicPolicy", Kind::Made(MadeKind::TopicPolicy)),
    ("AWS::Lambda::Permission", Kind::Made(MadeKind::Permission)),
    ("AWS::Lambda::EventInvokeConfig", Kind::Made(MadeKind::InvokeConfig)),
    ("AWS::SNS::Subscription", Kind::Made(MadeKind::Subscription)),
    ("AWS::Events::Rule", Kind::Made(MadeKind::Rule)),
    ("AWS::Events::Archive", Kind::Made(MadeKind::Archive)),
    ("AWS::Scheduler::Schedule", Kind::Made(MadeKind::Schedule)),
    ("AWS::Pipes::Pipe", Kind::Made(MadeKind::Pipe)),
];

/// A function as SAM has it, with its events.
pub(super) const SERVERLESS_FUNCTION: &str = "AWS::Serverless::Function";

pub(super) fn types() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(of_type, _)| *of_type)
}

pub(super) fn kind_of(of_type: &str) -> Kind {
    KINDS.iter().find(|(known, _)| *known == of_type).map_or(Kind::Other, |(_, kind)| *kind)
}

/// The property that sets the physical name.
pub(super) fn name_property(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Queue => Some("QueueName"),
        Kind::Alarm => Some("AlarmName"),
        Kind::Topic => Some("TopicName"),
        Kind::Function => Some("FunctionName"),
        Kind::Made(MadeKind::Table) => Some("TableName"),
        Kind::Made(MadeKind::Archive) => Some("ArchiveName"),
        Kind::Made(kind) if kind.is_named() => Some("Name"),
        Kind::Made(_) | Kind::Mapping | Kind::Other => None,
    }
}

/// The properties of a type.
pub(super) struct Known {
    pub(super) read: &'static [&'static str],
    /// These change nothing that a run could show.
    pub(super) quiet: &'static [&'static str],
    pub(super) ignored: &'static [&'static str],
}

pub(super) fn properties(kind: Kind) -> Option<Known> {
    let known = match kind {
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
                "ContentBasedDeduplication",
                "DeduplicationScope",
                "FifoThroughputLimit",
                "RedriveAllowPolicy",
            ],
            quiet: &[],
            ignored: &["KmsDataKeyReusePeriodSeconds", "KmsMasterKeyId", "SqsManagedSseEnabled", "Tags"],
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
        // These are read by the tables of `shapes`, which tell of the rest themselves.
        Kind::Topic | Kind::Function | Kind::Mapping | Kind::Made(_) | Kind::Other => return None,
    };
    Some(known)
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
