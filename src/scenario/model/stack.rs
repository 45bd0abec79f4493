//! The stack: the resources of its template.

use std::collections::BTreeMap;

use havoq_base::StackDuration;

use super::document::{Document, Fields};
use super::function::{Function, Mapping};

/// The resources of the stack, by logical id, with every intrinsic resolved.
#[derive(Clone, Debug, Default)]
pub struct Template {
    pub queues: BTreeMap<String, Queue>,
    pub alarms: BTreeMap<String, Alarm>,
    pub topics: BTreeMap<String, Topic>,
    pub functions: BTreeMap<String, Function>,
    pub mappings: BTreeMap<String, Mapping>,
    pub others: BTreeMap<String, Made>,
    /// What is not implemented and left out, one line each, for a warning.
    pub ignored: Vec<String>,
}

/// `AWS::SQS::Queue`. Absent attributes have SQS's defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// QueueName, when the template sets it.
    pub name: Option<String>,
    pub visibility_timeout: StackDuration,
    pub delay: StackDuration,
    pub retention: StackDuration,
    pub receive_wait: StackDuration,
    pub maximum_message_size: u64,
    pub redrive: Option<Redrive>,
    pub fifo: Option<Fifo>,
    /// RedriveAllowPolicy.
    pub redrive_allow: Option<Document>,
}

/// What only a FIFO queue has (semantics 1.13).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fifo {
    pub content_based_deduplication: bool,
    /// DeduplicationScope and FifoThroughputLimit, where they are set.
    pub deduplication_scope: Option<String>,
    pub throughput_limit: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redrive {
    /// Logical id of the dead-letter queue.
    pub to: String,
    pub max_receive_count: u32,
}

/// `AWS::SNS::Topic`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topic {
    pub name: Option<String>,
    pub fifo: bool,
    /// By the names of CreateTopic.
    pub attributes: Fields,
}

/// A resource that is made by calls of the shape of its properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    pub kind: MadeKind,
    pub name: Option<String>,
    /// By the names of CloudFormation, which are most often the call's.
    pub properties: Fields,
}

/// What is made so, in the order in which it is made: nothing refers to what comes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MadeKind {
    Bus,
    Table,
    QueuePolicy,
    TopicPolicy,
    Permission,
    InvokeConfig,
    Subscription,
    Rule,
    Archive,
    Schedule,
    Pipe,
}

impl MadeKind {
    /// Whether it goes by a name of its own.
    pub fn is_named(self) -> bool {
        match self {
            Self::Bus | Self::Table | Self::Rule | Self::Archive | Self::Schedule | Self::Pipe => true,
            Self::QueuePolicy
            | Self::TopicPolicy
            | Self::Permission
            | Self::InvokeConfig
            | Self::Subscription => false,
        }
    }

    /// In words, with an article.
    pub fn what(self) -> &'static str {
        match self {
            Self::Bus => "an event bus",
            Self::Table => "a table",
            Self::QueuePolicy => "a queue policy",
            Self::TopicPolicy => "a topic policy",
            Self::Permission => "a function's permission",
            Self::InvokeConfig => "a function's settings for asynchronous invocations",
            Self::Subscription => "a subscription",
            Self::Rule => "a rule",
            Self::Archive => "an archive",
            Self::Schedule => "a schedule",
            Self::Pipe => "a pipe",
        }
    }

    /// The name of the type of resource.
    pub fn resource_type(self) -> &'static str {
        match self {
            Self::Bus => "AWS::Events::EventBus",
            Self::Table => "AWS::DynamoDB::Table",
            Self::QueuePolicy => "AWS::SQS::QueuePolicy",
            Self::TopicPolicy => "AWS::SNS::TopicPolicy",
            Self::Permission => "AWS::Lambda::Permission",
            Self::InvokeConfig => "AWS::Lambda::EventInvokeConfig",
            Self::Subscription => "AWS::SNS::Subscription",
            Self::Rule => "AWS::Events::Rule",
            Self::Archive => "AWS::Events::Archive",
            Self::Schedule => "AWS::Scheduler::Schedule",
            Self::Pipe => "AWS::Pipes::Pipe",
        }
    }
}

/// `AWS::CloudWatch::Alarm` on one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Alarm {
    pub name: Option<String>,
    pub namespace: String,
    pub metric: String,
    /// Dimension name and value. The value of QueueName is a queue's logical id where the template
    /// refers to one (`!GetAtt Q.QueueName`), else the literal text.
    pub dimensions: Vec<(String, DimensionValue)>,
    pub statistic: Statistic,
    pub period: StackDuration,
    pub evaluation_periods: u32,
    pub datapoints_to_alarm: u32,
    pub comparison: Comparison,
    pub threshold: f64,
    pub missing_data: MissingData,
    pub actions_enabled: bool,
    /// Logical ids of topics where the template refers to them, else the literal ARN.
    pub alarm_actions: Vec<String>,
    pub ok_actions: Vec<String>,
    pub insufficient_data_actions: Vec<String>,
}

impl Alarm {
    /// The queue of the template that it names as its QueueName.
    pub fn watched_queue(&self) -> Option<&str> {
        match self.dimensions.as_slice() {
            [(name, DimensionValue::QueueNameOf(queue))] if name == "QueueName" => Some(queue),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DimensionValue {
    /// The physical name of this queue of the stack.
    QueueNameOf(String),
    Literal(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    SampleCount,
    Average,
    Sum,
    Minimum,
    Maximum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    GreaterThanOrEqualToThreshold,
    GreaterThanThreshold,
    LessThanThreshold,
    LessThanOrEqualToThreshold,
}

/// TreatMissingData.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingData {
    Missing,
    Ignore,
    Breaching,
    NotBreaching,
}
