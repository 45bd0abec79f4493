//! The stack: the resources of its template.

use std::collections::BTreeMap;

use havoq_base::StackDuration;

/// The resources of the stack, by logical id, with every intrinsic resolved.
#[derive(Clone, Debug, Default)]
pub struct Template {
    pub queues: BTreeMap<String, Queue>,
    pub alarms: BTreeMap<String, Alarm>,
    pub topics: BTreeMap<String, Topic>,
    /// What is not implemented and left out, one line each, for a warning.
    pub ignored: Vec<String>,
}

/// `AWS::SQS::Queue`, standard. Absent attributes have SQS's defaults filled in.
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
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redrive {
    /// Logical id of the dead-letter queue.
    pub to: String,
    pub max_receive_count: u32,
}

/// `AWS::SNS::Topic`: so far only a target of alarm actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    pub name: Option<String>,
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
