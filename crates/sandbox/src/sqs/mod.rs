//! SQS: standard and FIFO queues (semantics 1). One file a family of operations.

mod admin;
mod ages;
mod attempts;
mod attributes;
mod batch;
mod content;
mod counters;
mod dead_letters;
mod dedup;
mod delete;
mod digest;
mod errors;
mod fair;
mod fifo;
mod fifo_attributes;
mod groups;
mod handle;
mod line;
mod message;
mod metrics;
mod move_tasks;
mod move_tasks_api;
mod params;
mod permissions;
mod policy;
mod poll;
mod queue;
mod queue_attributes;
mod receive;
mod redrive;
mod redrive_allow;
mod registry;
mod render;
mod send;
mod service;
mod tags;
mod visibility;

pub(crate) use admin::{CreateQueue, QueueAddress};
pub(crate) use batch::Batch;
pub(crate) use content::AttributeInput;
pub(crate) use dedup::Memory;
pub(crate) use delete::DeleteMessage;
pub(crate) use digest::sha256_of_text;
pub(crate) use errors::no_queue;
pub(crate) use handle::Handles;
pub(crate) use message::{AttributeValue, Delivery};
pub use move_tasks::{MoveStatus, MoveTask};
pub(crate) use move_tasks::{MoveTasks, TaskId};
pub(crate) use move_tasks_api::StartMessageMoveTask;
#[cfg(test)]
pub(crate) use params::parse;
pub(crate) use params::{QueueName, queue_name};
pub(crate) use poll::{Ask, PollAnswer, PollId, Polled};
pub(crate) use receive::ReceiveMessage;
pub(crate) use registry::Registry;
pub(crate) use render::{all_system_attributes, receive_answer};
pub(crate) use send::{SendMessage, prepare_batch};
pub(crate) use service::{Refusal, ServiceSend};

#[cfg(test)]
pub(crate) use receive::IN_FLIGHT_LIMIT;

/// One queue in its lifetime: a queue made anew under the same name has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct QueueId(pub(crate) u32);

/// One message in one queue, in the order of arrival there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Seq(pub(crate) u64);
