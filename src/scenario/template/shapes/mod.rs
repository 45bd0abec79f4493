//! The properties of the resources that are made by calls of the same shape, a file a service. Names
//! and nesting: CloudFormation's template reference.

mod dynamodb;
mod events;
mod lambda;
mod messaging;
mod pipes;
mod scheduler;
mod serverless;

pub(super) use dynamodb::TABLE;
pub(super) use events::{ARCHIVE, BUS, RULE};
pub(super) use lambda::{FUNCTION, INVOKE_CONFIG, MAPPING, PERMISSION};
pub(super) use messaging::{QUEUE_POLICY, SUBSCRIPTION, TOPIC, TOPIC_POLICY};
pub(super) use pipes::PIPE;
pub(super) use scheduler::SCHEDULE;
pub(super) use serverless::{RULE_EVENT, SCHEDULE_EVENT, SERVERLESS_FUNCTION, SNS_EVENT, SQS_EVENT};
