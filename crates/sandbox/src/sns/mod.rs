//! SNS: topics, subscriptions and what is published through them (semantics 2.1-2.5). One file a
//! family of operations; queues, functions and HTTP endpoints so far.

mod archive;
mod backoff;
mod dedup;
mod deliver;
mod delivery_policy;
mod endpoint;
mod envelope;
mod errors;
mod filter;
mod http;
mod lists;
mod message_attributes;
mod metrics;
mod notification;
mod outcome;
mod pending;
mod permissions;
mod policy;
mod publish;
mod publish_batch;
mod redrive;
mod registry;
mod replay;
mod resume;
mod retry;
mod service;
mod structure;
mod subscribe;
mod subscription;
mod subscription_attributes;
mod tags;
mod topic;
mod topic_attributes;
mod topics;

pub(crate) use envelope::timestamp;
pub(crate) use http::{Answered, Outbound};
pub(crate) use message_attributes::MessageAttributeInput;
pub(crate) use pending::{DeliveryId, Pendings};
pub(crate) use publish::Publish;
pub(crate) use registry::Topics;
pub(crate) use service::{PublishRefusal, ServicePublish};
pub(crate) use subscribe::{Address, Signed, Subscribe};

/// One topic in its lifetime: a topic made anew under the same name has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TopicId(u32);

/// One subscription in its lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SubscriptionId(u32);
